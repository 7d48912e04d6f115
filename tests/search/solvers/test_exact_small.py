"""Search in Leduc poker, exactly."""

import numpy as np
import pytest

from cfr.games import random_strategy
from oracles.exact.early_loss import early_loss
from search.solvers.small_games import coarse, coarse_reduced, leduc, reduced
from sixmax.betting.tree import LEAF, is_decision, kind_of, n_actions, seat_of
from sixmax.cfr.full.solve import solve
from sixmax.cfr.full.sweep import nash_conv
from sixmax.cfr.layout import infoset
from sixmax.cfr.methods import CFR_PLUS
from sixmax.cfr.policy import uniform
from sixmax.continuation.generate import biased, probabilities
from sixmax.search.solvers.exact_small import Plan, Search, expected


def search(small, blueprint, **plan):
    return Search(small.tree, small.layout, small.game, blueprint, Plan(**plan))


def gain(before, after):
    return (before - after) / before


def test_expected__at_the_root_is_the_value_of_the_game():
    small = leduc(3)
    strategy = random_strategy(small.tree, small.layout)
    actual = expected(small.game, strategy)[:, 0] @ small.game.chance
    assert actual == pytest.approx(
        nash_conv(small.tree, small.layout, small.deals, strategy).values
    )


@pytest.mark.parametrize("chosen", [(0, 0), (0, 1), (2, 3)])
def test_search__leaf_values_are_those_of_the_continuations_chosen(chosen):
    """Any play of the subgame, then these choices: worth what play and continuation are worth."""
    small = leduc()
    tree, layout = small.tree, small.layout
    blueprint = random_strategy(tree, layout)
    result = search(small, blueprint, iterations=1).search(0, small.game.chance)
    part = result.cut.tree
    inside = random_strategy(part, result.layout, 5)
    whole = np.empty(layout.size)
    plans = probabilities(tree, layout, biased(blueprint, 5.0))
    for seat, choice in enumerate(chosen):
        for r in range(2):
            end = layout.base[r, seat] + layout.columns[r, seat] * layout.buckets[r]
            whole[layout.base[r, seat] : end] = plans[choice, layout.base[r, seat] : end]
    at_leaf = np.isin(result.cut.origin, result.cut.leaves)
    for x in np.flatnonzero(is_decision(part.node[:, 0])):
        head, _, slot, _ = part.node[x].tolist()
        seat, n = seat_of(head), n_actions(head)
        for b in range(3):
            at = infoset(result.layout, 0, seat, b, slot)
            if at_leaf[x]:
                inside[at : at + n] = np.arange(4) == chosen[seat]
            else:
                old = tree.node[result.cut.origin[x], 2]
                to = infoset(layout, 0, seat, b, old)
                whole[to : to + n] = inside[at : at + n]
    actual = expected(result.game, inside)[:, 0] @ result.game.chance
    assert actual == pytest.approx(nash_conv(tree, layout, small.deals, whole).values)


def test_search__to_the_end_from_the_start_is_solving_the_game():
    small = leduc()
    plan = {"iterations": 50, "rounds": 2, "method": CFR_PLUS}
    result = search(small, uniform(small.tree, small.layout), **plan).search(0, small.game.chance)
    expected_ = solve(small.tree, small.layout, small.deals, 50, CFR_PLUS)[50]
    assert not (kind_of(result.cut.tree.node[:, 0]) == LEAF).any()
    order = np.argsort(result.cut.origin)
    assert result.strategies.average.sum() == pytest.approx(expected_.sum())
    assert result.cut.tree.node[order, 0].tolist() == small.tree.node[:, 0].tolist()


