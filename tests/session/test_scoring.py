"""Whether the result without luck is still computed."""

import numpy as np
import pytest

from sixmax.scores.statistics import Sums
from sixmax.session.scoring import late
from sixmax.session.session import SessionScore

THREE = Sums.of(np.array([1.0, -2.0, 4.0]))


@pytest.mark.parametrize(
    ("adjusted", "lucky", "expected"),
    [
        (None, True, True),
        (Sums.of(np.array([1.0, 2.0])), True, True),
        (THREE, True, False),
        (None, False, False),
    ],
)
def test_late__until_each_hand_is_scored(adjusted, lucky, expected):
    assert late(SessionScore(THREE, adjusted), lucky) == expected
