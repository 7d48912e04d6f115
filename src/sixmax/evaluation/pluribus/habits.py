"""Habits of play that need whole hands to be seen: sizes of raises by round, and donk bets.

A donk bet starts a round by betting although the player ended the round before with a call: the
last raiser of that round is still to act (Brown and Sandholm 2019 name it as what Pluribus does
far more often than professionals). Counted by kernels, in hands that were played and in self-play.
"""

from typing import NamedTuple

import numpy as np

from sixmax.cfr.deals import Dealer
from sixmax.evaluation.agents.policies import Agent, Ground, act
from sixmax.game.config import GameConfig
from sixmax.game.rules import (
    ACTOR,
    BETTING,
    CHIPS,
    HIGH,
    PENDING,
    PHASE,
    POT,
    RAISES,
    ROUND,
    STACKS,
    apply,
    begin,
)
from sixmax.jit import njit
from sixmax.rng import child, stream, unit

SIZES = ("¼", "½", "¾", "1", "1½", "2", "3+", "all-in")  # pot fractions, by the nearest
_EDGES = np.array([0.375, 0.625, 0.9, 1.25, 1.75, 2.5])
ALL_IN = len(SIZES) - 1
CHUNK = 8192  # hands between two reports of progress


class Habits(NamedTuple):
    """Counts over hands of self-play.

    sizes: int64[rounds, 2, sizes]   raises: the first of the round, and later ones
    donk: int64[rounds, 2]           chances for a donk bet, and donk bets
    """

    sizes: np.ndarray
    donk: np.ndarray


def self_play(
    agent: Agent, ground: Ground, dealer: Dealer, game: GameConfig, hands: int, seed: int
) -> Habits:
    """What ``agent`` does in ``hands`` hands with copies of itself; the same for the same seed."""
    rounds = len(game.rounds)
    found = Habits(np.zeros((rounds, 2, len(SIZES)), np.int64), np.zeros((rounds, 2), np.int64))
    for first in range(0, hands, CHUNK):
        dealt = dealer.deal(child(seed, "deals"), first, min(CHUNK, hands - first))
        draws = child(seed, "draws")
        _self_play_kernel(agent, ground, begin(game), dealt.bucket, np.uint64(first), draws, *found)
    return found


@njit
def size_bin(hand, raise_to):
    """The bin in SIZES of a raise to ``raise_to`` chips by the actor of ``hand``."""
    if raise_to >= hand[STACKS + hand[ACTOR]]:
        return ALL_IN
    high = hand[HIGH]
    pot = hand[POT] + high - hand[CHIPS + hand[ACTOR]]
    return np.searchsorted(_EDGES, (raise_to - high) / pot, side="right")


@njit
def may_donk(hand, raiser):
    """Whether the actor may bet into the last raiser of the round before, who is still to act.

    ``raiser`` int64[rounds]: the last raiser of each round, -1 for none.
    """
    in_round = hand[ROUND]
    if in_round == 0 or hand[RAISES] > 0 or raiser[in_round - 1] < 0:
        return False
    last = raiser[in_round - 1]
    return last != hand[ACTOR] and hand[PENDING] >> last & 1 == 1


@njit
def _self_play_kernel(agent, ground, start, bucket, first, seed, sizes, donk):
    node, action = ground.tree.node, ground.tree.action
    raiser = np.empty(len(donk), np.int64)
    for i in range(len(bucket)):
        draws, hand, x = stream(seed, first + np.uint64(i)), start.copy(), np.int64(0)
        raiser[:] = -1
        while hand[PHASE] == BETTING:
            in_round, seat = hand[ROUND], hand[ACTOR]
            u = unit(stream(draws, np.uint64(x)))
            x = node[x, 1] + act(agent, ground, x, bucket[i, seat, in_round], u)
            chosen = np.int64(action[x])
            if may_donk(hand, raiser):
                donk[in_round, 0] += 1
                donk[in_round, 1] += chosen > 0
            if chosen > 0:
                sizes[in_round, min(hand[RAISES], 1), size_bin(hand, chosen)] += 1
                raiser[in_round] = seat
            apply(hand, chosen)
