"""The evaluator: a board with all holes, one hand at a time, phevaluator from Python.

Features are made by boards; phevaluator takes a hand at a time, in a form made beforehand, as ours.
"""

import numpy as np

from benchmarks.measure import Meter
from sixmax.base.jit import njit
from sixmax.cards.deck import pack
from sixmax.cards.evaluate import evaluate_packed, rank_holes
from sixmax.cards.isomorphism import boards

BOARDS, HANDS, CALLS = 4000, 1_000_000, 50_000
PHEVALUATOR = "phevaluator, a call a hand from Python, card numbers made beforehand"


@njit
def _enumerate_kernel(cards, out):
    for i in range(len(cards)):
        rank_holes(cards[i], 13, out)


@njit
def _one_by_one_kernel(packed):
    total = 0
    for i in range(len(packed)):
        total += evaluate_packed(packed[i])
    return total


def hands(n: int) -> np.ndarray:
    """``n`` hands of seven cards: int64[n, 7]."""
    draw = np.random.default_rng(1)
    return draw.permuted(np.tile(np.arange(52), (n, 1)), axis=1)[:, :7]


def measure(meter: Meter, share: float = 1.0) -> None:
    """Hands of seven cards a second on one core; ``share`` of the usual amount of work."""
    meter.begin("evaluator, seven cards, one core")
    cards, out = boards(13, 5).cards, np.empty(1326, np.int32)
    cards = cards[:: max(1, int(len(cards) / (share * BOARDS)))]
    some = hands(max(100, int(share * HANDS) // 10))
    packed = np.resize([pack(hand) for hand in some], int(share * HANDS))
    meter.rate("all holes of a board", "hands/s", len(cards) * 1081,
               lambda: _enumerate_kernel(cards, out))  # fmt: skip
    label = "one hand at a time in a compiled loop, packed beforehand"
    meter.rate(label, "hands/s", len(packed), lambda: _one_by_one_kernel(packed))
    if meter.beside("phevaluator"):
        from phevaluator import evaluate_cards

        few = some[: max(100, int(share * CALLS))].tolist()
        meter.rate(PHEVALUATOR, "hands/s", len(few), lambda: [evaluate_cards(*h) for h in few])
