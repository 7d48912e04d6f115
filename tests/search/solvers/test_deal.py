"""The dealer of a subgame against enumeration and against dealing by hand."""

import itertools

import numpy as np
import pytest

from oracles.search import hand_values
from search.holdem import RANKS, RIVER, every_deal, problem, river, small_run
from sixmax.abstraction.flop.store import FlopBuckets
from sixmax.abstraction.lossless import lossless
from sixmax.base.errors import UserError
from sixmax.base.rng import child
from sixmax.cards.deck import holds, hole_cards, hole_id, n_holes, parse_cards
from sixmax.cards.evaluate import evaluate
from sixmax.cards.isomorphism import boards, canonical_board, permute_card
from sixmax.search.solvers.deal import SubgameDealer, hands_alike
from sixmax.search.solvers.sampled import Effort, solve_for
from sixmax.search.subgame import SubgameCards

SEED, HOLES = child(1, "deal"), n_holes(RANKS)
BOARD = np.array([3, 9, 17], np.int8)
HOLE = hole_cards(RANKS)


def dealer(beliefs, rounds=1, board=BOARD, boards=1):
    """A dealer of the small run with so many seats."""
    cards = SubgameCards(RANKS, small_run(len(beliefs))[0].buckets)
    return SubgameDealer(beliefs, board, rounds, cards, boards)


def test_deal__hands_are_the_beliefs_where_no_card_is_held_twice():
    """Frequencies of joint hands against their probabilities, by enumeration."""
    beliefs = np.zeros((2, HOLES))
    mine, theirs = (hole_id(0, 1), hole_id(4, 5), hole_id(20, 21)), (hole_id(1, 4), hole_id(5, 20))
    beliefs[0, list(mine)], beliefs[1, list(theirs)] = (0.5, 0.3, 0.2), (3.0, 1.0)
    beliefs[0, hole_id(3, 4)] = 100.0  # blocked by the board
    expected = {}
    for i, j in itertools.product(mine, theirs):
        if not set(HOLE[i]) & set(HOLE[j]):
            expected[i, j] = beliefs[0, i] * beliefs[1, j]
    n, total = 20_000, sum(expected.values())
    dealt = dealer(beliefs).deal(SEED, 0, n).bucket[:, :, 0]
    actual = {pair: (dealt == pair).all(axis=1).sum() for pair in expected}
    assert sum(actual.values()) == n
    for pair, weight in expected.items():
        p = weight / total
        assert abs(actual[pair] - n * p) < 4 * np.sqrt(n * p * (1 - p)), pair


