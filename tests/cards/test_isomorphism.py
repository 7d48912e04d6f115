from collections import Counter
from itertools import combinations, permutations
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracles import cards as oracle
from oracles.situations import situation, situation_index
from sixmax.base import jit, rng
from sixmax.cards import isomorphism
from sixmax.cards.deck import hole_cards, hole_id, n_holes

# Situations: Waugh, "A fast and optimal hand isomorphism algorithm" (2013); the flop's also in
# the Pluribus supplement (1,286,792). Boards: the number of canonical boards, well known.
BOARDS = {0: 1, 3: 1_755, 4: 16_432, 5: 134_459}
SITUATIONS = {0: 169, 3: 1_286_792, 4: 13_960_050, 5: 123_156_254}


@pytest.mark.parametrize("k", [0, 3, 4, 5])
def test_boards__full_deck_counts(k):
    boards = isomorphism.boards(13, k)
    assert len(boards.cards) == BOARDS[k]
    assert boards.cards.shape == (BOARDS[k], k)
    assert int(boards.count.sum()) == comb(52, k)
    assert int(isomorphism.offsets(13, k)[-1]) == SITUATIONS[k]


def test_situation_weights__full_deck():
    actual = isomorphism.situation_weights(13, 3)
    assert int(actual.sum()) == comb(52, 2) * comb(50, 3)
    assert (int(actual.min()), int(actual.max())) == (4, 24)
    assert Counter(isomorphism.situation_weights(13, 0).tolist()) == {4: 78, 6: 13, 12: 78}


@pytest.mark.parametrize(("ranks", "k"), [(6, 3), (4, 4), (4, 5)])
def test_canonical_board__brute_force_on_short_decks(ranks, k):
    boards = isomorphism.boards(ranks, k)
    perm, ids = np.empty(4, np.int8), {}
    for raw in combinations(range(4 * ranks), k):
        number = isomorphism.canonical_board(boards, np.array(raw, np.int8), perm)
        assert oracle.rename(raw, perm.tolist()) == tuple(boards.cards[number].tolist())
        ids.setdefault(oracle.isomorphism_class((), raw), []).append(number)
    assert all(len(set(numbers)) == 1 for numbers in ids.values())
    expected = Counter({numbers[0]: len(numbers) for numbers in ids.values()})
    assert sorted(expected) == list(range(len(boards.cards)))
    assert [expected[i] for i in range(len(boards.cards))] == boards.count.tolist()


def test_canonical_board__rejects_another_round():
    boards, perm = isomorphism.boards(6, 3), np.empty(4, np.int8)
    assert isomorphism.canonical_board(boards, np.arange(4, dtype=np.int8), perm) == -1


@pytest.mark.parametrize(("ranks", "k"), [(4, 0), (6, 0), (4, 3), (3, 4), (3, 5)])
def test_situation_index__exhaustive_on_short_decks(ranks, k):
    groups = {}
    for raw in combinations(range(4 * ranks), k):
        for hole in combinations([c for c in range(4 * ranks) if c not in raw], 2):
            groups.setdefault(oracle.isomorphism_class(hole, raw), []).append((hole, raw))
    weights = isomorphism.situation_weights(ranks, k)
    assert len(weights) == len(groups)
    assert int(weights.sum()) == comb(4 * ranks, 2) * comb(4 * ranks - 2, k)
    seen = set()
    for deals in groups.values():
        some = [deals[0], deals[-1], deals[len(deals) // 2]]
        numbers = {situation_index(h, b, ranks) for h, b in some}
        assert len(numbers) == 1
        number = numbers.pop()
        assert weights[number] == len(deals)
        hole, board = situation(number, k, ranks)
        assert oracle.isomorphism_class(hole, board) == oracle.isomorphism_class(*deals[0])
        seen.add(number)
    assert seen == set(range(len(groups)))


@pytest.mark.parametrize("k", [0, 3, 4, 5])
def test_situation__round_trip(k):
    last = SITUATIONS[k] - 1
    for index in [0, last, *rng.generator(3, "round trip", k).integers(0, last, 300).tolist()]:
        hole, board = situation(index, k)
        assert len({*hole.tolist(), *board.tolist()}) == 2 + k
        assert situation_index(hole, board) == index


@given(
    st.lists(st.integers(0, 51), unique=True, min_size=7, max_size=7), st.sampled_from([3, 4, 5])
)
def test_situation_index__same_for_all_suit_permutations(cards, k):
    expected = situation_index(cards[:2], cards[2 : 2 + k])
    for perm in permutations(range(4)):
        renamed = [4 * (c // 4) + perm[c % 4] for c in cards]
        assert situation_index(renamed[:2], renamed[2 : 2 + k]) == expected


@pytest.mark.parametrize(("ranks", "k"), [(13, 0), (13, 3), (13, 5), (6, 4)])
def test_orbits__equal_the_oracle(ranks, k):
    random = rng.generator(4, "orbits", ranks, k)
    actual = np.empty(n_holes(ranks), np.int16)
    boards = [random.permutation(4 * ranks)[:k].astype(np.int8) for _ in range(6)]
    boards.append(np.arange(k, dtype=np.int8) * 4)  # one suit: three suits interchangeable
    boards.append(np.arange(k, dtype=np.int8))  # one rank: as many suits alike as can be
    for board in boards:
        n = isomorphism.orbits(board, actual)
        kept = tuple(sorted(board.tolist()))
        same = [p for p in permutations(range(4)) if oracle.rename(board, p) == kept]
        number, expected = {}, []
        for hole in oracle.holes(ranks):
            if set(hole) & set(board.tolist()):
                expected.append(-1)
                continue
            key = min(oracle.rename(hole, p) for p in same)
            expected.append(number.setdefault(key, len(number)))
        assert actual.tolist() == expected
        assert n == len(number)


@jit.njit
def _same_holes(boards, raws, holes, orbit):
    """Count holes of raw boards whose image on the canonical board is blocked."""
    perm = np.empty(4, np.int8)
    blocked = 0
    for raw in raws:
        board = isomorphism.canonical_board(boards, raw, perm)
        isomorphism.orbits(boards.cards[board], orbit)
        for lo, hi in holes:
            blocked += orbit[isomorphism.permute_hole(lo, hi, perm)] < 0
    return blocked


def test_permute_hole__blocked_holes_stay_blocked():
    random = rng.generator(5, "permute")
    raws = np.array([random.permutation(52)[:5] for _ in range(500)], np.int8)
    orbit = np.empty(1326, np.int16)
    actual = _same_holes(isomorphism.boards(13, 5), raws, hole_cards(13), orbit)
    assert actual == 500 * (1326 - 1081)
    perm = np.array([2, 0, 3, 1], np.int8)
    assert isomorphism.permute_hole(1, 7, perm) == hole_id(0, 5)


@pytest.mark.parametrize(
    ("call", "fault"),
    [
        (lambda: isomorphism.boards(13, 2), "board of 2 cards"),
        (lambda: isomorphism.boards(14, 3), "deck of 14 ranks"),
    ],
)
def test_public_functions__refuse_in_one_line(call, fault, refused):
    with refused(fault):
        call()
