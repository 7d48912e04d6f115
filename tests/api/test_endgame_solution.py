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


def test_save__keeps_16_bits(turn, tmp_path):
    """The turn in half of the memory: values as near as its exploitability, and the same again."""
    solved = sx.solve(turn.game.packed, iterations=turn.iterations)
    assert np.abs(solved.value - turn.value).max() < turn.exploitability + solved.exploitability
    solved.save(tmp_path / "half.zarr")
    again = sx.EndgameSolution.load(tmp_path / "half.zarr")
    assert again.solver.total.dtype == np.int16
    assert again.game.bits == 16
    np.testing.assert_array_equal(again.value, solved.value)
    assert again.chart.to_dict() == solved.chart.to_dict()
    assert again.root.ev().of("AA") == solved.root.ev().of("AA")


def test_load__of_another_kind_of_store_is_a_line(tmp_path):
    write(tmp_path / "s.zarr", "strategy", {"policy": np.zeros(9, np.uint8)})
    with pytest.raises(UserError, match=r"found .*sixmax/strategy.*, wanted 'sixmax/endgame'"):
        EndgameSolution.load(tmp_path / "s.zarr")


def test_load__of_tables_that_do_not_fit_is_a_line(stored):
    kept_of(stored, total=read(stored, KIND)["total"][1:])
    with pytest.raises(UserError, match=r"another version of sixmax \(found .* entries, wanted"):
        EndgameSolution.load(stored)


def kept_of(stored, **others):
    """Write the store anew with other fields."""
    store = read(stored, KIND)
    names = ("pot", "stack", "game", "suits", "method", "iterations", "target", "seconds", "values",
             "gains", "nash_conv")  # fmt: skip
    arrays = {name: store[name] for name in ("board", "ranges", "total")}
    fields = {name: store.attributes[name] for name in names}
    arrays, fields = ({k: others.get(k, v) for k, v in of.items()} for of in (arrays, fields))
    write(stored, KIND, arrays, **fields)


def test_load__is_not_solved_on(stored):
    with pytest.raises(UserError, match="no regrets"):
        EndgameSolution.load(stored).solver.run(1)


@pytest.mark.parametrize("others", [
    {"method": "magic"}, {"suits": 4}, {"values": "none"}, {"pot": "x"},
])  # fmt: skip
def test_load__of_fields_of_another_version_is_a_line(stored, others):
    kept_of(stored, **others)
    with pytest.raises(UserError, match=r"answer.zarr: .*another version of sixmax"):
        EndgameSolution.load(stored)


def test_load__of_damaged_tables_is_a_line(stored):
    flip(next((stored / "total" / "c").rglob("0")))
    with pytest.raises(UserError, match="damaged store"):
        EndgameSolution.load(stored)