def test_deal__cards_buckets_and_ranks_agree():
    """A deck in which buckets spell out what was looked up; two boards, three rounds."""
    buckets, n, seats = lossless(RANKS, 4), 60, 3
    random = np.random.default_rng(1)
    later = FlopBuckets(
        random.integers(0, 9, (4 * RANKS, HOLES)).astype(np.uint16),
        random.integers(0, 9, (HOLES, HOLES)).astype(np.uint16),
        np.arange(4).astype(np.int8), np.arange(HOLES).astype(np.int16),
        np.zeros(9, np.float32), np.zeros(9, np.float32),
    )  # fmt: skip
    cards = SubgameCards(RANKS, buckets, later)
    two_boards = SubgameDealer(np.ones((seats, HOLES)), BOARD, 3, cards, boards=2)
    assert two_boards.buckets == [HOLES, 9, 9]
    actual, cards = two_boards.deal(SEED, 5, n), two_boards.cards(SEED, 5, n)
    perm = np.empty(4, np.int8)
    for i in range(n):
        drawn = cards[i, 2 * seats :].reshape(2, 5)
        dealt = [*cards[i, : 2 * seats], *BOARD, *drawn[0, 3:], *drawn[1, 3:]]
        assert len(set(dealt)) == len(dealt)
        assert (drawn[:, :3] == BOARD).all()
        for p in range(seats):
            a, b = cards[i, 2 * p : 2 * p + 2]
            hole = hole_id(a, b)
            assert actual.bucket[i, p, 0] == hole
            assert actual.bucket[i, p, 1] == later.turn[drawn[0, 3], hole]
            assert actual.bucket[i, p, 2] == later.river[hole_id(*drawn[0, 3:]), hole]
            at = canonical_board(boards(RANKS, 4), drawn[0, :4], perm)
            image = hole_id(permute_card(a, perm), permute_card(b, perm))
            assert actual.future[i, p, 2] == buckets.turn[at, image]
            for k in range(2):
                assert actual.rank[i, k, p] == evaluate(np.array([a, b, *drawn[k]], np.int8))
    two_boards.like = np.arange(HOLES) // 10 * 10
    alike_too = two_boards.deal(SEED, 5, n).bucket
    assert np.array_equal(alike_too[:, :, 0], actual.bucket[:, :, 0] // 10 * 10)
    assert np.array_equal(alike_too[:, :, 1:], actual.bucket[:, :, 1:])


def test_deal__later_rounds_take_the_blueprints_buckets_where_there_are_no_others():
    uniform = dealer(np.zeros((3, HOLES)), 3)
    whole, part = uniform.deal(SEED, 0, 40), uniform.deal(SEED, 30, 10)
    assert np.array_equal(whole.bucket[:, :, 1:], whole.future[:, :, 2:])
    assert all(np.array_equal(a[30:], b) for a, b in zip(whole, part, strict=True))


def test_deal__on_the_river_there_is_one_board():
    river = dealer(np.ones((3, HOLES)), board=RIVER, boards=4)
    assert river.deal(SEED, 0, 5).rank.shape == (5, 1, 3)


@pytest.mark.usefixtures("one_thread")
def test_solve__values_in_the_deals_that_it_draws_are_those_of_every_deal():
    """A river of a pot of 200, unequal beliefs: chips of each hand by the sampled solver's play."""
    game, beliefs = river(), np.random.default_rng(3).random((2, HOLES)) ** 2
    beliefs[0, :30] = 0
    played = solve_for(problem(game, beliefs=beliefs), Effort(2000, batch=50)).average
    cards = problem(game).cards
    drawn = SubgameDealer(beliefs, game.state.board, 1, cards).deal(SEED, 0, 40_000)
    actual = hand_values(game.tree, game.layout, drawn, np.ones((2, HOLES)), played)
    expected = hand_values(game.tree, game.layout, every_deal(RIVER), beliefs, played)
    assert np.isnan(actual[0, :30]).all()
    met = np.isfinite(actual)
    assert met.sum() > 200
    off = np.where(met, actual - expected, 0)
    assert np.average(np.abs(off), weights=beliefs * met) < 12
    assert np.abs(np.average(off, weights=beliefs * met, axis=1)).max() < 2


def test_deal__hands_that_cannot_be_held_together():
    beliefs = np.zeros((2, HOLES))
    beliefs[:, hole_id(0, 1)] = 1
    with pytest.raises(UserError, match="no deal in which no card is held twice"):
        dealer(beliefs).deal(SEED, 0, 1)


def test_dealer__beliefs_of_another_deck():
    with pytest.raises(ValueError, match="wanted"):
        dealer(np.ones((2, 1326)))


TEXTS = ["", "2c6d9h", "2c6c9h", "2c6c9c", "2c2dAh", "2c6c9hQd", "2c6c9hQh", "2c6c9cQd3c"]


def told(hand, board):
    """The ranks of ``hand``, each with its suit where a flush is near, or whether it is far."""
    out, to_come = [], 5 - len(board)
    for card in hand:
        missing = 5 - sum(other % 4 == card % 4 for other in [*board, *hand])
        near, suited = missing <= min(1, to_come), hand[0] % 4 == hand[1] % 4
        far = suited and missing <= to_come
        out.append((card // 4, f"suit {card % 4}" if near else f"{far}"))
    return tuple(sorted(out))


@pytest.mark.parametrize("text", TEXTS)
def test_alike__joins_hands_of_the_same_ranks_whose_suits_count_alike(text):
    board, hole = parse_cards(text), hole_cards(13).tolist()
    actual, free = hands_alike(board, 13), ~holds(board)
    first: dict = {}
    for h in np.flatnonzero(free).tolist():
        assert actual[h] == first.setdefault(told(hole[h], board.tolist()), h)
    assert not free[actual[~free]].any()


@pytest.mark.parametrize(("text", "one", "two", "expected"), [
    ("2c6d9h", "AsKs", "AsKd", True),  # no spade lies: a flush takes three more
    ("2c6d9h", "AcKc", "AsKd", False),
    ("2c6c9h", "AcKc", "AhKh", False),
    ("2c6c9c", "AcKd", "AdKc", False),
    ("2c6c9hQh", "AcKc", "AhKh", False),
    ("2c6c9hQd3c", "AcKd", "AdKh", True),  # one club makes no flush of four
    ("", "AcKc", "AdKd", True),
])  # fmt: skip
def test_alike__examples(text, one, two, expected):
    like = hands_alike(parse_cards(text), 13)
    of = [like[hole_id(*sorted(parse_cards(hand).tolist()))] for hand in (one, two)]
    assert (of[0] == of[1]) == expected


def test_alike__before_the_flop_is_the_169():
    assert len(set(hands_alike(np.empty(0, np.int8), 13))) == 169
