"""Games from before the flop, where chance deals one of some flops."""

import math

import numpy as np
import pytest

from oracles.exact import flop_learner, pushfold
from oracles.exact.holdem import signs
from sixmax.base.errors import UserError
from sixmax.betting.config import GameConfig, RoundSizes
from sixmax.betting.tree_build import build
from sixmax.cards.deck import hole_cards, n_holes
from sixmax.cards.isomorphism import boards
from sixmax.cfr.layout import entries
from sixmax.cfr.methods import CFR_PLUS, DCFR
from sixmax.search.constraints import Alternative
from sixmax.search.solvers.ranges.boards import Flops
from sixmax.search.solvers.ranges.game import endgame
from sixmax.search.solvers.ranges.solver import RangeSolver
from sixmax.studies.flop_games.game import open_game
from sixmax.studies.flop_games.learn import learner
from sixmax.studies.libratus import blueprint
from studies.flop_games.small import RANKS, SETTINGS, game, three
from threads import same_on_two_threads

pytestmark = pytest.mark.usefixtures("one_thread")


def free(of, x):
    """The buckets at a decision that are no blocked hands."""
    r = of.tree.round(x)
    if r == 0:
        return np.ones(len(of.cards.share), bool)
    cards = of.cards.boards[r - 1]
    left = np.zeros(cards.bucket.shape, bool)
    np.put_along_axis(left, cards.free.astype(np.int64), True, 1)
    return left.ravel()


def check(of, actual, expected):
    """Strategies, where hands hardly come but for rounding, and all means."""
    tree = of.tree
    for x in tree.decision_nodes():
        at = entries(tree, of.layout, int(x))[free(of, int(x))]
        np.testing.assert_allclose(actual.strategy[at], expected.strategy[at], atol=2e-3)
    for x in tree.decision_nodes():
        if tree.round(x) < of.last:
            for name in ("by_class", "by_flop")[: of.last]:
                pair = (getattr(result, name)[:, x] for result in (actual, expected))
                np.testing.assert_allclose(*pair, atol=0.1, err_msg=name)
    np.testing.assert_allclose(actual.by_hole, expected.by_hole, atol=0.1)
    assert np.abs(expected.by_hole).max() > 500  # chips


@pytest.mark.parametrize("method", [CFR_PLUS, DCFR])
@pytest.mark.parametrize("buckets", [0, 5, 20])
def test_run__is_that_of_whole_arrays(method, buckets):
    bucket = blueprint.buckets_of(game(), buckets) if buckets else None
    expected = flop_learner.solve(game(), bucket, 8, method)
    check(game(), blueprint.solve(game(), buckets, 8, method), expected)


@pytest.mark.parametrize("buckets", [0, 5])
def test_run__of_three_rounds_is_that_of_whole_arrays(buckets):
    bucket = blueprint.buckets_of(three(), buckets) if buckets else None
    expected = flop_learner.solve(three(), bucket, 4)
    check(three(), blueprint.solve(three(), buckets, 4), expected)


@pytest.mark.parametrize("buckets", [0, 5])
def test_run__is_the_same_on_two_threads(buckets):
    """A game with several parts after the first, on boards enough that threads take them."""
    sizes = {"flop": [[0.5, 1, "A"], [0.5, 1, "A"]], "max_raises": 4, "stack": 4000, "flops": 8}
    of = open_game(SETTINGS.model_copy(update=sizes), 1, ranks=RANKS)
    public = learner(of).solver.game.public
    assert len(public.round) > 3
    assert len(public.decisions) * len(of.flops) > 200
    same_on_two_threads(lambda _: blueprint.solve(of, buckets, 3).strategy)


def test_run__safe_solving_by_class_is_that_of_hands_with_rows_of_their_own():
    """Also for classes that stay out for a while: their regrets inside go on."""
    of, random = game(), np.random.default_rng(4)
    outside = random.normal(0, 60, len(of.cards.share))[of.cards.of_hole]  # chips
    root = next(x for x in of.tree.children(0) if of.tree.is_decision(x))
    alternative = Alternative(0, outside)
    by_class = learner(of, DCFR, root, alternative=alternative)
    flops = Flops(boards(RANKS, 3).cards[of.flops], of.chance)
    ranges = np.ones((2, len(outside)))
    alone = endgame(by_class.part.tree, [], ranges, (), RANKS, every=True, final=3, flops=flops)
    by_hand = RangeSolver(alone, DCFR, alternative=alternative).run(30)
    actual, expected = (each.strategy() for each in (by_class.solver.run(30), by_hand))
    np.testing.assert_allclose(actual, expected, atol=2e-3)


def test_endgame__hands_that_go_together_are_those_on_the_flops():
    """Ranges that the flops block unevenly, one of them wholly by one flop."""
    random, dealt = np.random.default_rng(8), boards(RANKS, 3).cards[[0, 7, 19]]
    hole, ranges = hole_cards(RANKS), random.random((2, n_holes(RANKS)))
    ranges[0, [not set(cards) & set(dealt[0].tolist()) for cards in hole.tolist()]] = 0
    flops, tree = Flops(dealt, np.array([0.5, 0.3, 0.2])), game().tree
    actual = endgame(tree, [], ranges, (), RANKS, final=3, flops=flops).deals
    expected, first, second = 0.0, *(row / row.sum() for row in ranges)
    for cards, chance in zip(dealt.tolist(), flops.chance, strict=True):
        for a, mine in enumerate(hole.tolist()):
            for b, theirs in enumerate(hole.tolist()):
                if len({*mine, *theirs, *cards}) == 7:
                    expected += chance * first[a] * second[b]
    deck = 4 * RANKS
    whole = math.comb(deck, 2) * math.comb(deck - 2, 2)
    expected *= whole / (math.comb(deck - 3, 2) * math.comb(deck - 5, 2))
    assert actual == pytest.approx(expected, rel=1e-12)
    none = Flops(dealt[:1], np.ones(1))
    with pytest.raises(UserError, match="no two hands that go together"):
        endgame(tree, [], ranges, (), RANKS, final=3, flops=none)


def test_run__push_or_fold_is_that_of_the_matrix_game():
    """Twelve cards, showdown on the flop. Untrained: 4.7 chips."""
    jam = RoundSizes(sizes=[["A"]], max_raises=1, max_players=2, limps=False)
    config = {"stacks": [100, 100], "blinds": [5, 10], "antes": [0, 0], "first": [0, 1]}
    tree = build(GameConfig(**config, rounds=[jam, jam], board_cards=3))
    dealt = boards(3, 3)
    flops = Flops(dealt.cards, dealt.count / dealt.count.sum())
    solver = RangeSolver(endgame(tree, [], np.ones((2, 66)), (), 3, final=3, flops=flops), CFR_PLUS)
    lead, share = np.sum(list(signs(3, 3).values()), axis=0)
    lead, share = lead / share.sum(), share / share.sum()
    untrained = 10 * pushfold.exploitability(share, lead, 10.0, *np.full((2, 66), 0.5))
    assert solver.nash_conv().total / 2 == pytest.approx(untrained, abs=1e-3)
    actual = solver.run(1000).nash_conv()
    jams, call = pushfold.solve(share, lead, 10.0)
    yes, no = pushfold.small_blind(share, lead, 10.0, call)
    assert actual.values[0] == pytest.approx(10 * (jams @ yes + (1 - jams) @ no), abs=1e-3)
    ours = solver.strategy().reshape(2, -1, 2)[:, :, 1]
    assert 0 <= 10 * pushfold.exploitability(share, lead, 10.0, *ours) < 1e-3 < untrained
    assert actual.total / 2 < 1e-3
