"""The blueprint as an outside observer sees it: at one node, for all private hands at once."""

import functools

import numpy as np

from sixmax.blueprint.run import Run
from sixmax.cards.deck import holds, hole_cards, n_holes
from sixmax.cards.isomorphism import boards, canonical_board
from sixmax.cfr.layout import infoset
from sixmax.game.config import SEEN
from sixmax.game.tree import DECISION, Tree, kind_of, n_actions, round_of, seat_of

BLOCKED = -1


@functools.cache
def _holes(ranks: int) -> np.ndarray:
    return hole_cards(ranks).astype(np.int64)


def blueprint_buckets(run: Run, board: np.ndarray) -> np.ndarray:
    """The blueprint's bucket of every hole on ``board`` int8[0, 3, 4 or 5]: int32[holes].

    BLOCKED where the board has one of its cards.
    """
    in_round = SEEN.index(len(board))
    table = (run.buckets.preflop, run.buckets.flop, run.buckets.turn, run.buckets.river)[in_round]
    row, perm = 0, np.arange(4, dtype=np.int8)
    if in_round:
        row = canonical_board(boards(run.ranks, len(board)), np.asarray(board, np.int8), perm)
    cards = _holes(run.ranks)
    renamed = cards & ~3 | perm[cards & 3]
    low, high = renamed.min(axis=1), renamed.max(axis=1)
    found = table[row][high * (high - 1) // 2 + low].astype(np.int32)
    found[holds(board, run.ranks)] = BLOCKED
    return found


def blueprint_rows(run: Run, policy: np.ndarray, node: int, bucket: np.ndarray) -> np.ndarray:
    """What every hole does at decision ``node``: float64[holes, actions]; rows sum to 1.

    ``policy`` is uint8[layout.size], ``bucket`` as :func:`blueprint_buckets` gives it for the
    node's round. Blocked holes have zeros.
    """
    head = int(run.tree.node[node, 0])
    if kind_of(head) != DECISION:
        raise ValueError(f"node {node} is no decision")
    seat, in_round, n = seat_of(head), round_of(head), n_actions(head)
    dealt = bucket >= 0
    at = infoset(run.layout, in_round, seat, bucket[dealt], run.tree.node[node, 2])
    weight = policy[at[:, None] + np.arange(n)].astype(np.float64)
    total = weight.sum(axis=1, keepdims=True)
    rows = np.zeros((n_holes(run.ranks), n))
    rows[dealt] = np.where(total > 0, weight / np.maximum(total, 1), 1 / n)
    return rows


def actions(tree: Tree, node: int) -> list[int]:
    """What is offered at decision ``node``: FOLD, CALL and raises-to in chips."""
    first, n = int(tree.node[node, 1]), n_actions(int(tree.node[node, 0]))
    return [int(a) for a in tree.action[first : first + n]]
