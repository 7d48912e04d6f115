"""Listed games by the face, against known values."""

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
    assert actual.met
    assert not sx.solve(game, iterations=1, target=1e-9).met
    assert actual.value == pytest.approx([-1 / 18, 1 / 18], abs=0.004)


def test_solve__for_seconds_ends():
    """Time that compiles kernels does not count, so that some iterations are done."""
    actual = sx.solve(sx.games.leduc(), seconds=0.2)
    assert actual.iterations > 1
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
    cards = (1, 2, 3)
    mine = sx.game(KUHN, [([[a], [b]], [a, b]) for a in cards for b in cards if a != b])
    assert mine.known == (("1", "2", "3"),)
    assert sx.solve(mine).value[0] == pytest.approx(-1 / 18, abs=1e-3)


def test_game__of_payoffs():
    solved = sx.solve(sx.game([[0, -1, 1], [1, 0, -1], [-1, 1, 0]], actions="RPS"))
    assert solved.at().strategy() == pytest.approx({"R": 1 / 3, "P": 1 / 3, "S": 1 / 3})


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ({"method": "cfr++"}, "method 'cfr..': unknown; did you mean 'cfr.'"),
        ({"method": 5}, "method 5: unknown"),
        ({"iterations": 0}, "iterations: found 0, wanted a whole number, 1 or more"),
        ({"iterations": 1.5}, "iterations: found 1.5, wanted a whole number"),
        ({"iterations": "5"}, "iterations: found '5', wanted a whole number"),
        ({"target": "x"}, "target: found 'x', wanted a number above 0"),
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
