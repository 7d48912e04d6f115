"""The evaluator: a board with all holes, one hand at a time, and phevaluator's call from Python.

The holes of a board share what the board alone says, and that is how features are made. One hand
at a time is what phevaluator does; there both begin with hands that are made beforehand: packed
into one number each for ours, lists of seven card numbers for theirs.
"""

import numpy as np

from benchmarks.measure import Meter, installed
from sixmax.cards.deck import pack
from sixmax.cards.evaluate import evaluate_packed, rank_holes
from sixmax.cards.isomorphism import boards
from sixmax.jit import njit

BOARDS, HANDS, CALLS = 4000, 1_000_000, 50_000
ONE = "one hand at a time in a compiled loop, packed beforehand"
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
    cards = boards(13, 5).cards
    cards = cards[:: max(1, int(len(cards) / (share * BOARDS)))]
    out = np.empty(1326, np.int32)

    def whole_boards() -> float:
        _enumerate_kernel(cards, out)
        return len(cards) * 1081

    some = hands(max(100, int(share * HANDS) // 10))
    packed = np.resize([pack(hand) for hand in some], int(share * HANDS))

    def singly() -> float:
        _one_by_one_kernel(packed)
        return len(packed)

    meter.rate("all holes of a board", "hands/s", whole_boards)
    meter.rate(ONE, "hands/s", singly)
    _phevaluator(meter, some[: max(100, int(share * CALLS))].tolist())


def _phevaluator(meter: Meter, some: list[list[int]]) -> None:
    if not installed("phevaluator"):
        meter.skip(PHEVALUATOR, "phevaluator is not installed (dev group of pyproject.toml)")
        return
    from phevaluator import evaluate_cards

    def calls() -> float:
        for hand in some:
            evaluate_cards(*hand)
        return len(some)

    meter.rate(PHEVALUATOR, "hands/s", calls)
