"""All-in pots over the boards that could have come."""

from itertools import chain, combinations

import numpy as np
import pytest

from hands.small import CARDS, NAMES
from oracles.cards import hand_value
from oracles.games import hand_after, holdem
from sixmax.base.errors import UserError
from sixmax.betting.rules import CALL, FOLD
from sixmax.betting.tree_build import build
from sixmax.cards.deck import format_cards, parse_cards
from sixmax.hands.all_in import draws, expected, settle_early
from sixmax.hands.phh import parse
from sixmax.hands.record import UNSEEN, record


def by_hand(game, actions, holes, board, ranks):
    """Net chips after ``actions``, the mean over all boards that go on from this one, in Python."""
    betting = hand_after(game, actions)
    if len(board) == 5 or not betting.over or not betting.showdown:
        return np.full(game.seats, np.nan)
    rest = [c for c in range(4 * ranks) if c not in {*chain(*holes), *board}]
    nets = []
    for more in combinations(rest, 5 - len(board)):
        rank = [hand_value([*hole, *board, *more], ranks) for hole in holes]
        nets.append(betting.payoffs(rank))
    return np.mean(nets, axis=0)


@pytest.mark.parametrize(
    ("stacks", "actions"),
    [
        ([1000, 1000, 1000], ((300, CALL, CALL), (1000, CALL, CALL))),
        ([1000, 1000, 400], ((400, CALL, CALL), (CALL, 1000, CALL))),  # a side pot
        ([1000, 1000, 1000], ((300, FOLD, CALL), (CALL, CALL), (1000, CALL))),
    ],
)
def test_expected__is_the_mean_over_all_boards(stacks, actions):
    game = holdem(stacks)
    hand = record(1, NAMES, game, 13, actions, CARDS)
    actual = expected(hand)
    done = [action for part in actions for action in part]
    seen = hand.board[: (0, 3, 4, 5)[len(actions) - 1]].tolist()
    wanted = by_hand(game, done, hand.holes.tolist(), seen, 13)
    np.testing.assert_allclose(actual, wanted, atol=1e-9)
    assert actual.sum() == pytest.approx(0)
    assert not np.array_equal(actual, hand.payoffs)


def test_expected__before_the_flop_aces_against_kings():
    """Two players before the flop: 81.946 % on average over suits (169 x 169 all-in equities)."""
    game = holdem([1000, 1000, 1000])
    hand = record(1, NAMES, game, 13, ((FOLD, 1000, CALL),), CARDS)
    actual = expected(hand)
    assert (actual[0] / 1000 + 1) / 2 == pytest.approx(0.82, abs=0.01)
    drawn = expected(hand, 20_000, seed=5)
    assert drawn[0] == pytest.approx(actual[0], abs=4 * 1000 / np.sqrt(20_000))
    assert expected(hand, 20_000, seed=5)[0] == drawn[0] != expected(hand, 20_000, seed=6)[0]


@pytest.mark.parametrize(
    "actions",
    [
        ((300, FOLD, CALL), (CALL, CALL), (CALL, CALL), (CALL, 700, CALL)),  # all-in on the river
        ((300, FOLD, CALL), (CALL, CALL), (CALL, CALL), (CALL, CALL)),
        ((1000, FOLD, FOLD),),
    ],
)
def test_expected__without_a_pot_that_is_all_in_early_is_the_payoff(actions):
    hand = record(1, NAMES, holdem([1000, 1000, 1000]), 13, actions, CARDS)
    np.testing.assert_array_equal(expected(hand), hand.payoffs)


def test_expected__all_holes_must_be_known():
    hand = record(1, NAMES, holdem([1000] * 3), 13, ((FOLD, 1000, CALL),), CARDS)
    holes = hand.holes.copy()
    holes[2] = UNSEEN
    with pytest.raises(UserError, match="wants every hole card"):
        expected(hand._replace(holes=holes))


