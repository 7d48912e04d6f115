"""Slow twins live in tests/oracles and are imported as ``oracles.<part>``."""

import sys
from pathlib import Path

import pytest
from hypothesis import settings

from sixmax.jit import set_threads, threads_in_use

sys.path.insert(0, str(Path(__file__).parent))
settings.register_profile("repeatable", derandomize=True, deadline=None)
settings.load_profile("repeatable")


@pytest.fixture
def one_thread():
    """On a busy machine, threads that share small batches mostly wait for each other; the result
    is the same."""
    before = threads_in_use()
    set_threads(1)
    yield
    set_threads(before)
