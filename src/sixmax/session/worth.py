"""The worth of actions: chips won on average where all play one policy afterwards.

A deal is drawn from the player's knowledge: the others' cards by the beliefs about them, the rest
of the board at random. Each action is done in the real hand, and all seats go on by the policy, as
agents at a table do. All actions meet the same deals and draws, so that differences are sharp.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from sixmax.base.jit import in_parts, njit
from sixmax.base.rng import child, stream
from sixmax.betting.config import SEEN
from sixmax.betting.rules import ACTOR, CHIPS, apply, contenders, payoffs
from sixmax.cards.deck import holds
from sixmax.cfr.advance import advance_real
from sixmax.hands.record import UNSEEN
from sixmax.ongoing.hand import Hand
from sixmax.ongoing.policies import AllSeats, Side, beside_tree, followed
from sixmax.scores.statistics import Sums
from sixmax.search.solvers.deal import draw_cards, urn

DEALS = 4000


class Worth(NamedTuple):
    """Samples of the worth of ``actions``; a fold is worth 0.

    won: float64[deals, actions], chips from the decision on: net chips plus those put in before it
    """

    actions: tuple[int, ...]
    won: np.ndarray

    def of(self, action: int) -> Sums:
        """The worth of ``action``."""
        return Sums.of(self.won[:, self.actions.index(action)])

    def cost(self, chance: np.ndarray, action: int) -> Sums:
        """The worth of ``chance`` float64[actions], a mix of actions, less that of ``action``."""
        taken = self.won[:, self.actions.index(action)]
        return Sums.of(self.won @ chance - taken * chance.sum())


def worth(
    hand: Hand, side: Side, hole: np.ndarray, beliefs: np.ndarray, actions: Sequence[int],
    seed: int, deals: int = DEALS,
) -> Worth | None:  # fmt: skip
    """The worth of ``actions`` to the seat to act in ``hand``, which holds ``hole`` int8[2].

    All play ``side``, of the run of ``hand``. None where no deal agrees with ``beliefs``
    float64[seats, holes].
    """
    run, betting = hand.run, hand.betting
    known = np.asarray(hole, np.int8), hand.board
    cards = deals_by(beliefs, betting.actor, *known, run.ranks, child(seed, "deals"), deals)
    n = len(cards)
    if n == 0:
        return None
    bucket, rank = run.dealer.look_up(cards)
    offered, won = np.array(actions, np.int64), np.empty((n, len(actions)))
    in_parts(
        n, _worth_part, *side, hand.node, hand.mine, hand.real, offered, bucket, rank,
        child(seed, "draws"), won,
    )  # fmt: skip
    return Worth(tuple(int(a) for a in actions), won)


@njit
def _worth_part(game, policy, node, mine, real, actions, bucket, rank, seed, won, start, stop):
    seat, seats = real[ACTOR], bucket.shape[1]
    now, own, net = real.copy(), mine.copy(), np.empty(seats)
    for i in range(start, stop):
        table = AllSeats(game, policy, bucket[i], own, -1)
        for k in range(actions.size):
            now[:] = real
            own[:] = mine
            state = stream(seed, np.uint64(i))
            at = followed(game.tree, node, own, now, actions[k], state)
            apply(now, actions[k])
            advance_real(now, -1, beside_tree, table, at)
            payoffs(now[CHIPS : CHIPS + seats], contenders(now), rank[i, 0], net)
            won[i, k] = net[seat] + real[CHIPS + seat]


def deals_by(
    beliefs: np.ndarray, seat: int, hole: np.ndarray, board: np.ndarray, ranks: int,
    seed: np.uint64, deals: int,
) -> np.ndarray:  # fmt: skip
    """Cards of all seats and a whole board: int8[deals, 2 seats + 5], no rows where none agree.

    ``seat`` holds ``hole`` int8[2]; or int8[0], and then UNSEEN ones. The joint probability of the
    others' hands is the product of ``beliefs`` float64[seats, holes] (:mod:`sixmax.ongoing.bayes`).
    """
    known, others = np.concatenate([hole, board]), np.delete(beliefs, seat, axis=0)
    if not (others[:, ~holds(known, ranks)] > 0.0).any(axis=1).all():
        return np.empty((0, 2 * len(beliefs) + SEEN[-1]), np.int8)
    drawn = draw_cards(seed, 0, deals, urn(others, board, ranks, dead=hole))
    own = np.full((len(drawn), 2), UNSEEN, np.int8)
    own[:, : hole.size] = hole
    return np.hstack([drawn[:, : 2 * seat], own, drawn[:, 2 * seat :]])
