"""The small run of the site's tests serves the face's too."""

from serve.conftest import folder, library, run

__all__ = ["folder", "library", "run"]
