"""The worth of an action, one deal after the other, with the classes that agents play by."""

import numpy as np

from oracles.play import Follower
from sixmax.base.rng import step, stream, unit
from sixmax.betting.rules import CALL
from sixmax.hands.record import values
from sixmax.ongoing.hand import blueprint_buckets
from sixmax.ongoing.policies import act, chances


def samples(hand, side, cards, actions, seed):
    """The worth of ``actions`` in each of the deals ``cards``: float64[deals, actions]."""
    starts = [np.uint64(stream(seed, np.uint64(i))) for i in range(len(cards))]
    rows = zip(cards, starts, strict=True)
    return np.array([[won(hand, side, row, a, start) for a in actions] for row, start in rows])


def won(hand, side, cards, action, state):
    """Chips from the decision on, for the deal ``cards`` whose draws begin at ``state``."""
    return expected(hand, side, cards, action, state, drawn=True)


def expected(hand, side, cards, action, state, drawn=False):
    """The same, but the player's own later actions are not ``drawn``: the mean over them."""
    (run, betting), (game, policy) = (hand.run, hand.betting), side
    seat, seats = betting.actor, betting.seats
    before = int(betting.contributed[seat])
    holes, board = cards[: 2 * seats].reshape(-1, 2), cards[2 * seats :]

    def bucket_of(betting):
        low, high = sorted(holes[betting.actor].tolist())
        seen = board[: (0, 3, 4, 5)[betting.round]]
        return blueprint_buckets(run, seen)[high * (high - 1) // 2 + low]

    def after(betting, mine, action, state):
        betting, mine = betting.copy(), mine.copy()
        real = betting.hand.copy()
        if mine.meet(real):
            state = np.uint64(step(state))
            mine.act(real, action, float(unit(state)))
        else:
            mine.act(real, action, None)
        betting.act(action)
        if betting.over:
            rank = values(holes, board) if betting.showdown else None
            return betting.payoffs(rank)[seat] + before
        if not mine.meet(betting.hand):
            return after(betting, mine, CALL, state)
        node, bucket, offered = np.int64(mine.node), bucket_of(betting), mine.real(betting.hand)
        if drawn or betting.actor != seat:
            state = np.uint64(step(state))
            a = act(policy, game, node, bucket, float(unit(state)))
            return after(betting, mine, offered[a], state)
        share = np.empty(len(offered))
        chances(policy, game, node, bucket, share)
        ways = [
            p * after(betting, mine, a, state) for a, p in zip(offered, share, strict=True) if p
        ]
        return sum(ways)

    return after(betting, Follower.of(hand), action, state)
