"""Sizes of raises and donk bets, counted by hand and in self-play."""

import numpy as np
import pytest

from evaluation.small_games import drawn, random_policy
from oracles.evaluation import policy_agent
from oracles.games import holdem
from sixmax.base.rng import child, stream, unit
from sixmax.betting.state import Betting
from sixmax.evaluation.pluribus.decisions import SIZES, may_donk, size_bin
from sixmax.evaluation.pluribus.frequencies import habits
from sixmax.ongoing.policies import mixed

GAME = holdem([2000] * 3, [[0.5, 1], ["A"]], 2, 3, rounds=2)


def after(actions, game=GAME):
    """The betting after ``actions`` and the last raiser of each round."""
    betting, raiser = Betting(game), np.full(len(game.rounds), -1)
    for action in actions:
        if action > 0:
            raiser[betting.round] = betting.actor
        betting.act(action)
    return betting, raiser


@pytest.mark.parametrize(
    ("raise_to", "expected"), [(190, "¼"), (225, "½"), (290, "¾"), (350, "1"), (2000, "all-in")]
)
def test_size_bin__fraction_of_the_pot_after_calling(raise_to, expected):
    betting, _ = after([])  # pot 150, 100 to call: a raise to 350 is a pot
    assert SIZES[size_bin(betting.hand, raise_to)] == expected


CASES = {
    "caller out of position": ([250, 0, 0], True),
    "second caller, after a check": ([250, 0, 0, 0], True),
    "the raiser itself": ([250, 0, 0, 0, 0], False),
    "after a bet": ([250, 0, 0, 350], False),
    "nobody raised": ([0, 0, 0], False),
    "before the flop": ([250], False),
    "the raiser is out of position": ([-1, 250, 0], False),
    "the raiser is all-in": ([2000, 0, 0], False),
}


@pytest.mark.parametrize(("actions", "expected"), CASES.values(), ids=CASES)
def test_may_donk__only_into_a_raiser_who_is_to_act(actions, expected):
    betting, raiser = after(actions)
    assert bool(may_donk(betting.hand, raiser)) is expected


def test_habits__against_hands_played_one_by_one():
    game = drawn(GAME, 1, 20, 3, 4)
    policy, hands, seed = random_policy(game, 3), 300, 5
    actual = habits(mixed(game.ground, policy), game.ground, game.dealer, GAME, hands, seed)

    sizes, donk = np.zeros_like(actual.sizes), np.zeros_like(actual.donk)
    rows = policy_agent(game.tree, game.layout, policy)
    dealt = game.dealer.deal(child(seed, "deals"), 0, hands)
    for i in range(hands):
        draws, betting, x = stream(child(seed, "draws"), np.uint64(i)), Betting(GAME), 0
        raiser = np.full(2, -1)
        while not betting.over:
            r, seat = betting.round, betting.actor
            p = rows(x, dealt.bucket[i, seat, r])
            u = unit(np.uint64(stream(np.uint64(draws), np.uint64(x))))
            x = int(game.tree.node[x, 1]) + int(np.searchsorted(np.cumsum(p), u, side="right"))
            action = int(game.tree.action[x])
            if r == 1 and not betting.hand[4] and raiser[0] >= 0:
                acted = betting.hand[7]
                in_front = raiser[0] != seat and not acted >> int(raiser[0]) & 1
                if in_front and betting.contenders >> int(raiser[0]) & 1:
                    donk[1] += [1, action > 0]
            if action > 0:
                sizes[r, min(int(betting.hand[4]), 1), size_bin(betting.hand, action)] += 1
                raiser[r] = seat
            betting.act(action)
    np.testing.assert_array_equal(actual.sizes, sizes)
    np.testing.assert_array_equal(actual.donk, donk)
    assert sizes[:, 0].sum() > 100
    assert donk[1, 1] > 10
