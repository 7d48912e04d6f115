"""Kuhn and Leduc: counts and values that are known, by enumeration over tree and deals."""

from fractions import Fraction

import numpy as np
import pytest

from oracles import game as oracle
from sixmax.base.errors import UserError
from sixmax.betting.tree import (
    DECISION,
    FOLDED,
    SHOWDOWN,
    children,
    kind_of,
    round_of,
    seat_of,
)
from sixmax.betting.tree_build import build
from sixmax.betting.tree_count import count
from sixmax.games import GAMES


def value(name, seats, strategy):
    """Exact expected net chips by seat under ``strategy(seat, round, bucket, history)``.

    A walk over the tree's arrays and all deals; ``strategy`` returns a list of Fractions.
    """
    tree, deals = build(GAMES[name].config(seats)), GAMES[name].deals(seats)
    total = [Fraction(0)] * seats

    def walk(node, deal, reach, history, put):
        kind = kind_of(int(tree.node[node, 0]))
        if kind != DECISION:
            for seat, chips in enumerate(terminal(tree, node, deals.rank[deal, 0], put)):
                total[seat] += reach * chips
            return
        head = int(tree.node[node, 0])
        seat, in_round = seat_of(head), round_of(head)
        put = {**put, seat: int(tree.node[node, 3])}
        chances = strategy(seat, in_round, int(deals.bucket[deal, seat, in_round]), history)
        for child, chance in zip(children(tree, node), chances, strict=True):
            if chance:
                walk(child, deal, reach * chance, (*history, int(tree.action[child])), put)

    for deal in range(len(deals.rank)):
        walk(0, deal, Fraction(1, len(deals.rank)), (), {})
    return total


def terminal(tree, node, rank, put):
    """Net chips at a terminal from its record; ``put`` is what folders had put in by then."""
    head, pot, level, mask = (int(x) for x in tree.node[node])
    seats = tree.columns.shape[1]
    if kind_of(head) == FOLDED:
        winner = seat_of(head)
        return [pot - level if seat == winner else -put[seat] for seat in range(seats)]
    assert kind_of(head) == SHOWDOWN
    left = [seat for seat in range(seats) if mask >> seat & 1]
    best = max(rank[seat] for seat in left)
    winners = [seat for seat in left if rank[seat] == best]
    net = [-level if seat in left else -put[seat] for seat in range(seats)]
    for seat in winners:
        net[seat] += Fraction(pot, len(winners))
    return net


def kuhn_equilibrium(seat, in_round, card, history):
    """Kuhn's equilibrium with alpha = 1/5 (Kuhn 1950): first player bets J with alpha, K with 3."""
    alpha = Fraction(1, 5)
    if seat == 0:
        bet, call = [(alpha, 0), (0, alpha + Fraction(1, 3)), (3 * alpha, 1)][card]
    else:
        bet, call = [(Fraction(1, 3), 0), (0, Fraction(1, 3)), (1, 1)][card]
    facing = history and history[-1] > 0
    return [1 - call, call] if facing else [1 - bet, bet]


def test_kuhn__value_of_an_equilibrium():
    # 1/18 to the second player: Kuhn (1950); reference value -0.0555556
    assert value("kuhn", 2, kuhn_equilibrium) == [Fraction(-1, 18), Fraction(1, 18)]


def uniform(name, seats):
    tree = build(GAMES[name].config(seats))
    sizes = {}
    stack = [(0, ())]
    while stack:
        node, history = stack.pop()
        block = children(tree, node)
        sizes[history] = len(block)
        stack += [(child, (*history, int(tree.action[child]))) for child in block]
    return lambda seat, in_round, bucket, history: [Fraction(1, sizes[history])] * sizes[history]


def uniform_by_rules(name, seats):
    """The same value from the slow twins: dealt card by card, played by the rule book."""
    game = GAMES[name].config(seats)
    ranks = seats + 1
    deck = list(range(ranks)) if name == "kuhn" else [r for r in range(ranks) for _ in "ab"]
    board_cards = 0 if name == "kuhn" else 1
    total = [Fraction(0)] * seats

    def strengths(cards):
        own, board = cards[:seats], cards[seats:]
        return [(card in board, card) for card in own]

    def bet(actions, reach, cards):
        table = oracle.table(game)
        for action in actions:
            table.act(action)
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
    actual = value(name, seats, uniform(name, seats))
    assert actual == expected
    assert sum(actual) == 0


def test_kuhn__uniform_is_worth_an_eighth_to_the_first():
    # by hand: checked down 0, bet and fold 1, bet and call fair: (1/4 - 1/8) of the time alone
    assert value("kuhn", 2, uniform("kuhn", 2)) == [Fraction(1, 8), Fraction(-1, 8)]


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
