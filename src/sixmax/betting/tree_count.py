"""The size of a betting tree, found without building or walking all of it.

The tree below the start of a round depends on the players left, their stacks and the pot, not on
the actions before. So each distinct start is walked once and counts as often as there are paths to
it. That takes seconds for trees of billions of nodes.
"""

from typing import NamedTuple

import numpy as np

from sixmax.base.jit import njit
from sixmax.betting import rules
from sixmax.betting.config import GameConfig
from sixmax.betting.sizing import Sizes, raises, sizes
from sixmax.betting.tree import FOLDED, SHOWDOWN, SIDEPOTS

_STARTS_AT_ONCE = 1 << 16  # later rounds found before equal ones are merged


class Counts(NamedTuple):
    """The size of a tree, before it is built."""

    nodes: int
    decisions: np.ndarray  # int64[rounds, seats]: decision nodes
    columns: np.ndarray  # int64[rounds, seats]: action columns
    terminals: np.ndarray  # int64[4]: nodes by kind; that of DECISION is 0
    rows: int  # rows of ``Tree.contributed``
    starts: np.ndarray  # int64[rounds]: decision nodes that open the round


def count(game: GameConfig) -> Counts:
    """Count the tree of ``game``, exactly, without building it: for 300 M nodes under a GB."""
    decisions = np.zeros((len(game.rounds), game.seats), dtype=np.int64)
    columns = np.zeros_like(decisions)
    kinds = np.zeros(4, dtype=np.int64)
    starts = RoundStarts(rules.begin(game)[None], np.ones(1, dtype=np.int64))
    opening = np.zeros(len(game.rounds), np.int64)
    for at in range(len(game.rounds)):
        tally, opening[at] = (decisions[at], columns[at], kinds), starts.paths.sum()
        starts = _count_round(starts, sizes(game), scratch(game), tally)
    nodes = int(decisions.sum() + kinds.sum())
    return Counts(nodes, decisions, columns, kinds, int(kinds[SIDEPOTS]), opening)


def scratch(game: GameConfig) -> np.ndarray:
    """int64[longest path + 1, LENGTH]: room for the hands along a path through the tree."""
    longest = game.seats * sum(1 + r.max_raises for r in game.rounds)
    return np.empty((longest + 1, rules.LENGTH), dtype=np.int64)


class RoundStarts(NamedTuple):
    hand: np.ndarray  # int64[n, LENGTH]
    paths: np.ndarray  # int64[n]: ways to each


def _count_round(
    starts: RoundStarts, offered: Sizes, states: np.ndarray, tally: tuple[np.ndarray, ...]
) -> RoundStarts:
    """Add a round to ``tally``; return the distinct starts of the next round."""
    room, done, parts = _STARTS_AT_ONCE, 0, []
    while done < len(starts.paths):
        hands = np.empty((room, rules.LENGTH), np.int64)
        ends, was = RoundStarts(hands, np.empty(room, np.int64)), done
        done, n = _round_kernel(starts, done, offered, states, ends, tally)
        parts.append(_merge(ends.hand[:n], ends.paths[:n]))
        room *= 2 if done == was else 1  # too small for even one of the starts
    if not parts:
        return RoundStarts(starts.hand[:0], starts.paths[:0])
    return _merge(*(np.concatenate(column) for column in zip(*parts, strict=True)))


def _merge(hands: np.ndarray, paths: np.ndarray) -> RoundStarts:
    """Distinct rows of ``hands``, and the sums of their ``paths``."""
    whole = np.dtype((np.void, hands.itemsize * rules.LENGTH))  # a row as one value
    rows = np.ascontiguousarray(hands).view(whole)[:, 0]
    _, first, which = np.unique(rows, return_index=True, return_inverse=True)
    total = np.zeros(len(first), dtype=np.int64)
    np.add.at(total, which, paths)
    return RoundStarts(hands[first], total)


