"""Training: convergence on games with known answers, schedule, and sameness."""

import numpy as np
import pytest

from cfr.games import PLAIN, small, three_handed
from sixmax.base.jit import set_threads
from sixmax.cfr.full.best_response import nash_conv
from sixmax.cfr.layout import section
from sixmax.cfr.policy import from_regrets, shares
from sixmax.cfr.sampled import train as train_module
from sixmax.cfr.sampled.log import new_log
from sixmax.cfr.sampled.train import Training, new_table, train

pytestmark = pytest.mark.usefixtures("one_thread")
BATCHED = PLAIN._replace(batch=50)


def scores(name, seats, *stops):
    """Scores of the counted average, untrained and after ``stops`` iterations; last values.

    A score is the exploitability for two players, NashConv for three.
    """
    tree, dealer, layout, _ = small(name, seats)
    table, done, actual = new_table(layout, counted=len(tree.columns)), 0, []
    for last in (0, *stops):
        if last:
            train(
                Training(tree, layout, dealer, table, PLAIN._replace(batch=10), 1), done + 1, last
            )
        result = nash_conv(tree, layout, dealer.deals, shares(tree, layout, table.count))
        actual.append(result.total / 2 if seats == 2 else result.total)
        done = last
    return actual, result.values


# The bounds are the worst of three seeds of OpenSpiel 2.0.2's external sampling.


def test_train__kuhn_converges():
    """Three seeds: .0067 to .0088 and .0022 to .0042 (1 M: .00075 to .0014).

    OpenSpiel adds up strategies where UPDATE-STRATEGY draws, hence half as much again at the end.
    """
    (untrained, early, late), values = scores("kuhn", 2, 10_000, 100_000)
    assert untrained == pytest.approx(11 / 24)
    assert early < 0.0138
    assert late < 1.5 * 0.0032
    assert values[0] == pytest.approx(-1 / 18, abs=0.005)  # Kuhn 1950; uniform: +1/8


def test_train__three_player_kuhn_converges():
    """Found, three seeds: .026 to .040 and .008 to .011."""
    (untrained, early, late), _ = scores("kuhn", 3, 10_000, 100_000)
    assert untrained == pytest.approx(2.0625)
    assert early < 0.05
    assert late < 0.024


def test_train__leduc_converges():
    """Three seeds: .13 to .19 and .033 to .038 (1 M: .010 to .013).

    Better than OpenSpiel, because UPDATE-STRATEGY follows every action of the others.
    """
    (untrained, early, late), values = scores("leduc", 2, 10_000, 100_000)
    assert untrained == pytest.approx(4.7472222 / 2)
    assert early < 0.30
    assert late < 0.076
    assert values[0] == pytest.approx(-0.0856, abs=0.04)


def test_train__leduc_mean_of_snapshots_converges():
    """Later rounds of the blueprint have no counters and rest on snapshots.

    Untrained: NashConv 4.747. Found: 0.183 for the mean of 20 snapshots, and 3.66 for the last
    alone, which is no equilibrium: it is the average that converges.
    """
    tree, dealer, layout, table = small("leduc", 2)
    total = np.zeros(layout.size)
    for first in range(1, 100_001, 5000):
        train(Training(tree, layout, dealer, table, BATCHED, 1), first, first + 4999)
        last = from_regrets(tree, layout, table.regret)
        total += last
    mean, alone = (
        nash_conv(tree, layout, dealer.deals, shares(tree, layout, s)).total for s in (total, last)
    )
    assert mean < 0.5
    assert alone > 2 * mean


@pytest.mark.parametrize(
    ("batch", "low", "high"), [(10, 0.02, 0.045), (100, 0.045, 0.07), (1000, 0.12, 0.25)]
)
def test_train__leduc_batches_cost_what_was_measured(batch, low, high):
    """Regrets frozen for a batch grow stale; untrained 2.374.

    Exploitability after 100,000 iterations, three seeds (benchmarks/README.md): batches of 10 .033
    to .038, 100 .053 to .056, 1000 .173 to .198.
    """
    tree, dealer, layout, _ = small("leduc", 2)
    table = new_table(layout, counted=2)
    train(Training(tree, layout, dealer, table, PLAIN._replace(batch=batch), 1), 1, 100_000)
    strategy = shares(tree, layout, table.count)
    assert low < nash_conv(tree, layout, dealer.deals, strategy).total / 2 < high


