"""Slow twins live in tests/oracles and are imported as ``oracles.<part>``."""

import contextlib
import gc
import os
import sys
from pathlib import Path

import pytest
from hypothesis import settings

from sixmax.base.errors import UserError
from sixmax.base.jit import set_threads, threads_in_use
from sixmax.cli.process import wait_briefly

TESTS = Path(__file__).parent
sys.path.insert(0, str(TESTS))
settings.register_profile("repeatable", derandomize=True, deadline=None)
settings.load_profile("repeatable")
wait_briefly()
IN_WORKER = "PYTEST_XDIST_WORKER" in os.environ
if IN_WORKER:
    set_threads(1)


# Objects of libraries and collected tests live to the end: looking through them for cycles took a
# twentieth of the time.
gc.set_threshold(100_000, 20, 100)


def pytest_collection_finish():
    gc.freeze()


def pytest_collection_modifyitems(items):
    """Whole runs come early, for they take minutes, and one after the other: two at once would
    wait for the kernels that each compiles."""
    items.sort(key=turn)


def turn(item):
    """The guard first, beside the tests of a third of the package; then the other whole runs."""
    if item.path.parent.name == "workflow":
        return 0 if item.path.stem == "test_golden" else 2
    return 1 if item.path.relative_to(TESTS).parts[0] < "evaluation" else 3


@pytest.fixture(autouse=IN_WORKER)
def one_core_a_worker():
    """Each of pytest's workers has a core: threads of both would mostly wait for each other."""
    set_threads(1)


@pytest.fixture
def refused():
    """A context in which a mistake is refused, in one line that has these words."""
    return _refused


@contextlib.contextmanager
def _refused(words, begins=""):
    with pytest.raises(UserError) as caught:
        yield
    line = str(caught.value)
    assert words in line
    assert line.startswith(begins)
    assert "\n" not in line


@pytest.fixture
def threads():
    """:func:`set_threads`, undone at the end of the test."""
    before = threads_in_use()
    yield set_threads
    set_threads(before)


@pytest.fixture
def one_thread(threads):
    """Threads that share small batches mostly wait for each other, with the same result."""
    threads(1)


@pytest.fixture(scope="session")
def clustered(tmp_path_factory):
    """The folder of a run on a deck of 24 cards, as far as buckets of flops need it."""
    from abstraction.small_deck import BINS, CLUSTERS, RANKS, cluster
    from sixmax.abstraction import features

    folder = tmp_path_factory.mktemp("features")
    features.make(RANKS, BINS, CLUSTERS, folder)
    run = tmp_path_factory.mktemp("clustered")
    for name in ("preflop", "river"):
        cluster(folder, run / "abstraction" / f"{name}.zarr", name)
    (run / "features").symlink_to(folder)
    return run
