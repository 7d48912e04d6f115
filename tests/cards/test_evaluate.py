import numpy as np
import pytest

from oracles import cards as oracle
from sixmax.base import jit, rng
from sixmax.cards import evaluate
from sixmax.cards.deck import card_bit, parse_cards

CATEGORIES = (
    "high card", "one pair", "two pair", "three of a kind", "straight", "flush", "full house",
    "four of a kind", "straight flush",
)  # fmt: skip


@jit.njit
def _count_hands(n, k, seen, categories):
    """Evaluate all hands of k of n cards: mark values as seen, count categories."""
    distinct = 0
    chosen = np.arange(k)
    chosen[k - 1] -= 1
    head = 0
    while True:
        # next_combination, with the bits of all cards but the last kept
        chosen[k - 1] += 1
        if chosen[k - 1] == n or head == 0:
            if head:
                i = k - 2
                while i >= 0 and chosen[i] == n - k + i:
                    i -= 1
                if i < 0:
                    return distinct
                chosen[i] += 1
                for j in range(i + 1, k):
                    chosen[j] = chosen[j - 1] + 1
            head = 0
            for j in range(k - 1):
                head |= card_bit(chosen[j])
        value = evaluate.evaluate_packed(head | card_bit(chosen[k - 1]))
        categories[value >> 26] += 1
        word, bit = value >> 6, np.uint64(1) << np.uint64(value & 63)
        if not seen[word] & bit:
            seen[word] |= bit
            distinct += 1


# Frequencies of poker hands of five and of seven cards, in the order of CATEGORIES:
# https://en.wikipedia.org/wiki/Poker_probability
FIVE = [1_302_540, 1_098_240, 123_552, 54_912, 10_200, 5_108, 3_744, 624, 40]
SEVEN = [
    23_294_460, 58_627_800, 31_433_400, 6_461_620, 6_180_020, 4_047_644, 3_473_184, 224_848, 41_584
]  # fmt: skip


@pytest.mark.parametrize(("k", "different", "expected"), [(5, 7462, FIVE), (7, 4824, SEVEN)])
def test_evaluate__all_hands_of_the_deck(k, different, expected):
    seen = np.zeros(9 << 20, np.uint64)  # a bit for each value; few pages are touched
    actual = np.zeros(9, np.int64)
    assert _count_hands(52, k, seen, actual) == different
    assert actual.tolist() == expected


@pytest.mark.parametrize(("ranks", "size"), [(13, 5), (13, 6), (13, 7), (6, 7), (4, 7), (7, 5)])
def test_evaluate__orders_random_hands_as_the_oracle(ranks, size):
    random = rng.generator(1, "evaluate", ranks, size)
    hands = [random.permutation(4 * ranks)[:size].astype(np.int8) for _ in range(1500)]
    values = np.array([evaluate.evaluate(hand) for hand in hands])
    keys = [oracle.best_hand(hand, ranks) for hand in hands]
    place = {key: i for i, key in enumerate(sorted({_hashable(k) for k in keys}))}
    expected = np.array([place[_hashable(k)] for k in keys])
    actual = np.unique(values, return_inverse=True)[1]
    assert np.array_equal(actual, expected)
    assert [v >> 26 for v in values.tolist()] == [key[0] for key in keys]


def _hashable(key):
    return (key[0], tuple(key[1]))


LADDER = [  # ascending; hands of a row tie
    ["2c3d4h5s7c", "7d5h4s3c2d"],
    ["AhKdQcJs9h", "AhKdQcJs9h2c3d"],
    ["2c2d3h4s5c"],
    ["AcAdKhQsJc", "AcAdKhQsJc3d2s"],
    ["3c3d2h2sAc", "3c3d2h2sAcKdQs"],
    ["3c3d2h2sAc4d4s"],  # three pairs: fours, threes, ace
    ["KcKdQhQs2c", "KcKd2h2sQcQd"],  # three pairs: the third pair's rank is the kicker
    ["KcKdQhQsJcJd5h"],
    ["KcKdQhQsJcJdAh"],  # three pairs, and a kicker above the third
    ["2c2d2h3s4c"],
    ["Ah2c3d4s5h", "Ah2c3d4s5h9cTd"],  # the wheel is the lowest straight
    ["2h3c4d5s6h", "Ah2h3c4d5s6h"],
    ["TsJdQhKcAc", "TsJdQhKcAcAdAh", "9cTsJdQhKcAc"],
    ["2h3h4h5h7h"],
    ["AhKhQhJh9h", "AhKhQhJh9h2h3h", "AhKhQhJh9hTc"],  # straight and flush: the flush counts
    ["2c2d2h3s3c"],
    ["2c2d2hAsAc", "2c2d2hAsAcKsKc"],
    ["3c3d3h2s2c2dAs"],  # two trips: threes full of deuces
    ["AcAdAhKsKcKdQs", "AcAdAhKsKc2d3s"],
    ["2c2d2h2s3c"],
    ["2c2d2h2sAcAdAh"],
    ["Ah2h3h4h5h", "Ah2h3h4h5hKhQh"],  # the steel wheel is below six high
    ["2h3h4h5h6h", "2h3h4h5h6hAh"],
    ["ThJhQhKhAh", "ThJhQhKhAhAcAd"],
]


def test_evaluate__ladder_of_known_hands():
    values = [{evaluate.evaluate(parse_cards(hand)) for hand in row} for row in LADDER]
    assert all(len(row) == 1 for row in values)
    actual = [row.pop() for row in values]
    assert actual == sorted(set(actual))


def test_evaluate__board_plays():
    twos, aces = (parse_cards(hole + "TsJsQsKsAs") for hole in ("2c2d", "AhAd"))
    assert evaluate.evaluate(twos) == evaluate.evaluate(aces)


def test_evaluate__no_wheel_in_a_short_deck():
    low_straight = parse_cards("9cTdJhQsKc", ranks=6)
    would_be_wheel = parse_cards("Ac9dThJsQc", ranks=6)
    assert CATEGORIES[evaluate.evaluate(low_straight) >> 26] == "straight"
    assert evaluate.evaluate(would_be_wheel) >> 26 == 0


BOARDS = {
    13: ["2c3d4h5s7c", "AhKhQhJh9h", "AhKhQhJh2c", "2h7h9hTcJd", "9c9d9h9sAc", "9c9d9hAsAc"],
    6: ["9c9dTcTdJc", "9hThJhQhKh", "9hThJhQhAs"],
    3: ["QcQdKcKdAc", "QcQdKcKdAh"],
}


@pytest.mark.parametrize("ranks", [13, 6, 3])
def test_rank_holes__equals_evaluate(ranks):
    random = rng.generator(2, "rank_holes", ranks)
    cards = [random.permutation(4 * ranks).astype(np.int8) for _ in range(60)]
    boards = [shuffled[: 3 + i % 3] for i, shuffled in enumerate(cards)]
    boards += [parse_cards(text, ranks) for text in BOARDS[ranks]]
    holes = oracle.holes(ranks)
    actual = np.empty(len(holes), np.int32)
    for board in boards:
        evaluate.rank_holes(board, ranks, actual)
        taken = set(board.tolist())
        expected = [
            -1 if taken & set(h) else evaluate.evaluate(np.array([*h, *board], np.int8))
            for h in holes
        ]
        assert actual.tolist() == expected
