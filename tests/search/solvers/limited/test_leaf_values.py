"""Values of leaves: the same deals rolled out by hand."""

import numpy as np
import pytest

from oracles.cfr import net_chips
from oracles.continuation import biased
from search import holdem
from sixmax.base.jit import set_threads
from sixmax.base.rng import child, stream, unit
from sixmax.betting.leaf_choices import choice_bits, choice_of
from sixmax.betting.tree import is_decision, n_actions, round_of, seat_of
from sixmax.cfr.layout import infoset
from sixmax.continuation.generate import STRATEGIES, Continuation, probabilities
from sixmax.continuation.generate import biased as biased_four
from sixmax.continuation.mixed import mixed_play
from sixmax.ongoing.locate import places
from sixmax.search.solvers.deal import SubgameDealer
from sixmax.search.solvers.limited import leaf_values
from sixmax.search.solvers.limited.hands import edges_of_classes, hands_on, lead
from sixmax.search.subgame import build, depth, leaf_nodes

pytestmark = pytest.mark.usefixtures("one_thread")


@pytest.fixture
def problem():
    """Two players who called to the flop, to the turn alone; seat 1 chooses among four."""
    run, _ = holdem.small_run(2)
    state = holdem.public_state(run.game, holdem.RIVER[:3], [0, 0])
    scope, every = depth(state, [1])._replace(choosers=2), places(run.game, run.tree)
    subgame = build(state, run.game.rounds, every, holdem.RANKS, holdem.BUCKETS, scope)
    return holdem.problem(subgame)


@pytest.fixture
def hands(problem):
    return hands_on(problem.subgame.state.board, problem.cards.buckets, holdem.RANKS)


def by_hand(problem, x, rank, future, seed):
    """Chips of seat 0 in the blueprint's tree from leaf ``x`` on, action by action."""
    run, policy = holdem.small_run(2)
    tree, (at, choices) = run.tree, (int(n) for n in problem.subgame.tree.node[x, 2:])
    while is_decision(tree.node[at, 0]):
        head, first, slot, _ = (int(n) for n in tree.node[at])
        seat, r, n = int(seat_of(head)), int(round_of(head)), int(n_actions(head))
        entry = int(infoset(run.layout, r, seat, future[seat, r], slot))
        kinds = [int(np.sign(tree.action[first + a])) for a in range(n)]
        chosen = STRATEGIES[choice_of(choices, seat, choice_bits(problem.subgame.choices))]
        row = [float(p) for p in biased(policy[entry : entry + n], kinds, chosen, 5)]
        at = first + int(
            np.searchsorted(np.cumsum(row), unit(np.uint64(stream(seed, np.uint64(at)))), "right")
        )
    return net_chips(tree, at, rank)[0]


def dealt(problem, hands, deals):
    """The deals of the search, the classes of both hands, and luck and edge of each."""
    state, cards = problem.subgame.state, problem.cards
    weights = leaf_values._weights(problem.beliefs, hands)
    dealer = SubgameDealer(weights, state.board, 1, cards)
    result = dealer.deal(child(problem.seed, "roll-outs"), 0, deals)
    edges = lead(tuple(int(c) for c in state.board), cards.ranks)
    hand = {int(h): i for i, h in enumerate(hands.hole)}
    held = [[hand[int(h)] for h in row] for row in result.bucket[:, :, 0]]
    edge = [float(edges[a, b]) for a, b in held]
    won = [
        (r[0] > r[1]) - (r[0] < r[1]) - e
        for r, e in zip(result.rank[:, 0].tolist(), edge, strict=True)
    ]
    return result, [[int(hands.of[i]) for i in pair] for pair in held], edge, won


