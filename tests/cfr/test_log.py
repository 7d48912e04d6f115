"""Logs: added whole, then held between the bounds."""

import numpy as np

from sixmax.cfr.log import apply_log, new_log


def test_apply_log__holds_the_floor_after_the_sum_and_lets_pruned_actions_return():
    floor = -1000
    regret, count = np.array([-990, 5, 0], np.int32), np.zeros(3, np.int32)
    log = new_log(8, 8, 2)
    for c, gain in enumerate([-500, 700]):
        log.row[c, 0], log.used[c, 0] = 0 * 16 + 1, 1
        log.delta[c, 0, 0], log.delta[c, 0, 1] = gain, 1
    apply_log(regret, count, log, floor, 2)
    assert regret.tolist() == [-790, 7, 0]  # not floored half way, which depends on the order
    log.delta[:2, 0, 0] = -500
    apply_log(regret, count, log, floor, 2)
    assert regret.tolist() == [floor, 9, 0]
