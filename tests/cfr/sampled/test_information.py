"""The play of a seat may depend on its own cards and on the betting, and on nothing else."""

import numpy as np
import pytest

from cfr.games import OFF, learner, run, small, three_handed
from sixmax.base.rng import child
from sixmax.cfr.layout import infoset
from sixmax.cfr.sampled.log import apply_log, new_log

WALK = child(1, "walk")


def moved(game, deals):
    """The entries whose regret or counter one iteration on one deal moves."""
    tree, _, layout, _ = game
    log, zeros = new_log(16384, 16384, 4), np.zeros(layout.size, np.int32)
    assert run(learner(tree, layout, OFF, WALK), zeros, deals, log)
    regret, count = zeros.copy(), zeros.copy()
    apply_log(regret, count, log, -(2**31) + 1, 1)
    return np.flatnonzero(regret), np.flatnonzero(count)


def own_slabs(layout, bucket):
    """Whether an entry belongs to what some seat may know, with ``bucket`` int[seats, rounds]."""
    own = np.zeros(layout.size, bool)
    seats, rounds = bucket.shape
    for p in range(seats):
        for r in range(rounds):
            first = infoset(layout, r, p, bucket[p, r], 0)
            own[first : first + layout.columns[r, p]] = True
    return own


@pytest.mark.parametrize("make", [lambda: small("leduc", 3), three_handed])
def test_batch__every_seat_moves_only_what_it_knows(make):
    """traps.md: one system tagged its own infosets by a sampled hand of the opponent."""
    game = make()
    _, dealer, layout, _ = game
    touched = np.zeros(layout.size, bool)
    for t in range(40):
        deals = dealer.deal(child(1, "deal"), t, 1)
        own = own_slabs(layout, deals.bucket[0])
        assert own.mean() < 0.6  # so it says something
        for entries in moved(game, deals):
            assert own[entries].all()
            touched[entries] = True
    assert touched.sum() > 80


def test_batch__the_opponents_cards_do_not_choose_our_infoset():
    """The same own cards against every other hand: the traverser's slab stays the same."""
    game = small("leduc", 2)
    _, dealer, layout, _ = game
    bucket, rank = dealer.deals.bucket, dealer.deals.rank
    mine = np.flatnonzero((bucket[:, 0] == bucket[0, 0]).all(axis=1))
    others = {int(bucket[d, 1, 0]) for d in mine}
    assert len(others) > 1
    first_seat = slice(int(layout.base[0, 0]), int(layout.base[0, 1]))
    actual = set()
    for d in mine:
        regrets, _ = moved(game, type(dealer.deals)(bucket[d : d + 1], rank[d : d + 1]))
        actual.add(tuple(e for e in regrets if first_seat.start <= e < first_seat.stop))
    slabs = {(entry - first_seat.start) // layout.columns[0, 0] for row in actual for entry in row}
    assert slabs == {bucket[0, 0, 0]}