@pytest.mark.parametrize("at_once", [16, leaf_values._AT_ONCE])
def test_sums__are_those_of_the_hands_played_on_by_hand(problem, hands, at_once, monkeypatch):
    monkeypatch.setattr(leaf_values, "_AT_ONCE", at_once)
    deals = 60
    leaves = leaf_nodes(problem.subgame.tree)
    assert len(leaves) == 4 * 3  # after two checks and two bets
    edges = lead(tuple(int(c) for c in problem.subgame.state.board), holdem.RANKS)
    sums = leaf_values._sums(problem, hands, edges, deals)
    result, classes, edge, luck = dealt(problem, hands, deals)
    draws = child(problem.seed, "actions")
    expected, every = np.zeros_like(sums.chips), np.empty((deals, len(leaves)))
    for d, (a, b) in enumerate(classes):
        seed = np.uint64(stream(draws, np.uint64(d)))
        won = [by_hand(problem, x, result.rank[d, 0], result.future[d], seed) for x in leaves]
        expected[:, a, b] += won
        every[d] = won
    np.testing.assert_allclose(sums.chips, expected)
    assert np.ptp(expected[4::4].sum(axis=(1, 2))) > 100, "continuations differ"
    for total, values in ((sums.count, [1] * deals), (sums.edge, edge), (sums.luck, luck)):
        by_pair = np.zeros_like(total)
        for (a, b), value in zip(classes, values, strict=True):
            by_pair[a, b] += value
        np.testing.assert_allclose(total, by_pair, atol=1e-6)
    np.testing.assert_allclose(
        sums.squares, [np.dot(edge, edge), np.dot(luck, luck), np.dot(edge, luck)], rtol=1e-5
    )
    products = [np.array(edge) @ every, np.array(luck) @ every, (every * every).sum(axis=0)]
    np.testing.assert_allclose(sums.products, np.array(products).T, rtol=1e-5)


def sums_of(chips, classes, edge, luck, n):
    """The sums of deals of one leaf, by hand."""
    squares = np.array([np.dot(edge, edge), np.dot(luck, luck), np.dot(edge, luck)])
    out = leaf_values.RollOutSums(
        *np.zeros((3, n, n)), np.zeros((1, n, n)),
        np.array([[np.dot(chips, edge), np.dot(chips, luck), np.dot(chips, chips)]]), squares,
    )  # fmt: skip
    for won, (a, b), e, w in zip(chips, classes, edge, luck, strict=True):
        for total, value in zip(out[:4], (1, e, w, won), strict=True):
            total[..., a, b] += value
    return out


def test_means__of_chips_by_edge_and_luck_are_exact(problem, hands):
    """Chips of 40 a unit of edge and 70 of luck: a pair is worth 40 times its exact mean edge."""
    _, classes, edge, luck = dealt(problem, hands, 200)
    exact = np.random.default_rng(3).uniform(-1, 1, (hands.classes,) * 2)
    won = 40 * np.array(edge) + 70 * np.array(luck)
    luck, edge = np.array(luck), np.array(edge)
    assert abs(np.dot(luck, edge)) > 1
    # Luck is known to be 0 on average, whatever the edge: here it is so in the deals as well.
    again, opposite = np.concatenate([won, 40 * edge - 70 * luck]), np.concatenate([luck, -luck])
    sums = sums_of(again, classes * 2, np.concatenate([edge] * 2), opposite, hands.classes)
    np.testing.assert_allclose(leaf_values._means(sums, exact)[0], 40 * exact, atol=1e-6)


def test_rest__of_edge_and_luck_that_go_together():
    """Sums of the rest are those of the deals, each less its part of luck and of edge."""
    rng = np.random.default_rng(8)
    edge, classes = rng.uniform(-1, 1, 50), rng.integers(0, 3, (50, 2)).tolist()
    luck, won = edge / 2 + rng.normal(0, 1, 50), rng.normal(0, 9, 50) + 30 * edge
    total, by_edge, square = leaf_values._rest(sums_of(won, classes, edge, luck, 3))
    by_luck = np.dot(won, luck) / np.dot(luck, luck)
    (slope,) = np.polyfit(edge, won - by_luck * luck, 1)[:1]
    rest = won - by_luck * luck - slope * edge
    assert by_edge == pytest.approx([slope])
    assert square == pytest.approx([np.dot(rest, rest)])
    assert total.sum() == pytest.approx(rest.sum())


@pytest.mark.parametrize("deals", [1, 2, 5])
def test_roll_outs__of_few_deals_are_numbers_of_chips(problem, hands, deals):
    assert np.abs(leaf_values.roll_outs(problem, hands, deals)).max() <= 2000


def test_roll_outs__end_with_the_time(problem, hands):
    first = leaf_values.roll_outs(problem, hands, leaf_values._AT_ONCE)
    late = leaf_values.roll_outs(problem, hands, 10 * leaf_values._AT_ONCE, until=0.0)
    np.testing.assert_array_equal(late, first)


