"""Values of leaves: the same deals rolled out by hand."""

import numpy as np
import pytest

from oracles.cfr import net_chips
from search import holdem
from search.holdem import public_state
from sixmax.cfr.packed_actions import read_action
from sixmax.game.leaf_choices import choice_bits, choice_of
from sixmax.game.tree import DECISION, kind_of, n_actions, round_of, seat_of
from sixmax.jit import set_threads
from sixmax.play.locate import places
from sixmax.rng import child
from sixmax.search.solvers.deal import SubgameDealer
from sixmax.search.solvers.limited import leaf_values
from sixmax.search.solvers.limited.game import hands_on, leaf_nodes
from sixmax.search.subgame import build, depth

pytestmark = pytest.mark.usefixtures("one_thread")


def flop(choosers=2):
    """Two players who called to the flop, to the turn alone; seat 1 chooses among four."""
    run, _ = holdem.small_run(2)
    state = public_state(run.game, holdem.RIVER[:3], [0, 0])
    subgame = build(
        state, run.game.rounds, places(run.game, run.tree), holdem.RANKS, holdem.BUCKETS,
        depth(state, [1]), choosers=choosers,
    )  # fmt: skip
    return holdem.problem(subgame)


def by_hand(problem, x, rank, future):
    """Chips of seat 0 at the leaf ``x``: the continuations followed node by node."""
    subgame, after = problem.subgame, problem.leaf_values
    row, at, choices = (int(n) for n in subgame.tree.node[x, 1:])
    tree, bits = after.tree, after.bits
    while kind_of(tree.node[at, 0]) == DECISION:
        head, below = int(tree.node[at, 0]), int(tree.node[at, 1])
        seat, r = int(seat_of(head)), int(round_of(head))
        bit = bits.base[r, seat] + future[seat, r] * bits.slab[r, seat] + bits.slot[at]
        chosen = after.packed[choice_of(choices, seat, choice_bits(subgame.choices))]
        at = below + int(read_action(chosen, bit, n_actions(head)))
    leaves = subgame.leaves
    net = net_chips(tree, at, rank)[0]
    put = subgame.tree.contributed[row, 0]
    return (net + leaves.chips[row, 0]) * leaves.ratio[row] - put


def test_roll_outs__are_means_of_the_hands_played_on_by_hand():
    problem, deals = flop(), 60
    state, cards = problem.subgame.state, problem.cards
    hands = hands_on(state.board, cards.buckets, cards.ranks)
    actual = leaf_values.roll_outs(problem, hands, deals)
    weights = leaf_values._weights(problem.beliefs, hands)
    dealer = SubgameDealer(weights, state.board, 1, cards.buckets, cards.ranks)
    dealt = dealer.deal(child(problem.seed, "roll-outs"), 0, deals)
    of = dict(zip(hands.hole.tolist(), hands.of.tolist(), strict=True))
    pair = [[of[int(h)] for h in row] for row in dealt.bucket[:, :, 0]]
    leaves = leaf_nodes(problem.subgame.tree)
    assert len(leaves) == actual.shape[1] == 4 * 3  # after two checks and two bets
    for k, x in list(enumerate(leaves))[1::4]:
        won = [by_hand(problem, x, dealt.rank[d, 0], dealt.future[d]) for d in range(deals)]
        for a in range(hands.classes):
            for b in range(hands.classes):
                same = [w for w, p in zip(won, pair, strict=True) if p == [a, b]]
                row = [w for w, p in zip(won, pair, strict=True) if p[0] == a]
                column = [w for w, p in zip(won, pair, strict=True) if p[1] == b]
                every = np.mean(won)
                apart = sum((sum(s) + every) / (len(s) + 1) for s in (row, column)) - every
                expected = (sum(same) + apart) / (len(same) + 1)
                assert actual[0, k, b, a] == pytest.approx(expected)
                assert actual[1, k, a, b] == -actual[0, k, b, a]
    assert np.ptp(actual) > 100


def test_roll_outs__are_the_same_on_two_threads():
    problem = flop()
    hands = hands_on(problem.subgame.state.board, problem.cards.buckets, holdem.RANKS)
    one = leaf_values.roll_outs(problem, hands, 200)
    set_threads(2)
    np.testing.assert_array_equal(leaf_values.roll_outs(problem, hands, 200), one)


def test_weights__are_half_beliefs_and_half_all_hands():
    problem = flop()
    hands = hands_on(problem.subgame.state.board, problem.cards.buckets, holdem.RANKS)
    beliefs = np.zeros((2, holdem.HOLES))
    beliefs[0, hands.hole[4]] = 3
    weights = leaf_values._weights(beliefs, hands)
    n = len(hands.hole)
    assert weights[0, hands.hole[4]] == pytest.approx(1 + 1 / n)
    assert weights[0].sum() == pytest.approx(2)
    np.testing.assert_allclose(weights[1, hands.hole], 1 / n)
