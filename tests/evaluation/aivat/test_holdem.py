"""AIVAT of hold'em on a deck of 24 cards, by simulation; play-outs; recorded hands."""

import numpy as np
import pytest

from evaluation.scored import nonsense, table
from oracles.aivat import path_to
from search.holdem import widened
from sixmax.agents.registry import calling, uniform
from sixmax.base import errors, jit, rng
from sixmax.betting.config import SEEN
from sixmax.betting.tree import is_decision, n_actions, round_of, seat_of
from sixmax.evaluation.aivat import playout
from sixmax.evaluation.aivat.observer import MatchConstants, Observed, observer
from sixmax.evaluation.aivat.playout import play_out
from sixmax.evaluation.aivat.recorded import Recorded, Taken
from sixmax.evaluation.aivat.scored_match import ScoredGame, columns
from sixmax.evaluation.match.duplicate import net_and_ends, net_chips, whole_hands
from sixmax.ongoing.hand import blueprint_buckets, blueprint_rows
from sixmax.ongoing.policies import chances

CHANCE, ACTION, AIVAT = 2, 3, 4


def check_unbiased(actual, net):
    """The results are those of the match; the corrections are nothing on average."""
    np.testing.assert_allclose(actual[:, :, 0], net, atol=1e-6)
    assert np.isfinite(actual).all()
    deal = actual.mean(axis=1)
    zero = np.stack([deal[:, CHANCE], deal[:, ACTION], deal[:, AIVAT] - deal[:, 0]])
    assert (abs(zero.mean(axis=1)) < 4 * zero.std(axis=1) / np.sqrt(len(net))).all()


@pytest.mark.parametrize("seats", [2, 3, 6])
@pytest.mark.parametrize(("opponent", "known"), [(uniform, True), (calling, False)])
@pytest.mark.parametrize("sense", [True, False])
def test_columns__corrections_are_nothing_on_average(seats, opponent, known, sense):
    run, game, player, values = table(seats)
    values = values if sense else nonsense(values)
    pair, n = (player, opponent(game)), 500 if seats < 6 else 300
    actual = columns(ScoredGame(pair, game, run.dealer, values, known, 4), 3, 0, n)
    check_unbiased(actual, net_chips(pair, game, run.dealer, 3, 0, n))
    if sense:
        assert actual[:, :, AIVAT].var() < actual[:, :, 0].var() / 2


@pytest.mark.parametrize("seats", [3, 6])
def test_columns__of_copies_around_a_stranger(seats):
    run, game, player, values = table(seats)
    pair, n = (calling(game), player), 200
    over = whole_hands(pair, game, run.dealer, 3, 0, n).end
    scored = ScoredGame(pair, game, run.dealer, values, draws=4)
    actual = columns(scored, 3, 0, n, copies=True, ends=over)
    check_unbiased(actual, net_chips(pair, game, run.dealer, 3, 0, n))
    assert actual[:, :, AIVAT].var() < actual[:, :, 0].var() / 2


@pytest.mark.slow
def test_columns__tables_of_two_bytes_change_nothing():
    run, game, player, values = table(3, 2000)
    pair = (player, uniform(game))
    expected = columns(ScoredGame(pair, game, run.dealer, values), 3, 0, 40)
    actual = columns(ScoredGame(pair, game, widened(run).dealer, values), 3, 0, 40)
    np.testing.assert_array_equal(actual, expected)


def test_columns__any_number_of_threads_and_parts(one_thread):
    run, game, player, values = table(3, 2000)
    scored = ScoredGame((player, uniform(game)), game, run.dealer, values)
    expected = columns(scored, 3, 0, 60)
    jit.set_threads(2)
    parts = [columns(scored, 3, f, 20) for f in (0, 20, 40)]
    np.testing.assert_array_equal(np.concatenate(parts), expected)


def test_play_out__looks_up_no_bucket_that_the_round_has_not(monkeypatch):
    """The first round has more buckets than the last: 36 and 5."""
    run, game, player, values = table(2, 2000)
    head, parent = run.tree.node[:, 0], run.tree.parent
    decides, last = is_decision(head), run.tree.columns.shape[0] - 1
    begins = decides & (round_of(head) == last) & (round_of(head[parent]) != last)
    x, asked = int(np.flatnonzero(begins)[0]), []

    def noted(agent, game, x, bucket, out):
        asked.append(bucket)
        chances(agent, game, x, bucket, out)

    monkeypatch.setattr(playout, "chances", noted)
    most, holes = int(run.layout.buckets.max()), 3
    m = MatchConstants(game, values, player, player, np.ones(2, bool), np.zeros(2))
    s = observer(m, len(head), holes, 0)
    s.other[:], s.rank[:], s.mine[:], s.weight[:] = 0, 1, [0, 1, 2], 1 / 3
    s.own[last] = [0, 2, -1]
    for hero in range(2):
        play_out.py_func(Observed(m, hero, s), x, last, s.every)
    assert set(asked) == {0, 2}  # those that the others hold, and that the hero may
    assert max(run.layout.buckets[last], 3) < most


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
def test_recorded__columns_equal_those_of_the_table(known):
    run, game, player, values = table(3)
    pair, seats = (player, uniform(game)), run.game.seats
    expected = columns(ScoredGame(pair, game, run.dealer, values, known, DRAWS), SEED, 0, DEALS)
    believed = pair if known else (player, player)
    hands = Recorded(run, game, values, believed, DRAWS)
    cards = run.dealer.cards(rng.child(SEED, "deals"), 0, DEALS)[:, : 2 * seats + 5]
    ends = net_and_ends(pair, game, run.dealer, SEED, 0, DEALS)[1]
    for i in range(DEALS):
        for hero in range(seats):
            end = int(ends[i, hero])
            taken = recorded(run, game, pair, cards[i], end, hero, known)
            state = rng.stream(rng.child(SEED, "boards"), np.uint64(i * seats + hero))
            actual = hands.columns(cards[i], hero, taken, np.uint64(state))
            np.testing.assert_allclose(actual, expected[i, hero], rtol=1e-6, atol=1e-4)


def test_recorded__refuses_an_illegal_or_unfinished_hand():
    run, game, player, values = table(3)
    hands = Recorded(run, game, values, (player, player), DRAWS)
    cards = np.arange(11, dtype=np.int8)
    with pytest.raises(errors.UserError, match="raises to 150, wanted"):
        hands.columns(cards, 0, [Taken([0, 150], 150, None)], np.uint64(1))
    with pytest.raises(ValueError, match="where seat 2 is to act"):
        hands.columns(cards, 0, [], np.uint64(1))


def test_recorded__rows_that_depend_on_the_hole_show_it():
    """From a decision on whose rows would be others with another hole, the range is that hole."""
    run, game, player, values = table(3)
    hands = Recorded(run, game, values, (player, player), DRAWS)
    cards = run.dealer.cards(rng.child(SEED, "deals"), 0, 1)[0, :11]
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
