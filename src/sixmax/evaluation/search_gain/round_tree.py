"""The rest of a betting round as it is really played: one searching player among blueprints.

The others play the blueprint and follow a raise that their tree lacks by translation, as in play
(:class:`sixmax.ongoing.hand.Hand`): one translated hand for all, with draws from the seed of the
hand. The searching player has the raises of its subgame, and searches again where another player's
action is none of them. A policy may stand in the place of the search (:func:`fixed`).

# ASSUME a search that is made again forgets what was frozen: the row of one hand of 1,326. Each
hand plays the first search before the action, and the second after it.
"""

from collections import deque
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from sixmax.base.errors import UserError
from sixmax.betting.rules import CALL, LENGTH
from sixmax.blueprint.run import Run
from sixmax.ongoing.hand import Play, blueprint_buckets, blueprint_rows
from sixmax.search.public_hand import PublicHand
from sixmax.search.result import FrozenAction, Position, SearchFunction, SearchResult

END = -1


class RoundTree(NamedTuple):
    """Public states of a round, and how all hands play there; the root is node 0.

    The children of a node lie together. An end is a state after the round or the hand, or one
    beyond the leaves of the subgame: all play the blueprint from there on.
    """

    heroes: int  # mask of the seats of which each in turn searches
    board: np.ndarray  # int8[cards]
    action: np.ndarray  # int64[nodes]: FOLD, CALL or raise-to that leads to the node; CALL at 0
    seat: np.ndarray  # int64[nodes]: to act; END at ends
    first: np.ndarray  # int64[nodes]: the first child; at ends the row of the three of [ends]
    number: np.ndarray  # int64[nodes]: the row of the strategies, -1 at ends
    count: np.ndarray  # int64[nodes]: actions, 0 at ends
    real: np.ndarray  # int64[ends, LENGTH]: the real hand
    mine: np.ndarray  # int64[ends, LENGTH]: the translated one
    place: np.ndarray  # int64[ends]: the node of that in the blueprint's tree
    blueprint: np.ndarray  # float64[decisions, holes, actions]
    search: np.ndarray  # float64[decisions, holes, actions]; zeros where not searched


@dataclass
class _State:
    """A public state on the way: the seats that may come here by the blueprint, and by search."""

    hand: PublicHand
    result: SearchResult
    by_blueprint: int  # mask of seats whose actions the blueprint takes with some hand
    by_search: int  # mask of heroes whose actions the search takes with some hand

    def worth(self, heroes: int) -> int:
        """The heroes that may have come here while all others played the blueprint."""
        away = ~self.by_blueprint & ((1 << self.hand.game.seats) - 1)
        alone = heroes if away == 0 else heroes & away if away & (away - 1) == 0 else 0
        return alone & (self.by_blueprint | self.by_search)


def round_tree(hand: PublicHand, beliefs: np.ndarray, only: int | None = None) -> RoundTree:
    """The tree of the round that ``hand``, which is not changed, begins.

    ``beliefs`` float64[seats, holes]: an action that no hand of these takes is left out. All seats
    left are heroes, or ``only``.
    """
    heroes = hand.betting.contenders if only is None else 1 << only
    hand = hand.copy()
    todo = deque([_State(hand, hand.search(), (1 << hand.game.seats) - 1, heroes)])
    action, nodes = [CALL], []  # of a node: seat, first, number and count, as of RoundTree
    ends: list[PublicHand] = []
    rows: list[np.ndarray] = []  # of each decision: float64[2, holes, actions]
    while todo:
        state = todo.popleft()
        plays = _strategies(state, heroes)
        if plays is None:
            nodes.append((END, len(ends), -1, 0))
            ends.append(state.hand)
            continue
        actor, (offered, tables) = state.hand.betting.actor, plays
        children, columns = _children(state, heroes, actor, offered, beliefs[actor] @ tables > 0)
        nodes.append((actor, len(action), len(rows), len(children)))
        action += [offered[a] for a in columns]
        rows.append(tables[:, :, columns])
        todo.extend(children)
    both = np.zeros((2, len(rows), *max(each.shape[1:] for each in rows)))
    for i, each in enumerate(rows):
        both[:, i, :, : each.shape[2]] = each
    return RoundTree(
        heroes, hand.board, np.array(action, np.int64), *np.array(nodes, np.int64).T.copy(),
        np.array([end.real for end in ends]).reshape(-1, LENGTH),
        np.array([end.mine for end in ends]).reshape(-1, LENGTH),
        np.array([end.node for end in ends], np.int64), *both,
    )  # fmt: skip


def _strategies(state: _State, heroes: int) -> tuple[list[int], np.ndarray] | None:
    """The actions of a decision and their rows, the blueprint first; None at an end."""
    hand = state.hand
    if hand.betting.over or hand.needs_cards:
        return None
    actor = hand.betting.actor
    searched = bool(state.worth(heroes) & state.by_search & 1 << actor)
    result = standing(hand, state.result, searched)
    if result is None:
        return None
    plays, state.result = [hand.blueprint()], result
    if searched:
        plays.append(result.play(tuple(hand.rounds[-1].done)))
    offered = sorted({action for play in plays for action in play.offered})
    rows = np.zeros((2, len(plays[0].rows), len(offered)))
    rows[: len(plays)] = [np.column_stack([play.chance(a) for a in offered]) for play in plays]
    return offered, rows


def standing(hand: PublicHand, result: SearchResult, again: bool) -> SearchResult | None:
    """The search that counts after ``result``, made ``again`` if it lacks an action; or None."""
    done = tuple(hand.rounds[-1].done)
    if result.covers(done):
        return result
    if result.reaches(done):
        return None
    return hand.search() if again else result


def _children(
    state: _State, heroes: int, actor: int, offered: list[int], taken: np.ndarray
) -> tuple[list[_State], list[int]]:
    """The states that count after a decision, and the columns of the actions that lead there."""
    children, columns = [], []
    for a, action in enumerate(offered):
        child = _State(state.hand, state.result, state.by_blueprint, state.by_search)
        if not taken[0, a]:
            child.by_blueprint &= ~(1 << actor)
        if not taken[1, a]:
            child.by_search &= ~(1 << actor)
        if child.worth(heroes):
            child.hand = state.hand.copy()
            child.hand.act(action)
            children.append(child)
            columns.append(a)
    return children, columns


class FixedStrategy(SearchResult):
    """A ``policy`` in the place of a search of the round after the actions ``before``."""

    def __init__(self, run: Run, policy: np.ndarray, board: np.ndarray, before: tuple[int, ...]):
        self._run, self._policy, self._before = run, policy, before
        self._bucket = blueprint_buckets(run, board)

    def covers(self, done: tuple[int, ...]) -> bool:
        try:
            self._run.tree.find(self._before + done)
        except UserError:
            return False
        return True

    def play(self, done: tuple[int, ...]) -> Play:
        node = self._run.tree.find(self._before + done)
        rows = blueprint_rows(self._run, self._policy, node, self._bucket)
        return Play(self._run.tree.offered(node), rows)


def fixed(run: Run, policy: np.ndarray) -> SearchFunction:
    """A search function whose every answer is ``policy``; nobody leaves the run's tree."""

    def answer(position: Position, frozen: tuple[FrozenAction, ...], seed: int) -> FixedStrategy:
        return FixedStrategy(run, policy, position.state.board, position.state.before)

    return answer
