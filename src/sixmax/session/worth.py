"""The worth of actions: chips won on average where all play one policy afterwards.

A deal is drawn from the player's knowledge: the others' cards from the beliefs about them, the
rest of the board from the cards left. Then each action is done in the real hand, and all seats, the
player's own too, go on by the policy, translated as agents at a table translate it. All actions
meet the same deals and draws, so that their difference is sharper than either.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from sixmax.agents.policies import MatchGame, Policy, act
from sixmax.base.jit import in_parts, njit, uncounted
from sixmax.base.rng import child, step, stream, unit
from sixmax.betting.pots import payoffs
from sixmax.betting.rules import ACTOR, BETTING, CALL, CHIPS, PHASE, ROUND, contenders
from sixmax.betting.state import Betting
from sixmax.blueprint.run import Run
from sixmax.games.holdem import look_up_cards
from sixmax.play.translate import TranslatedHand, do, real_action, stand
from sixmax.scores.statistics import Sums
from sixmax.session.deals import deals_by

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
    known = np.asarray(hole, np.int8), np.asarray(board, np.int8)
    cards = deals_by(beliefs, seat, *known, run.ranks, child(seed, "deals"), deals)
    n = len(cards)
    if n == 0:
        return None
    bucket, rank = np.empty((n, seats, 4), np.int32), np.empty((n, 1, seats), np.int32)
    look_up_cards(cards, run.dealer.tables, bucket, rank)
    offered, won = np.array(actions, np.int64), np.empty((n, len(actions)))
    in_parts(
        n, _worth_part, policy, game, betting.hand, translated.node, translated.hand, offered,
        bucket, rank, child(seed, "draws"), won,
    )  # fmt: skip
    return Worth(tuple(int(a) for a in actions), won)


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


@uncounted
def decide(policy, game, x, mine, now, bucket, state):
    """Let ``mine`` at ``x`` catch up with ``now``, and draw the action of ``policy`` there.

    ``state`` is that of the draws, of which the policy takes one; it calls, and takes none, if the
    hands have not met. Returns the node, the real action and ``state``.
    """
    x, met = stand(game.tree, x, mine, now)
    if not met:
        return x, np.int64(CALL), state
    state = step(state)
    chosen = act(policy, game, x, bucket, unit(state))
    return x, real_action(game.tree, x, mine, now, chosen), state


@njit
def _play_on(policy, game, now, x, mine, action, bucket, state):
    """Do ``action`` in the hand ``now`` and play it to its end; ``mine`` is that of node ``x``.

    As players of tables do at a table (:class:`sixmax.agents.player.TablePlayer`).
    """
    while True:
        x, state = do(game.tree, x, mine, now, action, state)
        if now[PHASE] != BETTING:
            return
        held = bucket[now[ACTOR], now[ROUND]]
        x, action, state = decide(policy, game, x, mine, now, held, state)
