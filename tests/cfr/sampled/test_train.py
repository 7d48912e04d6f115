"""Training: convergence on games with known answers, schedule, and sameness."""

import numpy as np
import pytest

from cfr.games import PLAIN, small, three_handed
from sixmax.base.jit import set_threads
from sixmax.cfr.layout import section
from sixmax.cfr.policy import from_regrets
from sixmax.cfr.sampled import train as train_module
from sixmax.cfr.sampled.log import new_log

pytestmark = pytest.mark.usefixtures("one_thread")
BATCHED = PLAIN._replace(batch=50)
PRUNED = PLAIN._replace(
    batch=20, discount_every=40, discount_until=200, prune_after=100, prune_share=0.95,
    prune_threshold=-200_000, regret_floor=-250_000,
)  # fmt: skip


def scores(name, seats, *stops):
    """NashConv of the counted average, untrained and after ``stops`` iterations; last values."""
    game = small(name, seats)
    game, done, actual = game.counting(len(game.tree.columns)), 0, []
    for last in (0, *stops):
        if last:
            game.train(PLAIN._replace(batch=10), done + 1, last)
        result = game.nash_conv(game.table.count)
        actual.append(result.total)
        done = last
    return actual, result.values


# The bounds are the worst of three seeds of OpenSpiel 2.0.2's external sampling (exploitability of
# two players is half of NashConv).


def converges(name, seats, uniform, early, late):
    """NashConv falls below the bounds by 10,000 and 100,000 iterations; the last values."""
    (untrained, *actual), values = scores(name, seats, 10_000, 100_000)
    assert untrained == pytest.approx(uniform)
    assert actual[0] < early
    assert actual[1] < late
    return values


def test_train__kuhn_converges():
    """Exploitability, three seeds: .0067 to .0088 and .0022 to .0042.

    OpenSpiel adds up strategies where UPDATE-STRATEGY draws, hence half as much again at the end.
    """
    values = converges("kuhn", 2, 11 / 12, 2 * 0.0138, 2 * 1.5 * 0.0032)
    assert values[0] == pytest.approx(-1 / 18, abs=0.005)  # Kuhn 1950; uniform: +1/8


def test_train__three_player_kuhn_converges():
    """Three seeds: .026 to .040 and .008 to .011."""
    converges("kuhn", 3, 2.0625, 0.05, 0.024)


def test_train__leduc_converges():
    """Exploitability, three seeds: .13 to .19 and .033 to .038: better than OpenSpiel's, because
    UPDATE-STRATEGY follows every action of the others."""
    values = converges("leduc", 2, 4.7472222, 2 * 0.30, 2 * 0.076)
    assert values[0] == pytest.approx(-0.0856, abs=0.04)


def test_train__leduc_mean_of_snapshots_converges():
    """Later rounds of the blueprint have no counters and rest on snapshots.

    Untrained: NashConv 4.747. Found: 0.183 for the mean of 20 snapshots, and 3.66 for the last
    alone, which is no equilibrium: it is the average that converges.
    """
    game = small("leduc", 2)
    total = np.zeros(game.layout.size)
    for first in range(1, 100_001, 5000):
        game.train(BATCHED, first, first + 4999)
        last = from_regrets(game.tree, game.layout, game.table.regret)
        total += last
    mean = game.nash_conv(total).total
    assert mean < 0.5
    assert game.nash_conv(last).total > 2 * mean


@pytest.mark.parametrize(
    ("batch", "low", "high"), [(10, 0.02, 0.045), (100, 0.045, 0.07), (1000, 0.12, 0.25)]
)
def test_train__leduc_batches_cost_what_was_measured(batch, low, high):
    """Regrets frozen for a batch grow stale; untrained 2.374.

    Exploitability after 100,000 iterations, three seeds (benchmarks/README.md): batches of 10 .033
    to .038, 100 .053 to .056, 1000 .173 to .198.
    """
    game = small("leduc", 2).counting(2)
    game.train(PLAIN._replace(batch=batch), 1, 100_000)
    assert low < game.nash_conv(game.table.count).total / 2 < high


