"""Class against class over all boards, against counting by hand and published figures."""

import itertools

import numpy as np
import pytest

from oracles.cards import best_hand, holes
from sixmax.cards.deck import class_names, classes
from sixmax.cards.matchups import disjoint, matchups


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
    """2,781,381,002,400 deals; aces hold 85.2 % against a random hand, 81.9 % against kings."""
    actual = matchups(13, 5)
    assert actual.deals.sum() == 2_781_381_002_400
    aces, kings = (class_names(13).index(name) for name in ("AA", "KK"))
    share = (actual.wins + (actual.deals - actual.wins.T)) / 2
    assert share[aces].sum() / actual.deals[aces].sum() == pytest.approx(0.852, abs=5e-4)
    assert share[aces, kings] / actual.deals[aces, kings] == pytest.approx(0.8195, abs=5e-4)


def test_disjoint__holes_share_no_card():
    expected = [[not set(a) & set(b) for b in holes(3)] for a in holes(3)]
    assert disjoint(3).tolist() == expected
