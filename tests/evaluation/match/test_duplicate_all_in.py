"""Matches in kernels whose all-in pots are averaged over the boards that could have come."""

from itertools import combinations

import numpy as np
import pytest

from search.holdem import RANKS, small_run
from sixmax.agents.registry import uniform
from sixmax.base.errors import UserError
from sixmax.betting.config import SEEN, GameConfig, RoundSizes
from sixmax.betting.tree import SHOWDOWN, SIDEPOTS, kind_of, round_of
from sixmax.betting.tree_build import build
from sixmax.cards.deck import hole_id, n_holes
from sixmax.cards.evaluate import rank_holes
from sixmax.cfr.advance import terminal_value
from sixmax.evaluation.match.duplicate import hands, net_chips, play, protocol
from sixmax.hands import all_in
from sixmax.ongoing import policies
from sixmax.scores.statistics import same_protocol

DECK = 4 * RANKS


def seated(seats):
    run, policy = small_run(seats)
    game = policies.match_game(run.tree, run.layout)
    return run, game, (policies.mixed(game, policy), uniform(game))


@pytest.mark.parametrize("seats", [2, 3])
def test_net_chips__every_hand_as_its_record_averaged_one_by_one(one_thread, seats):
    run, ground, pair = seated(seats)
    actual = net_chips(pair, ground, run.dealer, 7, 0, 60, boards=0).ravel()
    plain = net_chips(pair, ground, run.dealer, 7, 0, 60).ravel()
    result = list(hands(("a", "b"), pair, ground, run, 60, 7))
    expected = [all_in.expected(r)[r.names.index("a")] for r in result]
    np.testing.assert_allclose(actual, expected, atol=1e-6)
    assert (actual != plain).sum() > 5
    assert (actual == plain).sum() > 5


@pytest.mark.parametrize("in_round", [0, 1, 2])
def test_settle_early__is_the_mean_of_what_every_board_pays(one_thread, in_round):
    """By enumeration: all 15,504 boards before the flop, 136 after it, 16 after the turn."""
    jam = RoundSizes(sizes=[["A"]], max_raises=1, max_players=2)
    tree = build(
        GameConfig(stacks=[900, 700], blinds=[50, 100], antes=[0, 0], first=[0, 1, 1, 1],
                   rounds=[jam] * 4)
    )  # fmt: skip
    head = tree.node[:, 0]
    over = (kind_of(head) == SHOWDOWN) | (kind_of(head) == SIDEPOTS)
    x = int(np.flatnonzero(over & (round_of(head) == in_round))[-1])
    dealt = np.random.default_rng(3).permutation(DECK)[: 4 + SEEN[in_round]]
    holes, seen = dealt[:4].reshape(2, 2), dealt[4:]
    rest = [c for c in range(DECK) if c not in dealt]
    net, paid, ranks = np.empty(2), [], np.empty(n_holes(RANKS), np.int32)
    for more in combinations(rest, 5 - seen.size):
        rank_holes(np.array([*seen, *more], np.int8), RANKS, ranks)
        rank = ranks[[hole_id(*h) for h in holes]][None]
        row = [terminal_value(tree.node, tree.contributed, rank, head[x], x, p, net)
               for p in range(2)]  # fmt: skip
        paid.append(row)
    cards = np.array([[*dealt, *rest[: 5 - seen.size]]], np.int8)
    actual = np.zeros((1, 2))
    end = np.full((1, 2), x)
    all_in.settle_early(tree, cards, RANKS, end, 0, np.uint64(1), 0, actual)
    np.testing.assert_allclose(actual[0], np.mean(paid, axis=0), atol=1e-9)
    assert np.std(paid) > 100


def test_play__same_mean_less_noise_and_copies_break_even(one_thread):
    run, ground, pair = seated(3)
    plain, drawn = (net_chips(pair, ground, run.dealer, 7, 0, 4000, b) for b in (None, 20))
    difference = (plain - drawn).mean(axis=1)
    assert abs(difference.mean()) < 4 * difference.std() / np.sqrt(difference.size)
    assert drawn.mean(axis=1).var() < 0.9 * plain.mean(axis=1).var()
    copies = net_chips((pair[0], pair[0]), ground, run.dealer, 7, 0, 200, 20)
    np.testing.assert_allclose(copies.sum(axis=1), 0, atol=1e-6)


@pytest.mark.parametrize(
    ("cards", "k", "boards", "expected"),
    [(20, 5, 0, False), (20, 5, 50, True), (17, 2, 136, False), (17, 2, 135, True),
     (46, 1, 5, False)],
)  # fmt: skip
def test_draws__never_more_than_there_are(cards, k, boards, expected):
    assert all_in.draws(cards, k, boards) == expected


def test_play__other_payoffs_are_another_protocol(one_thread):
    run, ground, pair = seated(2)
    results = [
        play(("a", "b"), pair, ground, run.dealer, protocol(2, 100, "x", b), 20, 1, boards=b)
        for b in (None, 0, 20)
    ]
    assert len({r.protocol.payoff for r in results}) == 3
    assert "all boards" in results[1].protocol.payoff
    assert "20 boards" in results[2].protocol.payoff
    for other in results[1:]:
        with pytest.raises(UserError, match="different protocols cannot be put together: payoff"):
            same_protocol([results[0], other])
