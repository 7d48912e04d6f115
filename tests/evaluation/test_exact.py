"""Exact exploitability of hold'em strategies against a slow twin and against known answers."""

import numpy as np
import pytest

from oracles.exact import Game
from sixmax.abstraction.lossless import lossless
from sixmax.cards.deck import class_names, classes, hole_id
from sixmax.cards.isomorphism import situation_index
from sixmax.cfr.layout import layout
from sixmax.cfr.policy import shares, uniform
from sixmax.errors import UserError
from sixmax.evaluation.exact import _Walk, best_response, cards, nash_conv, values
from sixmax.game import holdem
from sixmax.game.tree import build
from sixmax.jit import set_threads

RANKS = 3  # twelve cards


def small(name, lossy=False):
    """Game, tree, layout, buckets and a strategy drawn by chance, some of it pure."""
    game = holdem.game(name)
    tree, buckets = build(game), lossless(RANKS, len(game.rounds))
    if lossy:  # the flop's situations in seven buckets
        flop = np.where(buckets.flop < 0, 255, buckets.flop % 7).astype(np.uint8)
        counts = buckets.counts.copy()
        counts[1] = 7
        buckets = buckets._replace(flop=flop, counts=counts)
    where = layout(tree, buckets.counts[: len(game.rounds)].tolist())
    random = np.random.default_rng(3)
    weight = np.where(random.random(where.size) < 0.2, 0.0, random.exponential(size=where.size))
    return game, tree, where, buckets, shares(tree, where, weight)


def twin(game, tree, where, strategy, lossy=False):
    of_hole = classes(RANKS)

    def bucket(hole, board):
        if not board:
            return int(of_hole[hole_id(*hole)])
        if set(hole) & board:
            return 0
        index = situation_index(hole, sorted(board), RANKS)
        return index % 7 if lossy else index

    return Game(tree, where, strategy, bucket, RANKS, game.board_cards)


@pytest.mark.parametrize(
    ("name", "lossy"), [("pushfold", False), ("preflop", False), ("flop", False), ("flop", True)]
)
def test_nash_conv__equals_the_twin(name, lossy):
    game, tree, where, buckets, strategy = small(name, lossy)
    known = cards(game, buckets, RANKS)
    actual = nash_conv(tree, where, known, strategy)
    slow = twin(game, tree, where, strategy, lossy)
    expected = np.array([slow.value(me, best=True) for me in (0, 1)])
    now = np.array([slow.value(me, best=False) for me in (0, 1)])
    assert now.sum() == pytest.approx(0, abs=1e-9)
    assert actual.values == pytest.approx(now, abs=1e-9)
    assert actual.gains == pytest.approx(expected - now, abs=1e-9)
    assert actual.total == pytest.approx(expected.sum(), abs=1e-9)
    assert min(actual.gains) > 0.1  # chips: the strategy was drawn by chance


@pytest.mark.parametrize("name", holdem.NAMES)
def test_values__are_zero_sum_by_either_seat(name):
    game, tree, where, buckets, strategy = small(name)
    known = cards(game, buckets, RANKS)
    second = _Walk(tree, where, known, strategy, 1, best=False).total()
    assert values(tree, where, known, strategy)[1] == pytest.approx(second, abs=1e-9)


def test_exploitability__does_not_depend_on_threads():
    game, tree, where, buckets, strategy = small("flop")
    known, found = cards(game, buckets, RANKS), []
    for threads in (1, 2):
        set_threads(threads)
        found.append(nash_conv(tree, where, known, strategy))
    assert found[0].total == found[1].total
    assert found[0].values.tolist() == found[1].values.tolist()


def test_best_response__against_who_always_folds_takes_the_blinds():
    """The small blind wins the big one (10 chips), the big blind the small one (5)."""
    game, tree, where, buckets, _ = small("preflop")
    fold = uniform(tree, where)
    for x in np.flatnonzero(tree.node[:, 0] & 15 == 0):
        head, slot = int(tree.node[x, 0]), int(tree.node[x, 2])
        seat, n = head >> 4 & 15, head >> 12 & 255
        for b in range(RANKS * RANKS):
            at = where.base[0, seat] + b * where.columns[0, seat] + slot
            fold[at : at + n] = [1, *[0] * (n - 1)]
    known = cards(game, buckets, RANKS)
    assert best_response(tree, where, known, fold, 0) == pytest.approx(10)
    assert best_response(tree, where, known, fold, 1) == pytest.approx(5)


def test_cards__are_a_probability_of_two_hands_of_the_full_deck():
    known = cards(holdem.game("pushfold"), lossless(13, 1))
    assert known.share.sum() == pytest.approx(1)
    assert known.share == pytest.approx(known.share.T)
    assert known.lead == pytest.approx(-known.lead.T)
    aces, kings = (class_names(13).index(name) for name in ("AA", "KK"))
    assert known.share[aces, aces] == pytest.approx(6 / 1326 / 1225)
    assert known.share[aces, kings] == pytest.approx(6 / 1326 * 6 / 1225)


def test_cards__of_a_game_that_cannot_be_judged():
    with pytest.raises(UserError, match=r"found game.board_cards 5, wanted 3"):
        cards(holdem.game("flop").model_copy(update={"board_cards": 5}), lossless(RANKS, 2), RANKS)
    with pytest.raises(UserError, match="wanted hold'em of two seats"):
        cards(holdem.game("flop").model_copy(update={"stacks": [9] * 3}), lossless(3, 2), 3)


def test_values__of_what_is_no_strategy_of_these_cards():
    game, tree, where, buckets, strategy = small("flop")
    known = cards(game, buckets, RANKS)
    with pytest.raises(ValueError, match="strategy: found"):
        values(tree, where, known, strategy[1:])
    fewer = layout(tree, [RANKS * RANKS, 7])
    with pytest.raises(ValueError, match="found 7 buckets, the cards have"):
        values(tree, fewer, known, np.ones(fewer.size))
