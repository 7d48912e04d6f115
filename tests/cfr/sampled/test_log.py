"""Logs: added whole, then held between the bounds."""

import numpy as np
import pytest

from sixmax.betting.tree import MAX_ACTIONS
from sixmax.cfr.sampled.log import (
    CEILING,
    CHUNKS,
    COUNT,
    apply_log,
    apply_part,
    new_log,
    pack_visit,
)

TIMES = {1: 1, 2: 10}  # by threads, which do not always meet at an entry


@pytest.mark.parametrize(("apply", "threads_or_chunks"), [(apply_log, 2), (apply_part, CHUNKS)])
def test_apply_log__holds_the_floor_after_the_sum_and_lets_pruned_actions_return(
    apply, threads_or_chunks
):
    floor = -1000
    regret, count = np.array([-990, 5, 0], np.int32), np.zeros(3, np.int32)
    log = new_log(8, 8, 2)
    for c, gain in enumerate([-500, 700]):
        log.row[c, 0], log.used[c, 0] = 0 * 16 + 1, 1
        log.delta[c, 0, 0], log.delta[c, 0, 1] = gain, 1
    apply(regret, count, log, floor, threads_or_chunks)
    assert regret.tolist() == [-790, 7, 0]  # not floored half way, which depends on the order
    log.delta[:2, 0, 0] = -500
    apply(regret, count, log, floor, threads_or_chunks)
    assert regret.tolist() == [floor, 9, 0]


@pytest.mark.parametrize("parts", TIMES)
def test_apply_log__is_apply_part_on_several_threads(parts):
    """Many chunks that add to few entries, near the bounds: sums, floors, ceilings and counters."""
    rng, floor, entries, visits = np.random.default_rng(5), -2000, 500, 300
    log = new_log(entries, visits, 4)
    log.row[:] = rng.integers(0, 16, log.row.shape) * 4 * MAX_ACTIONS + rng.integers(
        0, 4, log.row.shape
    )
    log.delta[:] = rng.integers(-300, 300, log.delta.shape)
    weight = rng.integers(1, 50 * COUNT, log.visit.shape)
    log.visit[:] = pack_visit(rng.integers(0, 64, log.visit.shape), weight)
    log.used[:, 0], log.used[:, 1] = rng.integers(0, entries + 1, (2, CHUNKS)) * 3 // 5
    regret = rng.integers(floor, -floor, 64).astype(np.int32)
    regret[::7] = CEILING - 100
    count = np.where(np.arange(64) % 5, 0, CEILING - 5000).astype(np.int32)
    expected = slow_twin(regret, count, log, floor)
    for apply, threads_or_chunks in [(apply_part, CHUNKS), *[(apply_log, parts)] * TIMES[parts]]:
        actual = regret.copy(), count.copy()
        apply(*actual, log, floor, threads_or_chunks)
        assert np.array_equal(actual[0], expected[0])
        assert np.array_equal(actual[1], expected[1])
    assert (expected[0] == floor).any()
    assert (expected[0] == CEILING).any()
    assert (expected[1] == CEILING).any()
    assert (expected[1] < CEILING).any()


def test_apply_log__counters_stop_at_the_ceiling_and_do_not_wrap():
    log, regret = new_log(1, 2500, 1), np.zeros(1, np.int32)
    log.visit[:], log.used[:, 1] = pack_visit(0, COUNT), 2500
    assert CEILING + CHUNKS * 2500 * COUNT > 2**31
    for apply, threads_or_chunks in ((apply_log, 2), (apply_part, CHUNKS)):
        count = np.array([CEILING], np.int32)
        with np.errstate(over="ignore"):
            apply(regret, count, log, -1, threads_or_chunks)
        assert count[0] == CEILING


def slow_twin(regret, count, log, floor):
    """Everything added in Python's integers, then held."""
    regrets, counts, touched = regret.tolist(), count.tolist(), set()
    for c in range(CHUNKS):
        for e in range(log.used[c, 0]):
            at, n = int(log.row[c, e]) // MAX_ACTIONS, int(log.row[c, e]) % MAX_ACTIONS + 1
            for a in range(n):
                regrets[at + a] += int(log.delta[c, e, a])
                touched.add(at + a)
        for visit in log.visit[c, : log.used[c, 1]].tolist():
            at, weight = divmod(visit, 1 << 16)
            counts[at] = min(counts[at] + weight, CEILING)
    held = [min(max(x, floor), CEILING) if i in touched else x for i, x in enumerate(regrets)]
    return np.array(held), np.array(counts)
