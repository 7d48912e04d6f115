"""The subgame of a search: what may follow the start of the current betting round.

It is a game like any other (:mod:`sixmax.game.tree`), with rounds that are numbered from the
current one as 0. Its leaves and depth follow the supplement, "Real-time search in Pluribus" and
"Leaf node values in imperfect-information subgames"; its actions "Abstraction and off-tree actions
in subgames".
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from sixmax.cfr.layout import Layout
from sixmax.game.config import GameConfig, RoundSizes
from sixmax.game.tree import Scope, Tree
from sixmax.search.places import Places

MOST_NODES = 1 << 24  # of a subgame: 256 MB


class PublicState(NamedTuple):
    """What everybody at the table has seen, except for the folded cards.

    ``root`` is where search begins: the hand as it was when the current betting round began.
    """

    game: GameConfig  # the rules and true stacks; its raise sizes do not matter
    root: np.ndarray  # int64[LENGTH] of sixmax.game.rules, rounds numbered as in the game
    board: np.ndarray  # int8[0, 3, 4 or 5] cards, in the order dealt
    before: tuple[int, ...]  # actions of the earlier rounds: FOLD, CALL or true raise-to
    taken: tuple[int, ...]  # actions of the current round so far, likewise

    @property
    def round(self) -> int:
        """The betting round, counted from the first of the game."""
        ...


class Leaves(NamedTuple):
    """Where the play goes on from the leaves, by row of ``Tree.contributed``.

    Rows of SIDEPOTS terminals have node -1. At a LEAF x of the subgame's tree, ``node[x, 1]`` is
    the row (``contributed[row]`` are the real chips put in), ``node[x, 2]`` the blueprint's node
    and ``node[x, 3]`` the continuations, two bits a seat (0 for seats that do not choose).

    With the blueprint's net chips ``net`` float64[seats] at the end of a roll-out, the leaf is
    worth ``(net + chips[row]) * ratio[row] - contributed[row]``: what each seat takes out of the
    pot, less what it still puts in, at the scale of the real pot. It sums to zero.
    """

    node: np.ndarray  # int32[rows]: decision node of the blueprint's tree
    chips: np.ndarray  # int32[rows, seats]: put in by each seat at that node
    ratio: np.ndarray  # float64[rows]: real pot / pot at that node
    how: np.ndarray  # uint8[rows]: SAME, TRANSLATED or NEAREST of sixmax.search.places


class Subgame(NamedTuple):
    """A public betting tree that begins with ``state.root``."""

    state: PublicState
    tree: Tree  # rounds from the current one as 0; as many as the subgame reaches
    layout: Layout  # of all holes (hole_id) in round 0, of the search's buckets later
    leaves: Leaves
    path: np.ndarray  # int64[taken + 1]: nodes from the root to the current one

    @property
    def here(self) -> int:
        """The node of the current public state: the next decision."""
        ...

    @property
    def to_the_end(self) -> bool:
        """Whether the subgame has no leaves."""
        ...


def public_state(
    game: GameConfig, board: np.ndarray, actions: Sequence[int], stacks: Sequence[int] = ()
) -> PublicState:
    """The public state of ``game`` after all ``actions`` of the hand, with ``board`` dealt.

    Raises UserError for an illegal action, a board that does not fit the betting round, and a hand
    that is over.
    """
    raise NotImplementedError


def depth(state: PublicState) -> Scope:
    """How far the subgame goes, by the rules of the supplement.

    Before the flop to the end of the round. On the flop, with more than two players at its start,
    to the turn or right after the second raise, whichever is earlier. Otherwise to the end.
    """
    raise NotImplementedError


def build(
    state: PublicState,
    rounds: Sequence[RoundSizes],
    places: Places,
    ranks: int = 13,
    buckets: int = 500,
    scope: Scope | None = None,
    most: int = MOST_NODES,
) -> Subgame:
    """The subgame of ``state``, with the raises of ``rounds`` (one for each round of the game).

    Actions that were taken and are not offered are added where they were taken. ``places`` finds
    the blueprint's node of each leaf; ``scope`` overrides :func:`depth`. Raises UserError where
    the tree has more than ``most`` nodes.
    """
    raise NotImplementedError
