"""Randomness as an argument: named child seeds, and a counter-based generator for kernels.

Every rule and every work item has a seed of its own, so that their order does not matter. Kernels
carry a state of 64 bits and step it with splitmix64 (Steele, Lea and Flood, "Fast splittable
pseudorandom number generators", OOPSLA 2014).
"""

import hashlib

import numpy as np

from sixmax.base.jit import njit

GAMMA = np.uint64(0x9E3779B97F4A7C15)
_MIX1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX2 = np.uint64(0x94D049BB133111EB)
_S30, _S27, _S31, _S11, _S32 = (np.uint64(s) for s in (30, 27, 31, 11, 32))
_TO_UNIT = 2.0**-53


def child(seed: int, *path: str | int) -> np.uint64:
    """The seed of the work item named ``path`` under ``seed``.

    >>> int(child(1, "blueprint", 3)) == int(child(1, "blueprint", 3))
    True
    """
    text = "/".join([str(int(seed)), *(str(p) for p in path)])
    return np.uint64(int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "little"))


def generator(seed: int, *path: str | int) -> np.random.Generator:
    """A numpy generator for the work item ``path``: for code outside kernels."""
    return np.random.default_rng(int(child(seed, *path)))


@njit
def mix(x: np.uint64) -> np.uint64:
    """The 64-bit finaliser of splitmix64: a bijection that scatters neighbouring numbers."""
    x = (x ^ (x >> _S30)) * _MIX1
    x = (x ^ (x >> _S27)) * _MIX2
    return x ^ (x >> _S31)


@njit
def stream(seed: np.uint64, item: np.uint64) -> np.uint64:
    """The start state of work item ``item`` under ``seed``."""
    return mix(seed ^ mix(item + GAMMA))


@njit
def step(state: np.uint64) -> np.uint64:
    """The next state; ``mix(state)`` is its random 64-bit number."""
    return state + GAMMA


@njit
def unit(state: np.uint64) -> float:
    """A uniform number in [0, 1) from a state."""
    return (mix(state) >> _S11) * _TO_UNIT


@njit
def below(state: np.uint64, n: int) -> int:
    """A uniform integer in [0, n), n < 2**31, from a state (bias below n / 2**32)."""
    return np.int64(((mix(state) >> _S32) * np.uint64(n)) >> _S32)
