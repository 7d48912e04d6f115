"""Regret matching: the action drawn from a row of regrets."""

import numpy as np

from sixmax.cfr.regret import sample


def test_sample__takes_every_action_in_proportion_to_its_regret():
    regret = np.array([9, -4, 3, 0, 5, 7], np.int32)
    drawn = [sample(regret, 1, 4, (k + 0.5) / 8) for k in range(8)]
    assert np.bincount(drawn, minlength=4).tolist() == [0, 3, 0, 5]
    drawn = [sample(np.array([-1, 0, -7], np.int32), 0, 3, (k + 0.5) / 9) for k in range(9)]
    assert np.bincount(drawn).tolist() == [3, 3, 3]  # none is positive: all alike
