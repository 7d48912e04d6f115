"""AIVAT of recorded hands, held to the version that plays from tables."""

import numpy as np
import pytest

from evaluation.scored import table
from oracles.aivat import path_to
from sixmax.agents.registry import uniform
from sixmax.base.errors import UserError
from sixmax.base.rng import child, stream
from sixmax.betting.config import SEEN
from sixmax.betting.tree import is_decision, n_actions, round_of, seat_of
from sixmax.evaluation.aivat.recorded import Recorded, Taken
from sixmax.evaluation.aivat.scored_match import ScoredGame, columns
from sixmax.evaluation.match.duplicate import net_and_ends
from sixmax.ongoing.hand import blueprint_buckets, blueprint_rows

DEALS, DRAWS, SEED = 25, 4, 3


def recorded(run, game, pair, cards, end, hero, known):
    """The decisions of the hand that ended at ``end``, with the policy of every hole."""
    tree, path, seats = game.tree, path_to(game.tree, end), len(cards) // 2 - 2
    decisions = []
    for i, x in enumerate(path):
        head = int(tree.node[x, 0])
        if not is_decision(head):
            break
        board = cards[2 * seats :][: SEEN[round_of(head)]]
        n, ours = n_actions(head), seat_of(head) == hero
        action = path[i + 1] - tree.node[x, 1] if i + 1 < len(path) else 0
        bucket = blueprint_buckets(run, board)
        rows = blueprint_rows(run, pair[0].table, x, bucket) if ours else np.full((276, n), 1 / n)
        offered = tree.offered(x)
        decisions.append(Taken(offered, offered[action], rows if ours or known else None))
    return decisions


@pytest.mark.parametrize("known", [True, False])
def test_columns__equal_those_of_the_table(known):
    run, game, player, values = table(3)
    pair, seats = (player, uniform(game)), run.game.seats
    expected = columns(ScoredGame(pair, game, run.dealer, values, known, DRAWS), SEED, 0, DEALS)
    believed = pair if known else (player, player)
    hands = Recorded(run, game, values, believed, DRAWS)
    cards = run.dealer.cards(child(SEED, "deals"), 0, DEALS)[:, : 2 * seats + 5]
    ends = net_and_ends(pair, game, run.dealer, SEED, 0, DEALS)[1]
    for i in range(DEALS):
        for hero in range(seats):
            end = int(ends[i, hero])
            taken = recorded(run, game, pair, cards[i], end, hero, known)
            state = stream(child(SEED, "boards"), np.uint64(i * seats + hero))
            actual = hands.columns(cards[i], hero, taken, np.uint64(state))
            np.testing.assert_allclose(actual, expected[i, hero], rtol=1e-6, atol=1e-4)


def test_columns__refuse_an_illegal_or_unfinished_hand():
    run, game, player, values = table(3)
    hands = Recorded(run, game, values, (player, player), DRAWS)
    cards = np.arange(11, dtype=np.int8)
    with pytest.raises(UserError, match="raises to 150, wanted"):
        hands.columns(cards, 0, [Taken([0, 150], 150, None)], np.uint64(1))
    with pytest.raises(ValueError, match="where seat 2 is to act"):
        hands.columns(cards, 0, [], np.uint64(1))


def test_columns__rows_that_depend_on_the_hole_show_it():
    """From a decision on whose rows would be others with another hole, the range is that hole."""
    run, game, player, values = table(3)
    hands = Recorded(run, game, values, (player, player), DRAWS)
    cards = run.dealer.cards(child(SEED, "deals"), 0, 1)[0, :11]
    every = np.zeros((276, 2))
    every[:, 1] = 1.0  # all call, and check down to the end
    calls = [Taken([-1, 0], 0, every), Taken([-1, 0], 0, every), Taken([0], 0, every[:, 1:])]
    checks = [Taken([0], 0, every[:, 1:])] * 9
    for seat in range(3):
        own = 3 + seat  # the small blind is the first to act after the flop
        shown = [t._replace(seen=i >= own) for i, t in enumerate([*calls, *checks])]
        actual = hands.columns(cards, seat, shown, np.uint64(1))
        expected = hands.columns(cards, seat, [*calls, *checks], np.uint64(1))
        assert actual[0] == actual[1] == expected[0]
        assert abs(expected[1] - expected[0]) > 1
