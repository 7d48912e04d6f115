import shutil

import pytest

from commands import called
from sixmax.blueprint import packed
from sixmax.search.config import SearchConfig
from sixmax.search.settings import SETTINGS, keep
from studies.improve.small import searchable


@pytest.fixture(scope="session")
def run(tmp_path_factory):
    """The folder of a small two-player run with continuations, values and two results."""
    folder = searchable(tmp_path_factory.mktemp("results") / "small")
    keep(SearchConfig(first=2), folder / SETTINGS)
    values = ["--hands", 2000, "--seed", 1, "--out", folder / "evaluation" / "values.zarr"]
    called("values", "--run", folder, *values)
    matches = [folder / "evaluation" / "match" / f"blueprint_vs_{b}.json" for b in ("call", "rule")]
    for out in matches:
        agents = out.stem.split("_vs_")
        called("match", *agents, "--run", folder, "--deals", 50, "--seed", 1, "--out", out)
    table = folder / "evaluation" / "matches"
    places = ["--out", table.with_suffix(".json"), "--text", table.with_suffix(".txt")]
    called("stage", "matches", *matches, *places)
    return folder


@pytest.fixture
def copy(run, tmp_path):
    """The same run, to be changed."""
    return shutil.copytree(run, tmp_path / "small")


@pytest.fixture(scope="session")
def file(run, tmp_path_factory):
    """The run as a packed file."""
    out = tmp_path_factory.mktemp("packed") / "small.sixmax"
    called("pack", run, "--out", out)
    return out


@pytest.fixture(autouse=True)
def cache(tmp_path_factory, monkeypatch):
    folder = tmp_path_factory.mktemp("cache")
    monkeypatch.setenv(packed.VARIABLE, str(folder))
    return folder


@pytest.fixture
def sixmax():
    """What a command prints that must end well."""
    return lambda *words: called(*words).stdout
