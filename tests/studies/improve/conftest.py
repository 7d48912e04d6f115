"""A run and what is made of it, once for all tests."""

import pytest

from sixmax.search.config import SearchConfig
from sixmax.search.settings import SETTINGS, keep
from sixmax.studies.improve.stage import improve
from studies.improve.small import RAISE, on_disk, scored


@pytest.fixture(scope="session")
def trained(tmp_path_factory):
    """A run, and its improved runs of both types for a raise to 600 first in."""
    folder = tmp_path_factory.mktemp("improve") / "run"
    run = on_disk(folder)
    keep(SearchConfig(blueprint="snapshot-00001", first=2), folder / SETTINGS)
    gaps = scored(run, folder / "gaps.json", ((), RAISE))
    for kind in (1, 2):
        improve(folder, gaps, kind, 2, 2000, 1, 5.0, "bias", 1, folder / "improve" / f"type{kind}")
    return run
