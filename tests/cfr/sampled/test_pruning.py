"""Threshold, floor and return: a pruned action must be able to come back."""

import numpy as np
import pytest

from cfr.games import OFF, PLAIN, learner, run, small, three_handed
from sixmax.base.rng import child
from sixmax.betting.tree import MAX_ACTIONS, kind_of, n_actions, round_of, seat_of
from sixmax.cfr.sampled.log import CHUNKS, new_log

THRESHOLD, FLOOR = -40_000, -70_000  # Leduc: 26 chips of 1,000 units in the middle at the most


def raises_of_the_first_round(tree, layout):
    """The entries of the last action, a raise, of every first-round infoset that offers one."""
    actual = []
    for head, child_at, slot, _ in tree.node.tolist():
        kind, p, r, n = kind_of(head), seat_of(head), round_of(head), n_actions(head)
        if kind == 0 and r == 0 and tree.action[child_at + n - 1] > 0:
            columns = np.arange(layout.buckets[0]) * layout.columns[0, p]
            actual.extend(layout.base[0, p] + columns + slot + n - 1)
    return np.array(actual)


def trained_from_the_floor(share):
    """Regrets of the first round's raises, which begin at the floor, after a little training."""
    game = small("leduc", 2)
    raises = raises_of_the_first_round(game.tree, game.layout)
    game.table.regret[raises] = FLOOR
    schedule = PLAIN._replace(
        batch=10, prune_share=share, prune_threshold=THRESHOLD, regret_floor=FLOOR
    )
    assert game.train(schedule, 1, 20_000).pruned > 1000
    return game.table.regret[raises]


def test_pruning__good_actions_come_back_from_the_floor():
    """5 % of the iterations look at everything. Were it none, what is pruned would be lost."""
    assert (trained_from_the_floor(0.95) > 0).mean() > 0.3
    assert (trained_from_the_floor(1.0) == FLOOR).all()


@pytest.mark.parametrize("make", [three_handed, lambda: small("leduc", 2)])
def test_traverse__adds_no_more_than_all_chips(make):
    """The bound that floor and threshold of the presets are held against: see test_presets.py."""
    tree, dealer, layout, _ = make()
    everything = 2100 if make is three_handed else 26
    regret = np.random.default_rng(1).integers(-9, 9, layout.size).astype(np.int32)
    log = new_log(16384, 16384, 4)
    deals = dealer.deal(child(1, "deal"), 1, 300)
    assert run(learner(tree, layout, OFF, child(1, "walk"), 100.0, 0), regret, deals, log)
    steps = [
        log.delta[c, e, : log.row[c, e] % MAX_ACTIONS + 1]
        for c in range(CHUNKS)
        for e in range(log.used[c, 0])
    ]
    largest = max(np.abs(step).max() for step in steps)
    assert max(len(step) for step in steps) > 2
    assert 0.3 * everything < largest / 100 <= everything
