"""What the tests of this part share."""

import pytest

from sixmax.jit import set_threads, threads_in_use


@pytest.fixture
def one_thread():
    """On a busy machine, threads that share small batches mostly wait for each other; the result
    is the same."""
    before = threads_in_use()
    set_threads(1)
    yield
    set_threads(before)
