"""What the tests of this part share."""

import pytest

from abstraction.small_deck import BINS, CLUSTERS, RANKS, cluster
from sixmax.abstraction import features


@pytest.fixture(scope="session")
def clustered(tmp_path_factory):
    """The folder of a run on a deck of 24 cards, as far as buckets of flops need it."""
    folder = tmp_path_factory.mktemp("features")
    features.make(RANKS, BINS, CLUSTERS, folder)
    run = tmp_path_factory.mktemp("clustered")
    for name in ("preflop", "river"):
        cluster(folder, run / "abstraction" / f"{name}.zarr", name)
    (run / "features").symlink_to(folder)
    return run
