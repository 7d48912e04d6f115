"""Endgames by the face: published and hand-made values, every decision, every mistake."""

import numpy as np
import pytest

import sixmax as sx
from sixmax.cfr.methods import CARRIED

# The first player has the nuts or nothing, the second catches bluffs; a bet of half the pot.
BLUFF = {
    "board": "AsKsQsJs2d", "pot": 200, "stack": 100, "ranges": ("Ts9c,3c3d", "AhAd"),
    "bets": [["A"]], "max_raises": 1,
}  # fmt: skip


@pytest.fixture(scope="module")
def bluff():
    return sx.solve(sx.endgame(**BLUFF), method="cfr+", iterations=2000)


def test_endgame__bluffs_as_often_as_the_pot_offers(bluff):
    """A third of the hands that are nothing bet, and two thirds of all bets are called."""
    root = bluff.at()
    assert root.actions == ("c", "b100")
    assert root.strategy("Ts9c")["b100"] == pytest.approx(1, abs=1e-3)
    assert root.strategy("3c3d")["b100"] == pytest.approx(1 / 3, abs=5e-3)
    assert bluff.at("b100").strategy("AA")["c"] == pytest.approx(2 / 3, abs=5e-3)
    assert bluff.at("a").strategy("AA")["c"] == bluff.at("b 100").strategy("AhAd")["c"]
    assert bluff.value == pytest.approx([400 / 3, 200 / 3], abs=0.5)
    assert bluff.exploitability_of_pot < 1e-3


def test_ev__is_exact_and_its_mean_is_the_value(bluff):
    values = bluff.at().ev()
    assert values.range.mixed.mean == pytest.approx(bluff.value[0], abs=1e-3)
    assert values.of("Ts9c")["b100"].mean == pytest.approx(200 + 100 * 2 / 3, abs=0.5)
    assert values.of("Ts9c")["c"].mean == pytest.approx(200)
    assert values.of("3c3d")["b100"].mean == pytest.approx(200 / 3 - 100 * 2 / 3, abs=1.5)
    called = bluff.at("b100").ev()
    assert called.of("AA")["f"].mean == pytest.approx(0, abs=1e-4)
    assert called.range.mixed.half == 0


def test_ev__of_a_hand_that_cannot_come_is_unknown(bluff):
    """A fold is worth a true 0; nobody should take one for the other."""
    values = bluff.at().ev()
    assert repr(values.of("KK")) == "KK: unknown; c unknown, b100 unknown"
    assert values.of("KK").to_dict() == {"mixed": None, "c": None, "b100": None}
    blocked = sx.endgame("AsKsQsJs2d", 200, 100, ("Ts9c,AdTc", "AhAd"), [["A"]], 1)
    alone = sx.solve(blocked, iterations=10).at().ev()
    assert "unknown" in repr(alone.of("AdTc"))
    assert "unknown" not in repr(alone.of("Ts9c"))
    with pytest.raises(sx.UserError, match="action 'zz': unknown; there are c, b100"):
        values.of("Ts9c")["zz"]


def test_range__after_a_bet_is_what_bets(bluff):
    """Weights are those of the given range, times the play: 1 and a third of one combo."""
    spot = bluff.at("b100")
    assert spot.range("OOP").of("3c3d") == pytest.approx(1 / 3, abs=5e-3)
    assert spot.range("OOP").combos == pytest.approx(4 / 3, abs=5e-3)
    assert spot.range().player == "IP"
    narrow = sx.endgame(**{**BLUFF, "ranges": (spot.range("OOP"), "AhAd")})
    assert (bluff.at().reached, spot.reached) == (1, pytest.approx(2 / 3, abs=5e-3))
    assert spot.ev().to_dict()["classes"].keys() == {"AA"}
    assert narrow.ranges[0].sum() == pytest.approx(4 / 3, abs=5e-3)
    halved = sx.endgame(**{**BLUFF, "ranges": ("Ts9c:0.5,3c3d:0.5", "AhAd")})
    chart = sx.solve(halved, iterations=10).chart
    assert chart.range.combos == 1.0
    with pytest.raises(sx.UserError, match="player 'SB': unknown"):
        spot.range("SB")


