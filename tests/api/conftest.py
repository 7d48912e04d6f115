"""The small run of the site's tests serves the face's too."""

from serve.conftest import client, folder, library, run, site

__all__ = ["client", "folder", "library", "run", "site"]