def test_train__same_bits_for_any_threads_and_for_resumed_runs(monkeypatch):
    monkeypatch.setattr(train_module, "_FEW", 0)
    schedule = PLAIN._replace(
        batch=20, discount_every=40, discount_until=200, prune_after=100, prune_share=0.95,
        prune_threshold=-200_000, regret_floor=-250_000,
    )  # fmt: skip
    tables = []
    for threads, stretches in [(1, [400]), (2, [400]), (2, [20, 180, 200, 400]), (1, [260, 400])]:
        set_threads(threads)
        tree, dealer, layout, table = three_handed()
        first = 1
        for last in stretches:
            train(Training(tree, layout, dealer, table, schedule, 7), first, last)
            first = last + 1
        tables.append(table)
    assert np.count_nonzero(tables[0].regret) > 100
    for table in tables[1:]:
        assert np.array_equal(table.regret, tables[0].regret)
        assert np.array_equal(table.count, tables[0].count)


def test_train__another_seed_is_another_run():
    tree, dealer, layout, one = small("kuhn", 2)
    two = new_table(layout)
    train(Training(tree, layout, dealer, one, BATCHED, 1), 1, 100)
    train(Training(tree, layout, dealer, two, BATCHED, 2), 1, 100)
    assert not np.array_equal(one.regret, two.regret)


@pytest.mark.parametrize("learner", [0, 1])
def test_train__one_learner_comes_to_a_best_response_and_the_other_stays_as_it_is(learner):
    tree, dealer, layout, _ = small("leduc", 2)
    table, untrained = new_table(layout), []
    random = np.random.default_rng(4).integers(1, 1000, layout.size).astype(np.int32)
    theirs = np.concatenate([
        np.arange(layout.size)[section(layout, r, 1 - learner)] for r in range(len(tree.columns))
    ])  # fmt: skip
    table.regret[theirs] = random[theirs]
    for last in (0, 20_000):
        if last:
            stats = train(
                Training(tree, layout, dealer, table, BATCHED, 1, learner=learner), 1, last
            )
        strategy = shares(tree, layout, table.regret.clip(0))
        untrained.append(nash_conv(tree, layout, dealer.deals, strategy).gains[learner])
    before, after = untrained
    assert stats.traversals == 20_000
    assert np.array_equal(table.regret[theirs], random[theirs])
    assert before > 1.0
    assert after < 0.1


def test_train__refuses_to_cut_a_batch():
    tree, dealer, layout, table = small("kuhn", 2)
    with pytest.raises(ValueError, match="cut a batch"):
        train(Training(tree, layout, dealer, table, BATCHED, 1), 1, 99)


def test_discount__linear_until_its_end_and_for_infosets_never_visited():
    """Supplement: after every Discount_Interval, times (T/D) / (T/D + 1)."""
    schedule = BATCHED._replace(discount_every=100, discount_until=400)
    tree, dealer, layout, table = three_handed()
    where_unvisited = layout.base[3, 2]
    never = np.zeros(layout.size, bool)
    train(Training(tree, layout, dealer, table, schedule, 1), 1, 50)
    never[where_unvisited:] = table.regret[where_unvisited:] == 0
    tree, dealer, layout, table = three_handed()
    table.regret[never] = 1_000_000
    stats = train(Training(tree, layout, dealer, table, schedule, 1), 1, 600)
    assert stats.discounts == ((100, 1 / 2), (200, 2 / 3), (300, 3 / 4))
    # 1/2 * 2/3 * 3/4 = 1/4: an infoset that no traversal changed holds exactly a quarter.
    assert np.count_nonzero(table.regret[never] == 250_000) > 0


def test_counters__begin_when_the_schedule_says():
    tree, dealer, layout, table = small("kuhn", 2)
    schedule = BATCHED._replace(count_after=100)
    train(Training(tree, layout, dealer, table, schedule, 1), 1, 100)
    assert not table.count.any()
    train(Training(tree, layout, dealer, table, schedule, 1), 101, 200)
    assert table.count.any()


def test_train__batches_in_turn_are_the_parallel_ones(monkeypatch):
    """Few traversals run without a parallel kernel: the same bits as two threads give, whatever
    room the log began with, and across discounts and counters."""
    schedule = PLAIN._replace(
        batch=5, discount_every=40, discount_until=200, count_after=50, prune_after=100,
        prune_share=0.95, prune_threshold=-200_000, regret_floor=-250_000,
    )  # fmt: skip
    actual = []
    set_threads(2)
    for few, room in ((0, 4096), (0, 4), (64, 4096), (64, 4)):
        monkeypatch.setattr(train_module, "_FEW", few)
        monkeypatch.setattr(
            train_module, "new_log",
            lambda entries, visits, n, room=room: new_log(min(entries, room), visits, n)
            if entries == 4096 else new_log(entries, visits, n),
        )  # fmt: skip
        tree, dealer, layout, table = three_handed()
        message = []
        stats = train(Training(tree, layout, dealer, table, schedule, 7), 1, 400, message.append)
        actual.append((stats, sum(message), table))
    for stats, message, table in actual:
        assert stats == actual[0][0]
        assert message == 400
        assert np.array_equal(table.regret, actual[0][2].regret)
        assert np.array_equal(table.count, actual[0][2].count)
    assert actual[0][2].count.any()
