"""Kuhn and Leduc: counts and values that are known, by enumeration over tree and deals."""

from fractions import Fraction

import numpy as np
import pytest

from cfr.games import small
from oracles import game as oracle
from sixmax.base.errors import UserError
from sixmax.betting.tree_build import build
from sixmax.betting.tree_count import count
from sixmax.games import GAMES


def uniform_by_rules(name, seats):
    """Net chips by seat when all play uniformly: dealt card by card, played by the rule book."""
    game = GAMES[name].config(seats)
    ranks = seats + 1
    deck = list(range(ranks)) if name == "kuhn" else [r for r in range(ranks) for _ in "ab"]
    board_cards = 0 if name == "kuhn" else 1
    total = [Fraction(0)] * seats

    def strengths(cards):
        own, board = cards[:seats], cards[seats:]
        return [(card in board, card) for card in own]

    def bet(actions, reach, cards):
        table = oracle.table(game, actions)
        if table.over:
            net = oracle.payoffs(table.put, table.left, strengths(cards))
            for seat in range(seats):
                total[seat] += reach * net[seat]
            return
        offered = oracle.actions(game, table)
        for action in offered:
            bet([*actions, action], reach / len(offered), cards)

    def deal(deck, cards, reach):
        if len(cards) == seats + board_cards:
            bet([], reach, cards)
            return
        for k, card in enumerate(deck):
            deal(deck[:k] + deck[k + 1 :], [*cards, card], reach / len(deck))

    deal(deck, [], Fraction(1))
    return total


@pytest.mark.parametrize(("name", "seats"), [("kuhn", 2), ("kuhn", 3), ("leduc", 2)])
def test_uniform__value_agrees_with_the_twin(name, seats):
    expected = uniform_by_rules(name, seats)
    assert sum(expected) == 0
    assert small(name, seats).untrained().values == pytest.approx(np.array(expected, float))
    # By hand: checked down 0, bet and fold 1, bet and call fair: (1/4 - 1/8) of the time alone.
    assert (name, seats) != ("kuhn", 2) or expected == [Fraction(1, 8), Fraction(-1, 8)]


@pytest.mark.parametrize(
    ("name", "seats", "deals", "infosets"),
    [
        ("kuhn", 2, 6, 12),  # OpenSpiel: kuhn_poker has 12 information states
        ("kuhn", 3, 24, 48),
        ("leduc", 2, 120, 288),  # 936 with suits told apart, 288 by rank (Southey et al. 2005)
        ("leduc", 3, 1680, 7428),
    ],
)
def test_counts__infosets_and_deals(name, seats, deals, infosets):
    game, dealt = GAMES[name].config(seats), GAMES[name].deals(seats)
    decisions = count(game).decisions.sum(axis=1)
    assert dealt.bucket.shape == (deals, seats, len(game.rounds))
    assert dealt.bucket.dtype == dealt.rank.dtype == np.int32
    assert (decisions * dealt.buckets).sum() == infosets


def test_leduc__stacks_never_bind():
    # two raises of 2, two of 4, ante 1: nobody can put in more than 13
    tree = build(GAMES["leduc"].config(2))
    assert tree.action.max() == 13
    assert len(tree.contributed) == 0


def test_leduc__deals_pairs_beat_high_cards():
    dealt = GAMES["leduc"].deals(2)
    own, board = dealt.bucket[:, :, 0], dealt.bucket[:, :, 1] % 3
    assert (dealt.bucket[:, :, 1] // 3 == own).all()
    assert (board[:, 0] == board[:, 1]).all()
    rank, paired = dealt.rank[:, 0], own == board
    assert not paired.all(axis=1).any()
    assert (rank[paired] >= 3).all()
    assert (rank[~paired] == own[~paired]).all()
    assert np.isclose(paired.mean(), 1 / 5)  # one of the five other cards pairs


def test_deals__of_too_many_seats_are_refused():
    with pytest.raises(UserError, match="found 9 seats, wanted 2 to 5"):
        GAMES["kuhn"].deals(9)