def test_at__of_a_turn_goes_on_to_the_river():
    end = sx.endgame("AsKd7c2h", 200, 300, ("AhKs,QcJc", "7s7d,QQ"), [[1, "A"]], 2)
    solved = sx.solve(end, iterations=200)
    spot = solved.at("c c / c", board="Td")
    assert (spot.board, spot.player, spot.pot) == ("AsKd7c2hTd", "IP", 200)
    river = solved.at("b200 c", board="Td")
    assert (river.pot, river.player, river.actions) == (600, "OOP", ("c", "b100"))
    assert solved.at("b200").after("c", "Td").pot == 600
    # Queen and jack have the straight: nobody folds it.
    assert solved.at("c c c b200", "Td").strategy("QcJc")["f"] == pytest.approx(0, abs=0.02)
    mean = solved.at("c c", "Td").ev().range.mixed.mean
    assert 0 < mean < 200 + 600
    for actions, board, why in (
        ("c c", "", "the round is over: wanted the next card"),
        ("c / c", "Td", "not over at the slash"),
        ("c", "Td", "found 1 cards more"),
        ("c c", "As", "dealt twice"),
        ("b7", "", "wanted one of c, b200, b300"),
        ("b300 c", "Td", "the hand is over"),
    ):
        with pytest.raises(sx.UserError, match=why):
            solved.at(actions, board)


WRONG = [
    ({"board": "4s8h"}, "board: found 2 cards, wanted 3, 4 or 5"),
    ({"board": None}, "board: found None, wanted text like '4s8hTc9h2s'"),
    ({"board": [1.5, 2, 3]}, "board: found .1.5, 2, 3., wanted text"),
    ({"pot": 3}, "pot: found 3, wanted an even number"),
    *(({"pot": pot}, "pot: found .*, wanted a whole number") for pot in (None, "", 1e99, 2.5)),
    ({"pot": float("nan")}, "pot: found nan"),
    ({"stack": 0}, "stack: found 0"),
    ({"stack": "9"}, "stack: found '9', wanted a whole number"),
    ({"ranges": ("AA",)}, "ranges: found 1, wanted two"),
    ({"ranges": "AA"}, "ranges: found 'AA', wanted two"),
    ({"ranges": None}, "ranges: found None, wanted two"),
    ({"ranges": (["AA"], "KK")}, "range: found .'AA'., wanted words"),
    ({"bets": [0.5, 1]}, "bets: found 0.5, wanted rows of sizes"),
    ({"bets": None}, "bets: found None, wanted rows of sizes"),
    ({"ranges": ("AA", "As2d")}, "range of IP: no hand of weight above 0"),
    ({"ranges": (np.ones(3), "AA")}, "range: found shape"),
    ({"bets": [["x"]]}, "bets: found ..'x'.. with max_raises 1, wanted rows of sizes"),
]


def test_solve__refuses_methods_that_it_does_not_know():
    with pytest.raises(sx.UserError, match=r"method 'pcfr': unknown; did you mean 'pcfr\+'"):
        sx.solve(sx.endgame(**BLUFF), method="pcfr")


@pytest.mark.parametrize("method", CARRIED)
def test_solve__by_each_method_ends_at_the_value(method):
    found = sx.solve(sx.endgame(**BLUFF), method=method, iterations=400)
    assert found.exploitability_of_pot < 0.01
    assert found.value == pytest.approx([400 / 3, 200 / 3], abs=3)


@pytest.mark.parametrize(("changes", "expected"), WRONG)
def test_endgame__refuses(changes, expected):
    with pytest.raises(sx.UserError, match=expected) as error:
        sx.endgame(**{**BLUFF, **changes})
    assert "\n" not in str(error.value)


def test_repr__says_value_and_exploitability(bluff):
    assert "value 133." in repr(bluff)
    assert "2000 iterations of CFR+" in repr(bluff)
    html = bluff._repr_html_()
    assert html.count("<span title=") == 169
    assert "T9o: c 0.0 %, b100 100.0 %" in html


def test_solve__says_where_a_target_was_not_met(bluff):
    end = sx.endgame(**BLUFF)
    short = sx.solve(end, iterations=1, target=1e-9)
    assert not short.met
    assert "the target of 1e-07 % was not met" in repr(short)
    assert bluff.met


def test_solve__for_seconds_is_not_cut_by_iterations(monkeypatch):
    monkeypatch.setattr("sixmax.api.solve.MOST_ENDGAME", 3)
    assert sx.solve(sx.endgame(**BLUFF), seconds=0.3).iterations > 3
    assert sx.solve(sx.endgame(**BLUFF), target=1e-12).iterations == 3


def test_to_dict__has_the_first_decision(bluff):
    values = bluff.to_dict()
    assert values["strategy"]["actions"] == ["c", "b100"]
    assert values["player"] == "OOP"
