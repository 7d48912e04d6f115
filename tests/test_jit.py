"""What starting costs: numba looks for a BLAS without importing scipy.linalg, and still has one."""

import subprocess
import sys

STARTED = """
import sys
import numpy as np
import sixmax.cfr.regret as regret
from sixmax.jit import njit
regret.match(np.zeros(2, np.int32), 0, 2, np.zeros(2))
assert "scipy.linalg" not in sys.modules
from sixmax.jit import numba
dot = numba.njit(lambda a, b: np.dot(a, b))
assert dot(np.array([1.0, 2.0]), np.array([3.0, 4.0])) == 11.0
import sklearn.cluster, scipy.linalg
"""


def test_jit__loads_kernels_without_scipy_linalg():
    found = subprocess.run([sys.executable, "-c", STARTED], capture_output=True, text=True)
    assert found.returncode == 0, found.stderr
