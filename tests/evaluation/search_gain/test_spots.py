"""Hands of blueprint play that reach a round: the same for a seed, on any flops or some."""

import itertools

import numpy as np

from search.holdem import small_run
from sixmax.betting.tree import round_of
from sixmax.cards.isomorphism import boards, canonical_board
from sixmax.evaluation.search_gain.spots import spots


def test_spots__are_the_same_for_a_seed_and_lie_at_the_start_of_the_round():
    run, policy = small_run()
    one, two = (
        [s for (_, s), _ in zip(spots(run, policy, 2, 9), range(30), strict=False)]
        for _ in range(2)
    )
    assert [s and s.node for s in one] == [s and s.node for s in two]
    result = [s for s in one if s]
    assert result
    assert len(result) < len(one)
    for spot in result:
        assert round_of(run.tree.node[spot.node, 0]) == 2
        assert round_of(run.tree.node[run.tree.parent[spot.node], 0]) == 1
        assert len(spot.board) == 4


def test_spots__of_given_flops_are_theirs_as_often_as_they_come():
    """And the flops of all are those of a plain deal, with any seats in the round."""
    run, policy = small_run()
    every, flops = boards(run.ranks, 3), [3, 8, 11, 20]
    share = every.count[flops] / every.count[flops].sum()
    assert share.max() > 1.5 * share.min(), "all alike: nothing to see"
    of = [flop for flop, _ in itertools.islice(spots(run, policy, 1, 4, flops), 3000)]
    hit = np.bincount(of, minlength=len(every.count))[flops]
    assert hit.sum() == 3000
    assert (((hit - 3000 * share) ** 2) / (3000 * share)).sum() < 16.3  # chi-square, p = .001
    suits = np.empty(4, np.int8)
    for flop, spot in itertools.islice(spots(run, policy, 2, 4, flops), 100):
        if spot:
            assert canonical_board(every, spot.board[:3], suits) == flop
    plain = itertools.islice(spots(run, policy, 2, 4), 50)
    given = itertools.islice(spots(run, policy, 2, 4, range(len(every.count))), 50)
    for sample in (list(plain), list(given)):
        assert all(f == canonical_board(every, s.board[:3], suits) for f, s in sample if s)
        assert 5 < sum(s is not None for _, s in sample) < 50