def test_train__same_bits_for_any_threads_and_for_resumed_runs(monkeypatch):
    monkeypatch.setattr(train_module, "_FEW", 0)
    tables = []
    for threads, stretches in [(1, [400]), (2, [400]), (2, [20, 180, 200, 400]), (1, [260, 400])]:
        set_threads(threads)
        game, first = three_handed(), 1
        for last in stretches:
            game.train(PRUNED, first, last, 7)
            first = last + 1
        tables.append(game.table)
    assert np.count_nonzero(tables[0].regret) > 100
    for table in tables[1:]:
        assert np.array_equal(table.regret, tables[0].regret)
        assert np.array_equal(table.count, tables[0].count)


def test_train__another_seed_is_another_run():
    one, two = small("kuhn", 2), small("kuhn", 2)
    one.train(BATCHED, 1, 100, 1)
    two.train(BATCHED, 1, 100, 2)
    assert not np.array_equal(one.table.regret, two.table.regret)


@pytest.mark.parametrize("learner", [0, 1])
def test_train__one_learner_comes_to_a_best_response_and_the_other_stays_as_it_is(learner):
    game = small("leduc", 2)
    layout, regret = game.layout, game.table.regret
    random = np.random.default_rng(4).integers(1, 1000, layout.size).astype(np.int32)
    theirs = np.concatenate([
        np.arange(layout.size)[section(layout, r, 1 - learner)] for r in range(2)
    ])  # fmt: skip
    regret[theirs] = random[theirs]
    before = game.nash_conv(regret.clip(0)).gains[learner]
    stats = game.train(BATCHED, 1, 20_000, learner=learner)
    assert stats.traversals == 20_000
    assert np.array_equal(regret[theirs], random[theirs])
    assert before > 1.0
    assert game.nash_conv(regret.clip(0)).gains[learner] < 0.1


def test_train__refuses_to_cut_a_batch():
    with pytest.raises(ValueError, match="cut a batch"):
        small("kuhn", 2).train(BATCHED, 1, 99)


def test_discount__linear_until_its_end_and_for_infosets_never_visited():
    """Supplement: after every Discount_Interval, times (T/D) / (T/D + 1)."""
    schedule = BATCHED._replace(discount_every=100, discount_until=400)
    game = three_handed()
    game.train(schedule, 1, 50)
    never = game.table.regret == 0
    never[: game.layout.base[3, 2]] = False
    game = three_handed()
    game.table.regret[never] = 1_000_000
    stats = game.train(schedule, 1, 600)
    assert stats.discounts == ((100, 1 / 2), (200, 2 / 3), (300, 3 / 4))
    # 1/2 * 2/3 * 3/4 = 1/4: an infoset that no traversal changed holds exactly a quarter.
    assert np.count_nonzero(game.table.regret[never] == 250_000) > 0


def test_counters__begin_when_the_schedule_says():
    game = small("kuhn", 2)
    schedule = BATCHED._replace(count_after=100)
    game.train(schedule, 1, 100)
    assert not game.table.count.any()
    game.train(schedule, 101, 200)
    assert game.table.count.any()


def test_train__batches_in_turn_are_the_parallel_ones(monkeypatch):
    """Few traversals run without a parallel kernel: the same bits as two threads give, whatever
    room the log began with, and across discounts and counters."""
    actual = []
    set_threads(2)
    for few, room in ((0, 4096), (0, 4), (64, 4096), (64, 4)):
        monkeypatch.setattr(train_module, "_FEW", few)
        monkeypatch.setattr(
            train_module, "new_log",
            lambda entries, visits, n, room=room: new_log(min(entries, room), visits, n)
            if entries == 4096 else new_log(entries, visits, n),
        )  # fmt: skip
        game, message = three_handed(), []
        schedule = PRUNED._replace(batch=5, count_after=50)
        stats = game.train(schedule, 1, 400, 7, progress=message.append)
        actual.append((stats, sum(message), game.table))
    for stats, message, table in actual:
        assert stats == actual[0][0]
        assert message == 400
        assert np.array_equal(table.regret, actual[0][2].regret)
        assert np.array_equal(table.count, actual[0][2].count)
    assert actual[0][2].count.any()
