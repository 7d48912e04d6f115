import pytest

from evaluation.scored import table
from evaluation.seated import Opened
from sixmax.session.luck import Luck


@pytest.fixture(scope="session")
def run():
    """Three players, 24 cards."""
    return Opened()


@pytest.fixture(scope="session")
def luck(run):
    return Luck(run, table(3)[3])
