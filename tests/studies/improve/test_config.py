"""Runs that cannot be improved, and settings that name no opponent: one line each."""

from pathlib import Path

import pytest

from search.holdem import small_run
from sixmax.config import load
from sixmax.studies.improve.config import problem

GAME = small_run(2)[0].game
SECTION = load(Path(__file__).parents[3] / "config" / "default.yaml").improve


@pytest.mark.parametrize(
    ("changes", "game", "expected"),
    [
        ({"opponent": "raises-5"}, {}, ""),
        ({"opponent": "hands"}, {}, ""),
        ({}, {}, "found no improve.opponent"),
        ({"opponent": "raises-5"}, {"stacks": [2000, 1000]}, "wanted two of equal stacks"),
    ],
)
def test_problem__says_what_is_missing(changes, game, expected):
    actual = problem(SECTION.model_copy(update=changes), GAME.model_copy(update=game))
    assert expected in actual
    assert bool(actual) == bool(expected)
