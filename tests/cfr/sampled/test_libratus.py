"""Algorithm 1 of Libratus: actions that are sampled, and counters that make up for it."""

import numpy as np
import pytest

from cfr.games import PLAIN, learner, run, small
from oracles.exact.enumeration import expected_log
from sixmax.base.errors import UserError
from sixmax.base.jit import set_threads
from sixmax.base.rng import child
from sixmax.betting.tree import MAX_ACTIONS, is_decision, n_actions, offers_fold, round_of, seat_of
from sixmax.cfr.layout import infoset
from sixmax.cfr.regret import match
from sixmax.cfr.sampled.log import CHUNKS, COUNT, new_log
from sixmax.cfr.sampled.schedule import Pruning

THRESHOLD, HALF = -1000, 500
PRUNED = Pruning(0, 1.0, THRESHOLD, -(10**9), HALF)
LIBRATUS = PLAIN._replace(
    batch=10, prune_after=50_000, prune_threshold=-5_000_000, prune_half=5_000_000,
    regret_floor=-2_000_000_000,
)  # fmt: skip


def leduc():
    return small("leduc", 2).counting(2)


def some_regrets(tree, layout, positive):
    """Some are so far down that they are hardly ever explored; a row in three, or none, is lost."""
    rng = np.random.default_rng(4)
    regret = rng.choice([40, -300, -1200, -2500, -(10**6)], layout.size).astype(np.int32)
    for k, (at, n) in enumerate(own_rows(tree, layout)):
        if k % 3 or positive:
            regret[at + rng.integers(n)] = rng.integers(50, 100)
        else:
            regret[at : at + n] = rng.choice([-1500, -2500, -(10**6)], n)
    return regret


def own_rows(tree, layout):
    for x in tree.decision_nodes():
        head, _, slot, _ = tree.node[x].tolist()
        r, p = round_of(head), seat_of(head)
        for bucket in range(layout.buckets[r]):
            yield int(infoset(layout, r, p, bucket, slot)), n_actions(head)


def odds_of_actions(tree, layout, regret, deals):
    """The chained probability of each action of the traverser, by the formula of the article."""
    odds = np.ones(layout.size)
    for d in range(len(deals.rank)):
        for me in range(2):
            stack = [(0, 1.0)]
            while stack:
                x, chained = stack.pop()
                head, first, slot, _ = tree.node[x].tolist()
                if not is_decision(head):
                    continue
                r, p = round_of(head), seat_of(head)
                at = infoset(layout, r, p, deals.bucket[d, p, r], slot)
                for a in range(n_actions(head)):
                    below = chained
                    if p == me:
                        row = regret[at : at + n_actions(head)]
                        if regret[at + a] < THRESHOLD and a != row.argmax():
                            k = HALF / (HALF + THRESHOLD - regret[at + a])
                            below = chained * min(1, max(0.02 / chained, k))
                        odds[at + a] = below
                    stack.append((first + a, below))
    return odds


def expected_counts(tree, layout, regret, deals):
    """Actions of opponents that a deal brings where every own action is explored."""
    counts, strategy = np.zeros(layout.size), np.empty(MAX_ACTIONS)
    for d in range(len(deals.rank)):
        for me in range(2):
            stack = [(0, 1 / len(deals.rank))]
            while stack:
                x, weight = stack.pop()
                head, first, slot, _ = tree.node[x].tolist()
                if not is_decision(head):
                    continue
                r, p, n = round_of(head), seat_of(head), n_actions(head)
                at = int(infoset(layout, r, p, deals.bucket[d, p, r], slot))
                if p == me:
                    stack += [(first + a, weight) for a in range(offers_fold(head), n)]
                    continue
                match(regret, at, n, strategy)
                for a in range(n):
                    counts[at + a] += weight * strategy[a]
                    stack.append((first + a, weight * strategy[a]))
    return counts


