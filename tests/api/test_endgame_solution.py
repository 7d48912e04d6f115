"""A solved endgame on disk: the same game, strategies and values when it is opened again."""

import numpy as np
import pytest

import sixmax as sx
from damage import flip
from sixmax.api.endgame_solution import KIND, EndgameSolution
from sixmax.base.errors import UserError
from sixmax.store import read, write

RANGES = "AA,KQs,JTs:0.5", "QQ,T9s,A5s"


@pytest.fixture(scope="module")
def turn():
    """A turn on which suits are alike: two hearts and two spades."""
    end = sx.endgame("4s8hTs9h", 100, 300, RANGES, bets=[[1, "A"], ["A"]])
    return sx.solve(end, iterations=15)


@pytest.fixture
def stored(turn, tmp_path):
    turn.save(tmp_path / "answer.zarr")
    return tmp_path / "answer.zarr"


def test_save__opens_as_the_same_solution_to_the_bit(turn, stored):
    actual = EndgameSolution.load(stored)
    assert len(turn.solver.game.suits) > 1
    assert actual.solver.game.suits == turn.solver.game.suits
    assert actual.solver.total.tobytes() == turn.solver.total.tobytes()
    assert repr(actual) == repr(turn)
    assert repr(actual.game) == repr(turn.game)
    assert actual.to_dict() == turn.to_dict()
    measured = actual.solver.nash_conv()
    assert measured.total / 2 == turn.exploitability
    assert np.array_equal(measured.values + 50, turn.value)


@pytest.mark.parametrize(("actions", "board"), [("", ""), ("c b100", ""), ("b100 c / c", "Qd")])
def test_save__every_decision_has_the_same_strategy_and_ev(turn, stored, actions, board):
    actual, expected = (each.at(actions, board) for each in (EndgameSolution.load(stored), turn))
    assert np.array_equal(actual.chart.rows, expected.chart.rows)
    assert np.array_equal(actual.chart.weight, expected.chart.weight)
    assert np.array_equal(actual.ev().mean, expected.ev().mean, equal_nan=True)
    assert np.isfinite(actual.ev().mean).sum() > 10


def test_load__of_another_kind_of_store_is_a_line(tmp_path):
    write(tmp_path / "s.zarr", "strategy", {"policy": np.zeros(9, np.uint8)})
    with pytest.raises(UserError, match=r"found .*sixmax/strategy.*, wanted 'sixmax/endgame'"):
        EndgameSolution.load(tmp_path / "s.zarr")


def test_load__of_tables_that_do_not_fit_is_a_line(stored):
    store = read(stored, KIND)
    kept = {name: store[name] for name in ("board", "ranges", "total")}
    fields = {n: store.attributes[n] for n in (
        "pot", "stack", "game", "suits", "method", "iterations", "target", "seconds", "values",
        "gains", "nash_conv")}  # fmt: skip
    write(stored, KIND, {**kept, "total": kept["total"][1:]}, **fields)
    with pytest.raises(UserError, match=r"entries, wanted .* another version of sixmax"):
        EndgameSolution.load(stored)


def test_load__of_damaged_tables_is_a_line(stored):
    flip(next((stored / "total" / "c").rglob("0")))
    with pytest.raises(UserError, match="damaged store"):
        EndgameSolution.load(stored)
