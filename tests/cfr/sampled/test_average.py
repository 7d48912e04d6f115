"""UPDATE-STRATEGY: the expectation of the counters of the average strategy."""

import numpy as np
import pytest

from cfr.games import random_regrets, small
from oracles.cfr import head
from oracles.exact.enumeration import expected_log
from sixmax.cfr.full.sweep import down, field
from sixmax.cfr.policy import shares


@pytest.mark.parametrize(("name", "seats"), [("kuhn", 2), ("kuhn", 3), ("leduc", 2)])
def test_update_strategy__expectation_is_own_reach_times_strategy(name, seats):
    """The terms of the average of every player, however many (Algorithm 1)."""
    tree, dealer, layout, _ = small(name, seats)
    regret = random_regrets(layout.size)
    strategy = shares(tree, layout, np.maximum(regret, 0))
    actual, _ = expected_log(tree, layout, dealer.deals, regret, 1.0, counters=True)
    game, expected = field(tree, layout, dealer.deals), np.zeros(layout.size)
    others, own = np.empty((2, len(tree.node), len(game.chance)))
    for x in range(len(tree.node)):
        kind, p, r, n = head(tree, x)
        if kind:
            continue
        down(game, strategy, p, others, own)
        for a in range(n):
            at = game.offset[p, r] + tree.node[x, 2] + a
            np.add.at(expected, at, game.chance * own[x] * strategy[at])
    assert np.count_nonzero(expected) > layout.size / 8
    assert actual == pytest.approx(expected, abs=1e-12)