def test_reach__is_bayes_by_hand():
    """Uniform but for a king, which always bets first: after a bet the king is half as likely
    again as it was (1 for each 1/2), after a check it is out of the question."""
    small = leduc()
    strategy = uniform(small.tree, small.layout)
    at = infoset(small.layout, 0, 0, 2, 0)
    strategy[at : at + 2] = 0, 1
    searched = search(small, strategy, iterations=1)
    king = searched.bucket[0, 0] == 2
    check, bet = small.tree.node[0, 1], small.tree.node[0, 1] + 1
    for node, expected_ in ((check, 0), (bet, (1 / 3) / (1 / 3 + 2 / 3 / 2))):
        reach = searched.reach(strategy, node)
        assert reach[king].sum() / reach.sum() == pytest.approx(expected_)


def test_nested__beats_a_blueprint_that_is_coarse():
    """Exploitability; uniform 2.374."""
    small, blueprint = leduc(), coarse()
    before = small.exploitability(blueprint)
    whole = search(small, blueprint, iterations=300).nested()
    later = search(small, blueprint, iterations=300, first=1).nested()
    assert 0.6 < before < 2.37
    assert gain(before, small.exploitability(later.average)) > 0.5
    assert gain(before, small.exploitability(whole.average)) > 0.1


def test_nested__begins_where_it_is_told():
    small, blueprint = leduc(), coarse()
    result = search(small, blueprint, iterations=20, first=1).nested()
    end = small.layout.start[1]
    for strategy in result:
        assert np.array_equal(strategy[:end], blueprint[:end])
        assert not np.array_equal(strategy[end:], blueprint[end:])


def test_search__four_values_at_the_leaves_beat_one():
    """The first round alone, before a blueprint near its equilibrium: its loss, when
    the rest is played perfectly. Uniform first round: 0.96."""
    small = leduc()
    blueprint = solve(small.tree, small.layout, small.deals, 300, CFR_PLUS)[300]

    def loss(strategy):
        return early_loss(small.tree, small.layout, small.game, strategy, 1, 200)

    plan = {"iterations": 200, "method": CFR_PLUS}
    single, four = (
        loss(search(small, blueprint, choices=k, **plan).nested().average) for k in (1, 4)
    )
    assert loss(uniform(small.tree, small.layout)) > 0.4
    assert four < single / 3
    assert four < 0.05


def test_search__leaves_belong_where_cards_are_dealt():
    """Exploitability by depth: after an action, after two, at the next round, at the end."""
    small, blueprint = leduc(), coarse()
    depths = [{"actions": 1}, {"actions": 2}, {"rounds": 1}, {"rounds": 2}]
    losses = [
        small.exploitability(search(small, blueprint, iterations=300, **d).nested().average)
        for d in depths
    ]
    before = small.exploitability(blueprint)
    assert losses[0] > before  # search makes play worse
    assert losses[3] < losses[2] < before < losses[1] < losses[0]


def test_search__coarse_buckets_cost():
    """Subgames to the end whose second round has one bucket, the blueprint's three, or all."""
    small, blueprint = leduc(), coarse()
    own, board = np.divmod(np.arange(9), 3)
    second = [np.zeros(9, int), np.where(own == board, 2, own > board), np.arange(9)]
    losses = [
        small.exploitability(
            search(small, blueprint, iterations=300, rounds=2, buckets=(np.arange(3), later))
            .nested()
            .average
        )
        for later in second
    ]
    assert losses[2] < losses[1] < losses[0]
    assert losses[2] < 0.5 * small.exploitability(blueprint)


@pytest.mark.slow
def test_nested__reduced_holdem_beats_its_blueprint_and_four_values_beat_one():
    """Exploitability, searched from the second of three rounds; uniform above 4."""
    small, blueprint = reduced(), coarse_reduced()
    before = small.exploitability(blueprint)
    single, four = (
        small.exploitability(
            search(small, blueprint, iterations=300, first=1, choices=k).nested().average
        )
        for k in (1, 4)
    )
    assert small.exploitability(uniform(small.tree, small.layout)) > 4
    assert four < single < before
    assert four < 0.8 * before
