"""The worth of actions: chips won on average where all play one policy afterwards.

A deal is drawn from the player's knowledge: the others' cards from the beliefs about them, the
rest of the board from the cards left. Then each action is done in the real hand, and all seats, the
player's own too, go on by the policy, translated as agents at a table translate it. All actions
meet the same deals and draws, so that their difference is sharper than either.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from sixmax.blueprint.run import Run
from sixmax.cards.deck import holds, hole_cards
from sixmax.evaluation.agents.policies import MatchGame, Policy, act
from sixmax.evaluation.scores.statistics import Sums
from sixmax.game.betting import Betting
from sixmax.game.config import SEEN
from sixmax.game.pots import payoffs
from sixmax.game.rules import ACTOR, BETTING, CALL, CHIPS, PHASE, ROUND, apply, contenders
from sixmax.games.holdem import look_up_cards
from sixmax.jit import in_parts, njit
from sixmax.play.translate import TranslatedHand, follow, has_met, meet, real_action
from sixmax.rng import below, child, step, stream, unit

DEALS = 4000
_TRIES = 100_000  # draws of all hands until no two share a card


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
    run: Run,
    game: MatchGame,
    policy: Policy,
    betting: Betting,
    translated: TranslatedHand,
    hole: np.ndarray,
    board: np.ndarray,
    beliefs: np.ndarray,
    actions: Sequence[int],
    seed: int,
    deals: int = DEALS,
) -> Worth | None:
    """The worth of ``actions`` to the seat to act in ``betting``, which holds ``hole`` int8[2].

    ``translated`` is the hand in the tree of ``game``, ``board`` int8[0, 3, 4 or 5] the cards seen,
    and ``beliefs`` float64[seats, holes] are about each seat. None where no deal agrees with them.
    """
    seats, seat = betting.seats, betting.actor
    weight = np.where(holds([*hole, *board], run.ranks), 0.0, beliefs)
    ends = np.cumsum(weight, axis=1)
    cards = np.empty((deals, 2 * seats + SEEN[-1]), np.int8)
    known = np.asarray(hole, np.int8), np.asarray(board, np.int8)
    drawn = child(seed, "deals")
    n = _deal_kernel(ends, hole_cards(run.ranks), seat, *known, 4 * run.ranks, drawn, cards)
    if n == 0:
        return None
    cards = cards[:n]
    bucket, rank = np.empty((n, seats, 4), np.int32), np.empty((n, 1, seats), np.int32)
    look_up_cards(cards, run.dealer.tables, bucket, rank)
    offered, won = np.array(actions, np.int64), np.empty((n, len(actions)))
    in_parts(
        n, _worth_part, policy, game, betting.hand, translated.node, translated.hand, offered,
        bucket, rank, child(seed, "draws"), won,
    )  # fmt: skip
    return Worth(tuple(int(a) for a in actions), won)


@njit
def _deal_kernel(ends, pair, seat, hole, board, deck, seed, out):
    """Fill ``out`` int8[deals, 2 seats + 5] with cards by beliefs; returns the deals filled.

    ``ends`` float64[seats, holes] are cumulated weights. The hands of a deal are drawn apart and
    all again until no two share a card: their joint probability is then the product of the beliefs
    (:mod:`sixmax.search.beliefs`).
    """
    seats, total = len(ends), out.shape[1]
    for p in range(seats):
        if p != seat and ends[p, -1] <= 0.0:
            return 0
    free = np.empty(deck, np.bool_)
    for i in range(len(out)):
        state = stream(seed, np.uint64(i))
        tries, apart = 0, False
        while not apart:
            tries += 1
            if tries > _TRIES:
                return i
            free[:] = True
            apart = True
            for p in range(seats):
                if p == seat:
                    out[i, 2 * p : 2 * p + 2] = hole
                    continue
                state = step(state)
                u = unit(state) * ends[p, -1]
                h = min(np.searchsorted(ends[p], u, side="right"), ends.shape[1] - 1)
                for card in pair[h]:
                    apart = apart and free[card]
                    free[card] = False
                out[i, 2 * p : 2 * p + 2] = pair[h]
        for card in hole:
            free[card] = False
        for card in board:
            free[card] = False
        out[i, 2 * seats : 2 * seats + board.size] = board
        for j in range(2 * seats + board.size, total):
            while True:
                state = step(state)
                card = below(state, deck)
                if free[card]:
                    break
            free[card] = False
            out[i, j] = card
    return len(out)


@njit
def _worth_part(policy, game, real, node, hand, actions, bucket, rank, seed, won, start, stop):
    seat, seats = real[ACTOR], bucket.shape[1]
    now, mine, net = real.copy(), hand.copy(), np.empty(seats)
    for i in range(start, stop):
        for k in range(actions.size):
            now[:] = real
            mine[:] = hand
            _play_on(
                policy, game, now, node, mine, actions[k], bucket[i], stream(seed, np.uint64(i))
            )
            payoffs(now[CHIPS : CHIPS + seats], contenders(now), rank[i, 0], net)
            won[i, k] = net[seat] + real[CHIPS + seat]


@njit
def _play_on(policy, game, now, x, mine, action, bucket, state):
    """Do ``action`` in the hand ``now`` and play it to its end; ``mine`` is that of node ``x``.

    As players of tables do at a table (:class:`sixmax.evaluation.agents.player.TablePlayer`).
    """
    tree = game.tree
    while True:
        x = meet(tree, x, mine, now)
        if has_met(mine, now):
            state = step(state)
            x = follow(tree, x, mine, now, action, unit(state))
        apply(now, action)
        if now[PHASE] != BETTING:
            return
        x = meet(tree, x, mine, now)
        if has_met(mine, now):
            state = step(state)
            a = act(policy, game, x, bucket[now[ACTOR], now[ROUND]], unit(state))
            action = real_action(tree, x, mine, now, a)
        else:
            action = np.int64(CALL)
