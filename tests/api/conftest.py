"""The small run of the site's tests serves the face's too."""

import pytest

import sixmax as sx
from serve.conftest import client, folder, library, run, site

__all__ = ["client", "folder", "library", "opened", "run", "site"]


@pytest.fixture(scope="package")
def opened(folder):
    return sx.open(folder)
