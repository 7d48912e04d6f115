"""The blueprint as an outside observer sees it: at one node, for all private hands at once."""

import functools

import numpy as np

from sixmax.abstraction.board_lookup import board_tables, buckets_on_board
from sixmax.betting.tree import DECISION, Tree, kind_of, n_actions, round_of, seat_of
from sixmax.blueprint.run import Run
from sixmax.cards.deck import hole_cards, n_holes
from sixmax.cfr.layout import infoset

_cards = functools.cache(hole_cards)


def blueprint_buckets(run: Run, board: np.ndarray) -> np.ndarray:
    """The blueprint's bucket of every hole on ``board`` int8[0, 3, 4 or 5]: int32[holes].

    -1 where the board has one of its cards.
    """
    out = np.empty(n_holes(run.ranks), np.int32)
    tables = board_tables(run.buckets, run.ranks)
    buckets_on_board(tables, np.array(board, np.int8), _cards(run.ranks), out)
    return out


def blueprint_rows(run: Run, policy: np.ndarray, node: int, bucket: np.ndarray) -> np.ndarray:
    """The strategy of every hole at decision ``node``: float64[holes, actions]; rows sum to 1.

    ``policy`` is uint8[layout.size], ``bucket`` int32[holes] as :func:`blueprint_buckets` gives it
    for the node's round. Blocked holes have zeros. Raises ValueError where ``node`` is no decision.
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
    """The actions offered at decision ``node``: FOLD, CALL and raises-to in chips."""
    first, n = int(tree.node[node, 1]), n_actions(int(tree.node[node, 0]))
    return [int(a) for a in tree.action[first : first + n]]
