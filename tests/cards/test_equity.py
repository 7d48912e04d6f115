import csv
from itertools import product
from math import comb
from pathlib import Path

import numpy as np
import pytest

from oracles import cards as oracle
from sixmax.base.errors import UserError
from sixmax.base.rng import generator
from sixmax.cards import deck, equity
from sixmax.cards.evaluate import rank_holes
from sixmax.cards.strength_ladder import climb, ladder

ALL_IN_TABLE = Path(__file__).parents[3] / "shared/data/preflop_allin_169x169.csv"


def _river_boards(ranks, n):
    random = generator(6, "river", ranks)
    boards = [random.permutation(4 * ranks)[:5].astype(np.int8) for _ in range(n)]
    one_suit = np.arange(5, dtype=np.int8) * 4 % (4 * ranks) + (np.arange(5) >= ranks)
    return [*boards, one_suit.astype(np.int8), np.arange(5, dtype=np.int8)]


def _wins2(board, ranks=13):
    """Twice the wins plus the ties of each hole, by ``sweep``."""
    s, wins2 = ladder(ranks), np.empty(deck.n_holes(ranks), np.int32)
    equity.sweep(climb(board, ranks, s), s, wins2)
    return wins2


@pytest.mark.parametrize(("ranks", "n"), [(3, 6), (6, 3)])
def test_sweep__equals_the_oracle(ranks, n):
    for board in _river_boards(ranks, n):
        wins2 = _wins2(board, ranks)
        expected = oracle.river_equity(board, ranks)
        for hole, actual in zip(oracle.holes(ranks), wins2.tolist(), strict=True):
            assert (actual, comb(4 * ranks - 7, 2)) == expected.get(
                hole, (-1, comb(4 * ranks - 7, 2))
            )


@pytest.mark.parametrize(("ranks", "n"), [(3, 6), (6, 3)])
def test_sweep_clusters__equals_the_oracle(ranks, n):
    holes, clusters = deck.n_holes(ranks), 3
    cluster = generator(7, "clusters", ranks).integers(0, clusters, holes).astype(np.uint8)
    s = ladder(ranks)
    wins2, total = np.empty((2, holes, clusters), np.int32)
    for board in _river_boards(ranks, n):
        equity.sweep_clusters(climb(board, ranks, s), cluster, s, wins2, total)
        expected = oracle.river_equity_clusters(board, ranks, cluster, clusters)
        for i, hole in enumerate(oracle.holes(ranks)):
            actual = list(zip(wins2[i].tolist(), total[i].tolist(), strict=True))
            assert actual == expected.get(hole, [(0, 0)] * clusters)


def test_sweep__full_deck():
    # Every pair of holes compared, by numpy: obvious, and quick enough for 1,081 holes.
    cards, clusters = deck.hole_cards(13).astype(np.int64), 8
    cluster = generator(8, "clusters").integers(0, clusters, 1326).astype(np.uint8)
    s, value = ladder(13), np.empty(1326, np.int32)
    by_cluster, total = np.empty((2, 1326, clusters), np.int32)
    share = (cards[:, None, :, None] == cards[None, :, None, :]).any(axis=(2, 3))
    member = np.eye(clusters, dtype=np.int64)[cluster]
    for board in _river_boards(13, 8):
        rank_holes(board, 13, value)
        free = value >= 0
        meet = free[:, None] & free[None, :] & ~share
        result = meet * (1 + np.sign(value[:, None].astype(np.int64) - value))
        equity.sweep_clusters(climb(board, 13, s), cluster, s, by_cluster, total)
        assert free.sum() == 1081
        assert (meet.sum(axis=1)[free] == 990).all()
        assert np.array_equal(_wins2(board), np.where(free, result.sum(axis=1), -1))
        assert np.array_equal(total, meet @ member)
        assert np.array_equal(by_cluster, np.where(free[:, None], result @ member, 0))


def test_sweep__board_plays_and_all_tie():
    wins2 = _wins2(deck.parse_cards("TsJsQsKsAs"))
    assert sorted(set(wins2.tolist())) == [-1, 990]


def test_sweep__nuts_always_win():
    wins2 = _wins2(deck.parse_cards("TsJsQs2c2d"))
    assert wins2[deck.hole_id(*deck.parse_cards("KsAs"))] == 2 * 990


@pytest.mark.parametrize(
    ("hands", "board", "ranks"),
    [
        (["AhKd", "AdKh"], "", 3),
        (["AhAd", "KhKd", "QhQd"], "", 3),
        (["AhKd", "QsJc"], "9cTdAd", 6),
        (["AhKd", "QsJc", "9h9d", "TcTd"], "9cKsAd", 6),
        (["AhAd", "KhKd"], "TsJsQs2c2d", 13),
        (["AhAd", "KhKd", "7s8s"], "TsJsQs", 13),
    ],
)
def test_equity__equals_the_oracle(hands, board, ranks):
    cards = [deck.parse_cards(hand, ranks) for hand in hands]
    expected = oracle.equity(cards, deck.parse_cards(board, ranks), ranks)
    actual = equity.equity(*hands, board=board, ranks=ranks)
    assert actual.tolist() == pytest.approx([float(x) for x in expected], abs=1e-12)
    assert actual.sum() == pytest.approx(1, abs=1e-12)


def _class_equity(hero, villain):
    """All-in before the flop, averaged over the suits of two classes; one deal per isomorphism."""
    names, classes = deck.class_names(13), deck.classes(13)
    cards = deck.hole_cards(13)
    mine, theirs = (cards[classes == names.index(name)].tolist() for name in (hero, villain))
    deals = [(a, b) for a, b in product(mine, theirs) if not set(a) & set(b)]
    known = {}
    for a, b in deals:
        key = oracle.isomorphism_class(a, b)
        if key not in known:
            known[key] = equity.equity(a, b)[0]
    return np.mean([known[oracle.isomorphism_class(a, b)] for a, b in deals])


@pytest.mark.parametrize(
    ("hero", "villain", "expected"),
    [("AA", "KK", 0.81946), ("AKs", "QQ", 0.46049), ("AKo", "22", 0.47351)],
)
def test_equity__published_all_ins(hero, villain, expected):
    # Widely published match-ups of starting hands; uniform (0.5) is far off each of them.
    assert _class_equity(hero, villain) == pytest.approx(expected, abs=5e-6)


def test_equity__table_of_classes():
    if not ALL_IN_TABLE.exists():
        pytest.skip(f"{ALL_IN_TABLE.name} is not in {ALL_IN_TABLE.parent}")
    with ALL_IN_TABLE.open() as file:
        table = list(csv.reader(file))
    names = table[0][1:]
    assert sorted(names) == sorted(deck.class_names(13))
    for row, column in generator(9, "all in").integers(0, 169, (6, 2)).tolist():
        expected = float(table[1 + row][1 + column])
        actual = _class_equity(names[row], names[column])
        assert actual == pytest.approx(expected, abs=2e-6), (names[row], names[column])


@pytest.mark.parametrize(
    ("hands", "board", "fault"),
    [
        (["AhAd"], "", "hands of 2 cards on a board of 0"),
        (["AhAd", "Kh"], "", "hands of 2, 1 cards"),
        (["AhAd", "KhKd"], "2c3c4c5c6c7c", "board of 6"),
        (["AhAd", "AhKd"], "", "Ah is dealt twice"),
        ([], "", "hands of no cards"),
    ],
)
def test_equity__refused_in_one_line(hands, board, fault):
    with pytest.raises(UserError, match=fault) as error:
        equity.equity(*hands, board=board)
    assert "\n" not in str(error.value)
