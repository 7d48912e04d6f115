"""The data of a walk: the subgame as one player sees it, the orders, and working memory."""

from typing import NamedTuple

import numpy as np

from sixmax.search.solvers.ranges.boards import FollowingBoards
from sixmax.search.solvers.ranges.hands import Hands
from sixmax.search.solvers.ranges.lanes import ALL, LANES
from sixmax.search.solvers.ranges.rows import HandRows
from sixmax.search.solvers.ranges.tree_parts import ACTIONS, CHILD, PARTS, ROOTS, ROW, Public

BLOCKS = 16  # of the boards after the first; threads share them
LEARN, PLAY, BEST = range(3)  # for the player: update regrets, play the table, respond best to it


class View(NamedTuple):
    """The data of a subgame that walks share, as ``mine`` sees it.

    mine, theirs: the hands of the player whose values come back, and of the opponent
    prior, reach: float32[n]  their weights at the root
    """

    public: Public
    boards: FollowingBoards
    rows: HandRows
    mine: Hands
    theirs: Hands
    prior: np.ndarray
    reach: np.ndarray


class WalkGame(NamedTuple):
    """A subgame as walks take it; ``range`` float32[n] of each player weighs its hands."""

    public: Public
    boards: FollowingBoards
    rows: HandRows
    hands: tuple[Hands, Hands]
    range: tuple[np.ndarray, np.ndarray]


class Here(NamedTuple):
    """A part on a board, and its place in a Room."""

    part: int
    board: int
    thread: int
    level: int


class Pass(NamedTuple):
    """The orders of one walk.

    me, mode: int              the player whose values come back; LEARN, PLAY or BEST
    table: float32[entries]    the strategies are its positive parts, normalised
    total: float32[entries]    LEARN: strategies, summed by reach
    keep: float64[4]           LEARN: factors of positive and of negative regrets after this step
                               and of ``total`` before it; weight of the step
    walked: int64[rounds]      boards to walk of those that follow a board
    draw: uint64               draws them
    frozen: int32[k, 2]        node and hand of a frozen decision, all of round 0
    fixed: float32[k, width]   their strategies
    watched: int               a decision of round 0, whose values are left in the room; or -1
    """

    me: int
    mode: int
    table: np.ndarray
    total: np.ndarray
    keep: np.ndarray
    walked: np.ndarray
    draw: np.uint64
    frozen: np.ndarray
    fixed: np.ndarray
    watched: int = -1


class Room(NamedTuple):
    """Working memory, float32 by thread and level: the parts on the path to the current one.

    reach, own, value: [threads, levels, slots, n]; strategy: [threads, levels, rows, n]
    prior: [threads, levels, n]  weights of my hands
    lanes, won, alive: [threads, n + 1, LANES]; held: float64[threads, 53, LANES]
    by_bucket: [threads, actions, buckets]; sums: the same, and six rows: of reach, of the mean,
                                 and four partial sums
    values: [BLOCKS, slots, n]   of the first part, from the boards of a block
    frames: int64[threads, levels, 4]  part, board, part that follows, boards done of it
    watched: [n]                 values of my hands at the decision that is watched
    """

    reach: np.ndarray
    own: np.ndarray
    value: np.ndarray
    strategy: np.ndarray
    prior: np.ndarray
    lanes: np.ndarray
    won: np.ndarray
    alive: np.ndarray
    held: np.ndarray
    by_bucket: np.ndarray
    sums: np.ndarray
    values: np.ndarray
    frames: np.ndarray
    watched: np.ndarray


def make_room(public: Public, hands: tuple[Hands, Hands], rows: HandRows, threads: int) -> Room:
    """Working memory of ``threads`` threads."""
    n, size = max(len(h.first) for h in hands), int(rows.buckets.max())
    parts, actions = len(public.round), public.decisions[:, ACTIONS]
    roots = int(np.diff(public.first[:, ROOTS]).max())
    slots = max(roots, int((public.decisions[:, CHILD] + actions).max(initial=1)))
    below = int((public.decisions[:, ROW] + actions).max(initial=1))
    most, level = int(actions.max(initial=1)), np.zeros(parts, np.int64)
    for part in range(parts):
        level[public.first[part, PARTS] : public.first[part + 1, PARTS]] = level[part] + 1
    levels, blocks = int(level.max()) + 1, BLOCKS if parts > 1 else 0
    by_slot = (np.zeros((threads, levels, slots, n), np.float32) for _ in range(3))
    lanes = (np.zeros((threads, n + 1, LANES), np.float32) for _ in range(3))
    return Room(
        *by_slot,
        np.zeros((threads, levels, below, n), np.float32),
        np.zeros((threads, levels, n), np.float32),
        *lanes,
        np.zeros((threads, ALL + 1, LANES)),
        np.zeros((threads, most, size), np.float32),
        np.zeros((threads, most + 6, size), np.float32),
        np.zeros((blocks, slots, n), np.float32),
        np.zeros((threads, levels, 4), np.int64),
        np.zeros(n, np.float32),
    )
