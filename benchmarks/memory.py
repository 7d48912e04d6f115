"""The memory itself: what a page costs when it is first touched, a pass, and a random read.

Training waits for memory more than for anything else, and that of a virtual machine is as fast as
its host lets it be. These lines say what the others were measured on.
"""

import numpy as np

from benchmarks.measure import Meter
from sixmax.jit import njit

GB = 0.5  # of the array: far beyond every cache


@njit
def _chase_kernel(array, steps):
    """Reads that wait for one another, at places a multiplicative generator draws."""
    at, total = np.uint64(1), np.int64(0)
    for _ in range(steps):
        at = at * np.uint64(6364136223846793005) + np.uint64(1442695040888963407)
        value = array[np.int64(at >> np.uint64(33)) % array.size]
        total += value
        at += np.uint64(value)
    return total


def measure(meter: Meter, gigabytes: float = GB, steps: int = 1_000_000) -> None:
    """GB a second touched for the first time, GB a second summed, random reads a second."""
    meter.begin("memory, one core")
    size = int(gigabytes * 1e9) // 8

    def touch() -> float:
        np.empty(size)[:: 4096 // 8] = 1.0
        return size * 8 / 1e9

    meter.rate("pages new to the program, touched", "GB/s", touch, turns=3, warm=False)
    array = np.ones(size, np.int64)

    def summed() -> float:
        array.sum()
        return size * 8 / 1e9

    def chased() -> float:
        _chase_kernel(array, steps)
        return steps

    meter.rate("summed in order", "GB/s", summed, turns=3)
    line = meter.rate("random reads, one after the other", "reads/s", chased, turns=3)
    meter.values["read_ns"] = 1e9 / line.median
    meter.note(f"a random read takes {1e9 / line.median:.0f} ns")