@njit
def _round_kernel(begun, done, sizes, states, ended, tally):
    """Walk one betting round from the hands ``begun`` from number ``done`` on.

    Adds to ``tally``, and writes starts of the next round to ``ended`` until it is full. Returns
    ``(done, n)``: the starts walked in full, and the number of ends.
    """
    (starts, paths), (ends, weights), (decisions, columns, kinds) = begun, ended, tally
    width = sizes.offer.shape[2] + 2
    todo = np.empty((states.shape[0] * width, 2), dtype=np.int64)  # action, depth
    actions = np.empty(width, dtype=np.int64)
    chips = np.empty(decisions.size, dtype=np.int64)
    counts = np.empty((3, max(4, decisions.size)), dtype=np.int64)
    n = 0
    while done < paths.size:
        counts[:] = 0
        before, top = n, 1
        todo[0, 1] = 0
        at = starts[done, rules.ROUND]
        while top > 0:
            top -= 1
            depth = todo[top, 1]
            hand = states[depth]
            for k in range(rules.LENGTH):
                hand[k] = states[depth - 1, k] if depth > 0 else starts[done, k]
            if depth > 0:
                rules.apply(hand, todo[top, 0])
            if hand[rules.PHASE] != rules.BETTING:
                counts[2, terminal_kind(hand, chips)] += 1
            elif hand[rules.ROUND] != at:
                if n == weights.size:
                    return done, before
                _forget_folded(hand)
                for k in range(rules.LENGTH):
                    ends[n, k] = hand[k]
                weights[n] = paths[done]
                n += 1
            else:
                offered = actions_at(sizes, hand, actions)
                counts[0, hand[rules.ACTOR]] += 1
                counts[1, hand[rules.ACTOR]] += offered
                for a in range(offered):
                    todo[top, 0], todo[top, 1] = actions[a], depth + 1
                    top += 1
        for k in range(decisions.size):
            decisions[k] += counts[0, k] * paths[done]
            columns[k] += counts[1, k] * paths[done]
        for k in range(4):
            kinds[k] += counts[2, k] * paths[done]
        done += 1
    return done, n


@njit
def _forget_folded(hand):
    """Forget the chips of folded seats; the pot still has them.

    Two players go on at least, so no later bet can come back as far as those chips.
    """
    for seat in range(hand[rules.SEATS]):
        if hand[rules.FOLDERS] >> seat & 1:
            hand[rules.CHIPS + seat] = 0


@njit
def actions_at(sizes, hand, out):
    """Write fold, call and the raises offered to the actor into ``out``; return their number.

    A seat that is no limper has no call of a blind that it could raise.
    """
    if hand[rules.CHIPS + hand[rules.ACTOR]] >= hand[rules.HIGH]:
        out[0] = rules.CALL
        return raises(sizes, hand, out, 1)
    out[0] = rules.FOLD
    if hand[rules.RAISES] == 0 and not sizes.limpers[hand[rules.ROUND]] >> hand[rules.ACTOR] & 1:
        n = raises(sizes, hand, out, 1)
        if n > 1:
            return n
    out[1] = rules.CALL
    return raises(sizes, hand, out, 2)


@njit
def terminal_kind(hand, chips):
    """The kind of a hand that is over; ``chips`` gets each seat's bets, less uncalled ones.

    At FOLDED nothing is given back: the winner gets all of it anyway.
    """
    level = 0
    mask = rules.contenders(hand)
    for seat in range(chips.size):
        chips[seat] = hand[rules.CHIPS + seat]
    if hand[rules.PHASE] == rules.WON:
        return FOLDED
    rules.return_uncalled(chips)
    for seat in range(chips.size):
        if mask >> seat & 1:
            level = max(level, chips[seat])
    for seat in range(chips.size):
        if mask >> seat & 1 and chips[seat] < level:
            return SIDEPOTS
    return SHOWDOWN