def test_roll_outs__want_as_many_continuations_as_a_leaf_has(problem, hands):
    run, policy = holdem.small_run(2)
    three = problem.leaf_values._replace(mixed=mixed_play(run, biased_four(policy, 5.0)[:3]))
    for leaves in (three, three._replace(mixed=None)):
        with pytest.raises(ValueError, match="wanted 4"):
            leaf_values.roll_outs(problem._replace(leaf_values=leaves), hands, 10)


def test_roll_outs__of_policies_apart_are_those_of_one(problem, hands):
    """Each continuation with a policy of its own, in exact probabilities: the same draws."""
    run, policy = holdem.small_run(2)
    exact = probabilities(run.tree, run.layout, biased_four(policy, 5.0))
    own = [Continuation(str(i), row) for i, row in enumerate(exact)]
    leaves = problem.leaf_values._replace(mixed=mixed_play(run, own))
    actual = leaf_values.roll_outs(problem._replace(leaf_values=leaves), hands, 300)
    np.testing.assert_allclose(actual, leaf_values.roll_outs(problem, hands, 300), atol=1e-6)


def means(table, noise, deals, seed=4):
    """The means of ``deals`` of pairs worth ``table``, and ``noise``; and those of pairs alone."""
    rng, n = np.random.default_rng(seed), len(table)
    classes, nothing = rng.integers(0, n, (deals, 2)), np.zeros(deals)
    won = table[classes[:, 0], classes[:, 1]] + rng.normal(0, noise, deals)
    sums = sums_of(won, classes.tolist(), nothing, nothing, n)
    plain = sums.chips[0] / np.maximum(sums.count, 1)
    return leaf_values._means(sums, np.zeros((n, n)))[0], plain


def test_means__without_noise_are_those_of_pairs():
    table = np.random.default_rng(5).normal(0, 100, (4, 4))
    actual, plain = means(table, 0.0, 400)
    np.testing.assert_allclose(plain, table)
    np.testing.assert_allclose(actual, table, atol=1e-6)


def test_means__of_noise_alone_are_one_mean():
    actual, plain = means(np.full((20, 20), 30.0), 100.0, 4000)
    assert np.abs(plain - 30).mean() > 20
    assert np.abs(actual - 30).mean() < 5


def test_means__of_classes_apart_shrink_the_noise_of_pairs():
    rng = np.random.default_rng(6)
    own, other = rng.normal(0, 50, (20, 1)), rng.normal(0, 50, 20)
    table = own + other + rng.normal(0, 5, (20, 20))
    actual, plain = means(table, 100.0, 4000)
    assert np.abs(actual - table).mean() < np.abs(plain - table).mean() / 2
    assert np.corrcoef(actual.ravel(), table.ravel())[0, 1] > 0.98


def test_roll_outs__are_the_chips_of_the_real_pot_and_of_both(problem, hands):
    tree, start = problem.subgame.tree, problem.subgame.leaves
    actual = leaf_values.roll_outs(problem, hands, 4000)
    node = tree.node[leaf_nodes(tree)].astype(np.int64)
    edges = lead(tuple(int(c) for c in problem.subgame.state.board), holdem.RANKS)
    sums = leaf_values._sums(problem, hands, edges, 4000)
    won = leaf_values._means(sums, edges_of_classes(hands, edges))
    for k, (_, row, _, _) in enumerate(node):
        real = (won[k] + start.chips[row, 0]) * start.ratio[row] - tree.contributed[row, 0]
        np.testing.assert_allclose(actual[0, k], real.T)
        np.testing.assert_allclose(actual[1, k], -real)
    assert np.ptp(actual) > 100


def test_roll_outs__are_the_same_on_two_threads(problem, hands):
    one = leaf_values.roll_outs(problem, hands, 200)
    set_threads(2)
    np.testing.assert_array_equal(leaf_values.roll_outs(problem, hands, 200), one)


def test_weights__are_half_beliefs_and_half_all_hands(problem, hands):
    beliefs = np.zeros((2, holdem.HOLES))
    beliefs[0, hands.hole[4]] = 3
    weights = leaf_values._weights(beliefs, hands)
    n = len(hands.hole)
    assert weights[0, hands.hole[4]] == pytest.approx(1 + 1 / n)
    assert weights[0].sum() == pytest.approx(2)
    np.testing.assert_allclose(weights[1, hands.hole], 1 / n)