def logged(tree, dealer, layout, regret, pruning, deals):
    """The mean of what a deal adds to regrets and counters, and the errors of the means."""
    total, squares = np.zeros((2, 2, layout.size))
    batch, log = 2000, new_log(8192, 8192, 4)
    for first in range(1, deals, batch):
        dealt = dealer.deal(child(1, "deal"), first, batch)
        assert run(
            learner(tree, layout, pruning, child(1, "walk"), 100.0, 1, 2), regret, dealt, log, first
        )
        sums = np.zeros((2, layout.size))
        for c in range(CHUNKS):
            rows, visits = log.row[c, : log.used[c, 0]], log.visit[c, : log.used[c, 1]]
            for a in range(4):
                wide = rows % MAX_ACTIONS >= a
                at = rows[wide] // MAX_ACTIONS + a
                np.add.at(sums[0], at, log.delta[c, : log.used[c, 0]][wide, a])
            np.add.at(sums[1], visits >> 16, (visits & 65535) / COUNT)
        total += sums / batch
        squares += (sums / batch) ** 2
    n = deals // batch
    mean = total / n
    return mean, np.sqrt(np.maximum(squares / n - mean**2, 0) / (n - 1))


def check_near(mean, error, expected):
    sigmas = np.abs(mean - expected) / np.maximum(error, 1e-3)
    assert np.quantile(sigmas, 0.95) < 2.6
    assert sigmas.max() < 6


def test_traverse__expects_what_full_width_cfr_adds():
    """Regrets by the probability that the action is explored; counters without any pruning."""
    tree, dealer, layout, _ = leduc()
    regret = some_regrets(tree, layout, positive=True)
    mean, error = logged(tree, dealer, layout, regret, PRUNED, 200_000)
    odds = odds_of_actions(tree, layout, regret, dealer.deals)
    assert 0.0199 < odds.min() < 0.03
    assert ((odds > 0.03) & (odds < 0.9)).sum() > 20
    added, _ = expected_log(tree, layout, dealer.deals, regret, 100.0)
    counted = expected_counts(tree, layout, regret, dealer.deals)
    for actual, off, expected in zip(mean, error, (odds * added, counted), strict=True):
        assert np.count_nonzero(expected) > 100
        check_near(actual, off, expected)
    # The numbers could tell: without the odds, and with visits that all count one.
    assert (np.abs(mean[0] - added) / np.maximum(error[0], 1e-3)).max() > 20


def test_traverse__counts_as_without_pruning_where_no_regret_is_positive():
    """Rows all below the threshold: the best action is explored surely, so it counts no more."""
    tree, dealer, layout, _ = leduc()
    regret = some_regrets(tree, layout, positive=False)
    mean, error = logged(tree, dealer, layout, regret, PRUNED, 200_000)
    check_near(mean[1], error[1], expected_counts(tree, layout, regret, dealer.deals))


def test_train__a_full_counter_is_refused():
    game = leduc()
    game.table.count[0] = 2_000_000_000
    with pytest.raises(UserError, match="a counter of the average is full after iteration 10"):
        game.train(LIBRATUS, 1, 10)


@pytest.mark.usefixtures("one_thread")  # which sets them back
@pytest.mark.parametrize("number", [1, 2])
def test_train__goes_on_bit_for_bit_and_learns(number):
    set_threads(number)
    whole, parts = leduc(), leduc()
    stats = whole.train(LIBRATUS, 1, 200_000)
    for first in (1, 100_001):
        parts.train(LIBRATUS, first, first + 99_999)
    assert stats.pruned > 10_000
    assert np.array_equal(whole.table.regret, parts.table.regret)
    assert np.array_equal(whole.table.count, parts.table.count)
    assert whole.table.count.sum() % COUNT  # visits that count more than one
    assert whole.nash_conv(whole.table.count).total < 0.05 * whole.untrained().total


def test_train__wants_counters_of_every_round():
    with pytest.raises(ValueError, match="those of every round"):
        leduc().counting(1).train(LIBRATUS, 1, 10)
