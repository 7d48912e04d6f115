import pytest

from abstraction.small_deck import BINS, CLUSTERS, RANKS, cluster
from sixmax.abstraction import features


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    """Every feature of the small deck."""
    path = tmp_path_factory.mktemp("features")
    features.make(RANKS, BINS, CLUSTERS, path)
    return path


@pytest.fixture(scope="session")
def run(folder, tmp_path_factory):
    """The buckets of a run on it."""
    path = tmp_path_factory.mktemp("run")
    for name in features.ROUNDS:
        cluster(folder, path / "abstraction" / f"{name}.zarr", name)
    return path