def test_settle_early__each_seat_at_its_own_end(one_thread):
    """Three heroes a deal, whose hands end apart or together; other payoffs stay as they were."""
    game, ranks = holdem([900, 1000, 700], [["A"]], 2), 6
    tree = build(game)
    ends = {
        "three": (tree.find([CALL] * 3 + [900, CALL, CALL]), 3),  # a side pot, on the flop
        "two": (tree.find([FOLD, CALL, CALL, 900, CALL]), 3),
        "turn": (tree.find([CALL] * 6 + [900, CALL, FOLD]), 4),
        "folded": (tree.find([CALL] * 3 + [900, FOLD, FOLD]), 3),
        "left": (tree.find([CALL] * 3 + [900, CALL]), 3),  # the hero folds here
        "preflop": (tree.find([700, FOLD, CALL]), 0),
        "river": (tree.find([CALL] * 9 + [900, CALL, CALL]), 5),
    }
    deals = [
        ("three", "three", "three"), ("two", "three", "left"), ("turn", "folded", "left"),
        ("river", "two", "three"), ("folded", "turn", "preflop"),
    ]  # fmt: skip
    rng = np.random.default_rng(4)
    cards = np.array([rng.permutation(4 * ranks)[:11] for _ in deals], np.int8)
    end = np.array([[ends[name][0] for name in row] for row in deals])
    before = rng.normal(size=end.shape)
    wanted = before.copy()
    for i, row in enumerate(deals):
        for p, name in enumerate(row):
            x, seen = ends[name]
            holes, board = cards[i, :6].reshape(3, 2).tolist(), cards[i, 6 : 6 + seen].tolist()
            value = by_hand(game, tree.path(x), holes, board, ranks)[p]
            wanted[i, p] = before[i, p] if np.isnan(value) else value
    actual = before.copy()
    settle_early(tree, cards, ranks, end, 0, np.uint64(1), 0, actual)
    np.testing.assert_allclose(actual, wanted, atol=1e-9)
    assert ((wanted != before).sum(axis=1) == [3, 2, 1, 2, 2]).all()


def test_expected__antes_of_one_seat_are_the_main_pots():
    """The last card to come: the mean of the payoffs that the reader of PHH has for each."""
    text = """variant = 'NT'
antes = [0, 70, 0]
blinds_or_straddles = [10, 20, 0]
min_bet = 20
starting_stacks = [200, 120, 200]
actions = ['d dh p1 AhAd', 'd dh p2 KcKd', 'd dh p3 QcJc', 'p3 cc', 'p1 cc', 'p2 cc',
'd db 7c8c9s', 'p1 cc', 'p2 cc', 'p3 cc', 'd db 2d', 'p1 cbr 180', 'p2 cc', 'p3 cc', 'd db {}']
"""
    gone = set(parse_cards("AhAdKcKdQcJc7c8c9s2d").tolist())
    rivers = [card for card in range(52) if card not in gone]
    hands = [parse(text.format(format_cards([card])))[0] for card in rivers]
    mean = np.mean([hand.payoffs for hand in hands], axis=0)
    np.testing.assert_allclose(expected(hands[0]), mean, atol=1e-9)
    assert mean.sum() == pytest.approx(0)
    assert len({tuple(hand.payoffs) for hand in hands}) > 2


def test_expected__a_hand_that_nobody_could_play():
    """Both are all-in by their blinds: kings are 81 to 83 % against a smaller pair."""
    hand = record(1, NAMES[:2], holdem([80, 40]), 13, ((),), CARDS[2:])
    actual = expected(hand)
    assert (actual[0] / 40 + 1) / 2 == pytest.approx(0.82, abs=0.01)
    np.testing.assert_array_equal(actual, expected(hand._replace(actions=((),))))


@pytest.mark.parametrize(
    ("cards", "k", "boards", "expected"),
    [(20, 5, 0, False), (20, 5, 50, True), (17, 2, 136, False), (17, 2, 135, True),
     (46, 1, 5, False)],
)  # fmt: skip
def test_draws__never_more_than_there_are(cards, k, boards, expected):
    assert draws(cards, k, boards) == expected
