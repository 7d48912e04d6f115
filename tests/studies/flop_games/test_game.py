"""Flop games: all flops are flop hold'em; exact values and CFR are those of listed deals."""

import numpy as np
import pytest

from oracles.exact import flop_learner
from sixmax.abstraction.lossless import lossless
from sixmax.cfr import layout, methods, policy, regret
from sixmax.cfr.full import solve, sweep
from sixmax.evaluation.exploitability.boards import summed
from sixmax.evaluation.exploitability.exact_holdem import cards
from sixmax.studies.flop_games.game import open_game
from sixmax.studies.flop_games.subgames import reach_to
from sixmax.studies.libratus import blueprint
from studies.flop_games.small import FEW, RANKS, SETTINGS, THREE, game, listed, loses


@pytest.fixture(params=[SETTINGS, THREE], ids=["two rounds", "three rounds"])
def few(request):
    return open_game(request.param.model_copy(update={"flops": 2}), 1, ranks=FEW)


def test_cards__of_all_flops_are_those_of_flop_holdem():
    whole = open_game(SETTINGS.model_copy(update={"flops": 10**6}), 1, ranks=RANKS)
    expected = cards(whole.config, lossless(RANKS, 2), RANKS)
    np.testing.assert_allclose(whole.cards.share, expected.share, atol=1e-15)
    np.testing.assert_allclose(whole.cards.lead, expected.lead, atol=1e-15)
    np.testing.assert_allclose(whole.cards.boards[0].weight, expected.boards[0].weight)
    assert len(whole.flops) > 50
    assert whole.chance.sum() == pytest.approx(1)


def test_nash_conv__of_some_flops_is_that_of_listed_deals(few):
    deals = listed(few)
    weight = np.random.default_rng(2).random(few.layout.size) ** 3
    strategy = policy.shares(few.tree, few.layout, weight)
    expected = sweep.nash_conv(few.tree, few.layout, deals, strategy)
    actual = few.nash_conv(strategy)
    np.testing.assert_allclose(actual.gains, expected.gains, rtol=1e-9)
    np.testing.assert_allclose(actual.values, expected.values, atol=1e-9)
    assert expected.total > 100


@pytest.mark.parametrize(("iterations", "least"), [(2, 0.99), (3, 0.9)])
def test_solve__is_full_width_cfr_on_listed_deals(few, iterations, least):
    deals = listed(few)
    actual = blueprint.solve(few, 0, iterations, methods.DCFR).strategy
    expected = solve.solve(few.tree, few.layout, deals, iterations, methods.DCFR)[iterations]
    for in_round in range(few.last + 1):
        dealt = np.unique(deals.bucket[:, 0, in_round])  # others are in no deal
        alike = []
        for x in few.tree.decision_nodes():
            if few.tree.round(x) == in_round:
                at = layout.entries(few.tree, few.layout, int(x), dealt)
                alike.append((np.abs(actual[at] - expected[at]) < 1e-4).all(axis=1))
        # Where actions tie, the rounding of zero decides, and the play after it differs.
        assert np.mean(alike) > least


def test_solve__more_buckets_and_iterations_lose_less():
    scores = {}
    for buckets, iterations in ((3, 60), (30, 60), (0, 60), (0, 5)):
        strategy = blueprint.solve(game(), buckets, iterations, methods.DCFR).strategy
        scores[buckets, iterations] = loses(game(), strategy)
    assert scores[3, 60] > 1.3 * scores[30, 60] > 1.3 * scores[0, 60]
    assert scores[0, 5] > 5 * scores[0, 60]


def test_solve__as_many_buckets_as_hands_are_not_each_hands_own():
    scores = []
    for buckets in (569, 570):  # of 3 flops and 190 holes
        strategy = blueprint.solve(game(), buckets, 30).strategy
        scores.append(loses(game(), strategy))
    assert scores[1] == pytest.approx(scores[0], rel=0.5)


def test_buckets_of__are_equal_parts_by_strength():
    bucket = blueprint.buckets_of(game(), 10)
    free = game().cards.boards[0].free.astype(np.int64)
    own = np.take_along_axis(bucket, free, axis=1)
    weight = np.repeat(game().chance[:, None], own.shape[1], axis=1)
    share = np.bincount(own.ravel(), weight.ravel()) / weight.sum()
    assert len(share) == 10
    assert np.allclose(share, 0.1, atol=0.01)
    # On each flop a better hand is in no lower bucket, but for those of one strength at a limit.
    order = game().cards.boards[0].order.astype(np.int64)
    assert (np.diff(np.take_along_axis(bucket, order, axis=1)) >= -1).all()


def test_buckets_of__three_times_as_many_as_hands_tell_nearly_all_apart():
    free = game().cards.boards[0].free.astype(np.int64)
    bucket = blueprint.buckets_of(game(), 3 * free.size)
    own = np.take_along_axis(bucket, free, axis=1)
    assert len(np.unique(own)) > 0.95 * free.size


def test_flop_learner__mean_values_are_those_of_each_iteration():
    """By the weights of the average, against the other's strategy of the time, by hand."""
    learner = flop_learner.Learner(game(), blueprint.buckets_of(game(), 5), methods.DCFR)
    cards = game().cards
    total, left = np.zeros((2, len(cards.share)))
    for t in range(1, 4):
        current = current_strategy(learner)
        learner.run(t)
        # The first seat learns first, against the second as it was.
        ones = np.ones(len(cards.share))
        total += methods.DCFR.weight(t) * game().walk(current, 0).preflop(0, ones)[0]
        left += methods.DCFR.weight(t) * (cards.share @ ones)
    actual = learner.blueprint().by_class[0, 0]
    np.testing.assert_allclose(actual, total / left, atol=1e-9)
    assert np.abs(actual).max() > 1


def current_strategy(learner):
    """The strategies of regret matching now, in the whole game."""
    whole = np.empty(game().layout.size)
    for x, node in learner.nodes.items():
        rows = regret.matched(node.regret)
        rows = rows[learner.bucket[0].ravel()] if game().tree.round(x) else rows
        whole[layout.entries(game().tree, game().layout, x)] = rows
    return whole


def test_solve__mean_values_on_the_flop_approach_the_value_of_an_equilibrium():
    result = blueprint.solve(game(), 0, 120, methods.DCFR)
    for i, root in enumerate(game().roots):
        reach = reach_to(game(), result.strategy, root)
        for seat in (0, 1):
            boards = game().cards.boards
            value = game().walk(result.strategy, seat).board(root, reach[1 - seat], boards)[1]
            left = summed(reach[1 - seat], boards[0], False)
            met = left > 1
            bound = value[met] / left[met]
            assert (result.by_hole[seat, i][met] < bound + 10).all()  # of 1,000 chips: 7.0
            # Hands that come are worth their best response; others may be worth less.
            comes = reach[seat][met] > 0.5
            assert np.abs(result.by_hole[seat, i][met] - bound)[comes].max(initial=0) < 25
