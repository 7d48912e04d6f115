import csv
import itertools
from math import comb
from pathlib import Path

import numpy as np
import pytest

from oracles import cards as oracle
from oracles.cards import best_hand, holes
from sixmax.base.rng import generator
from sixmax.cards import deck, equity
from sixmax.cards.deck import class_names, classes
from sixmax.cards.equity import disjoint, matchups
from sixmax.cards.evaluate import rank_holes
from sixmax.cards.strength_ladder import climb, ladder

# Widely published match-ups of starting hands.
ALL_INS = [("AA", "KK", 0.81946), ("AKs", "QQ", 0.46049), ("AKo", "22", 0.47351)]
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


def counted(ranks, board_cards):
    """(wins, deals) by class, board by board and hole by hole."""
    of_hole, every = classes(ranks), holes(ranks)
    wins, deals = np.zeros((2, ranks * ranks, ranks * ranks), int)
    apart = np.array([[not set(a) & set(b) for b in every] for a in every])
    for board in itertools.combinations(range(4 * ranks), board_cards):
        free = [i for i, hole in enumerate(every) if not set(hole) & set(board)]
        hands = [best_hand((*every[i], *board), ranks) for i in free]
        order = {hand: at for at, hand in enumerate(sorted(set(map(str, hands))))}
        ladder = sorted(range(len(hands)), key=lambda i: hands[i])
        level, value = 0, np.empty(len(hands), int)
        for before, i in itertools.pairwise([ladder[0], *ladder]):
            level += hands[before] != hands[i]
            value[i] = level
        assert level == len(order) - 1
        pairs = apart[np.ix_(free, free)]
        beats = pairs & (value[:, None] > value[None, :])
        cell = np.broadcast_to(of_hole[free], pairs.shape)
        np.add.at(deals, (cell.T[pairs], cell[pairs]), 1)
        np.add.at(wins, (cell.T[beats], cell[beats]), 1)
    return wins, deals


@pytest.mark.parametrize(("ranks", "board_cards"), [(3, 5), (4, 3), (5, 3), (3, 4)])
def test_matchups__equal_counting(ranks, board_cards):
    wins, deals = counted(ranks, board_cards)
    actual = matchups(ranks, board_cards)
    assert np.array_equal(actual.wins, wins)
    assert np.array_equal(actual.deals, deals)


def test_matchups__of_the_full_deck_on_flops():
    """C(52, 2) C(50, 2) C(48, 3) deals; nobody wins more than are dealt."""
    actual = matchups(13, 3)
    assert actual.deals.sum() == 1326 * 1225 * 17296
    assert (actual.wins + actual.wins.T <= actual.deals).all()


@pytest.mark.slow
def test_matchups__of_the_full_deck():
    """2,781,381,002,400 deals; aces hold 85.2 % against a random hand."""
    actual = matchups(13, 5)
    assert actual.deals.sum() == 2_781_381_002_400
    share = (actual.wins + (actual.deals - actual.wins.T)) / 2 / actual.deals
    names = class_names(13)
    for mine, other, expected in ALL_INS:
        assert share[names.index(mine), names.index(other)] == pytest.approx(expected, abs=5e-6)
    aces = (share * actual.deals)[0].sum() / actual.deals[0].sum()
    assert aces == pytest.approx(0.852, abs=5e-4)
    if not ALL_IN_TABLE.exists():
        pytest.skip(f"{ALL_IN_TABLE.name} is not in {ALL_IN_TABLE.parent}")
    with ALL_IN_TABLE.open() as file:
        table = list(csv.reader(file))
    order = [names.index(name) for name in table[0][1:]]
    expected = np.array([row[1:] for row in table[1:]], float)
    np.testing.assert_allclose(share[np.ix_(order, order)], expected, atol=2e-6)


def test_disjoint__holes_share_no_card():
    expected = [[not set(a) & set(b) for b in holes(3)] for a in holes(3)]
    assert disjoint(3).tolist() == expected
