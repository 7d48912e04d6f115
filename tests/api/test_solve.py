"""Listed games and endgames by the face, against known values and against each other."""

import numpy as np
import pytest

import sixmax as sx

KUHN = {"stacks": [2, 2], "antes": [1, 1], "rounds": [{"sizes": [["1 chips"]], "max_raises": 1}]}


def test_solve__kuhn_of_three_players_is_the_known_number():
    """OpenSpiel, NashConv .00392 after 1,000 iterations of CFR; by player a third of it."""
    actual = sx.solve(sx.games.kuhn(players=3), method="cfr", iterations=1000)
    assert actual.nash_conv == pytest.approx(0.00392, abs=5e-6)
    assert actual.exploitability == pytest.approx(actual.nash_conv / 3)


def test_solve__to_a_target_ends_soon_after_it_is_met():
    game = sx.games.kuhn()
    seen = []
    actual = sx.solve(game, target=0.002, report=lambda done, gain: seen.append((done, gain)))
    assert actual.exploitability <= 0.002 < seen[-2][1]
    assert seen[-1][0] == actual.iterations < 1000
    assert actual.value == pytest.approx([-1 / 18, 1 / 18], abs=0.004)


def test_solve__for_seconds_ends():
    actual = sx.solve(sx.games.leduc(), seconds=0.05)
    assert actual.iterations > 0
    assert actual.exploitability < 4.7472222 / 2  # that of the uniform strategy


def test_at__names_cards_and_actions():
    actual = sx.solve(sx.games.kuhn(), iterations=2000).at("c r2")
    assert (actual.player, actual.actions, actual.known) == (1, ("f", "c"), ("J", "Q", "K"))
    assert actual.strategy("K")["c"] == pytest.approx(1, abs=1e-3)
    assert actual.strategy("J")["f"] == pytest.approx(1, abs=1e-3)
    with pytest.raises(sx.UserError, match="cards 'A': unknown; there are J, Q, K"):
        actual.strategy("A")
    with pytest.raises(sx.UserError, match="the game is over"):
        sx.solve(sx.games.kuhn(), iterations=1).at("c c")


def test_to_dict__has_the_strategy_of_every_decision():
    values = sx.solve(sx.games.kuhn(), iterations=10).to_dict()
    assert list(values["strategy"]) == ["", "c", "r2", "c r2"]
    assert sum(values["strategy"]["c r2"]["Q"].values()) == pytest.approx(1)


def test_game__of_ones_own_is_kuhn():
    mine = sx.game(KUHN, [([a, b], [a, b]) for a in "123" for b in "123" if a != b])
    assert sx.solve(mine).value[0] == pytest.approx(-1 / 18, abs=1e-3)


def test_game__of_payoffs():
    solved = sx.solve(sx.game([[0, -1, 1], [1, 0, -1], [-1, 1, 0]], actions="RPS"))
    assert solved.at().strategy() == pytest.approx({"R": 1 / 3, "P": 1 / 3, "S": 1 / 3})


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ({"method": "cfr++"}, "method 'cfr..': unknown; did you mean 'cfr.'"),
        ({"iterations": 0}, "iterations: found 0, wanted a number above 0"),
        ({"target": -1}, "target: found -1"),
        ({"seconds": float("nan")}, "seconds: found nan"),
    ],
)
def test_solve__refuses(arguments, expected):
    with pytest.raises(sx.UserError, match=expected):
        sx.solve(sx.games.kuhn(), **arguments)


def test_solve__refuses_what_is_no_game():
    with pytest.raises(sx.UserError, match="solve: found int, wanted a game or an endgame"):
        sx.solve(3)
    with pytest.raises(sx.UserError, match="rules without deals"):
        sx.game(KUHN)


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


def test_range__after_a_bet_is_what_bets(bluff):
    spot = bluff.at("b100")
    assert spot.range("OOP").of("3c3d") == pytest.approx(1 / 3, abs=5e-3)
    assert spot.range().player == "IP"
    assert sx.endgame(**{**BLUFF, "ranges": (spot.range("OOP"), "AhAd")}).ranges[0].sum() > 1
    with pytest.raises(sx.UserError, match="player 'SB': unknown"):
        spot.range("SB")


def test_at__of_a_turn_goes_on_to_the_river():
    end = sx.endgame("AsKd7c2h", 200, 300, ("AhKs,QcJc", "7s7d,QQ"), [[1, "A"]], 2)
    solved = sx.solve(end, iterations=200)
    spot = solved.at("c c / c", board="Td")
    assert (spot.board, spot.player, spot.pot) == ("AsKd7c2hTd", "IP", 200)
    river = solved.at("b200 c", board="Td")
    assert (river.pot, river.player, river.actions) == (600, "OOP", ("c", "b100"))
    # Queen and jack have the straight: nobody folds it.
    assert solved.at("c c c b200", "Td").strategy("QcJc")["f"] == pytest.approx(0, abs=0.02)
    mean = solved.at("c c", "Td").ev().range.mixed.mean
    assert 0 < mean < 200 + 600
    for actions, board, why in (
        ("c c", "", "the round is over: wanted its card"),
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
    ({"pot": 3}, "pot: found 3, wanted an even number"),
    ({"stack": 0}, "stack: found 0"),
    ({"ranges": ("AA",)}, "ranges: found 1, wanted two"),
    ({"ranges": ("AA", "As2d")}, "range of IP: no hand of weight above 0"),
    ({"ranges": (np.ones(3), "AA")}, "range: found shape"),
    ({"bets": [["x"]]}, "game.rounds"),
]


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
