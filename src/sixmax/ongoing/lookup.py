"""A strategy as an outside observer sees it: at one node, for all private hands at once."""

import functools

import numpy as np

from sixmax.abstraction.board_lookup import board_tables, buckets_on_board
from sixmax.betting.tree import Tree, children, n_actions, round_of, seat_of
from sixmax.blueprint.run import Run
from sixmax.cards.deck import hole_cards, n_holes
from sixmax.cfr.layout import entries, infoset
from sixmax.cfr.packed_actions import Bits, read_action
from sixmax.ongoing.policies import Policy, mixed

_cards = functools.cache(hole_cards)


def blueprint_buckets(run: Run, board: np.ndarray) -> np.ndarray:
    """The blueprint's bucket of every hole on ``board`` int8[0, 3, 4 or 5]: int32[holes].

    -1 where the board has one of its cards.
    """
    out = np.empty(n_holes(run.ranks), np.int32)
    tables = board_tables(run.buckets, run.ranks)
    buckets_on_board(tables, np.array(board, np.int8), _cards(run.ranks), out)
    return out


def blueprint_rows(
    run: Run, policy: np.ndarray | Policy, node: int, bucket: np.ndarray, bits: Bits | None = None
) -> np.ndarray:
    """The strategy of every hole at decision ``node``: float64[holes, actions]; rows sum to 1.

    ``policy`` is uint8[layout.size], or a Policy: for one that is pure, ``bits`` are of the run's
    tree. ``bucket`` int32[holes] is as :func:`blueprint_buckets` gives it for the node's round.
    Blocked holes have zeros. Raises ValueError where ``node`` is no decision.
    """
    policy = policy if isinstance(policy, Policy) else mixed(run, policy)
    tree, dealt = run.tree, bucket >= 0
    if policy.pure:
        head, (each, place) = int(tree.node[node, 0]), np.unique(bucket[dealt], return_inverse=True)
        first = infoset(policy, round_of(head), seat_of(head), each, bits.slot[node])
        n = n_actions(head)
        of_hole = np.eye(n)[[read_action(policy.table, int(at), n) for at in first]][place]
    else:
        weight = policy.table[entries(tree, policy, node, bucket[dealt])].astype(np.float64)
        total = weight.sum(axis=1, keepdims=True)
        of_hole = np.where(total > 0, weight / np.maximum(total, 1), 1 / weight.shape[1])
    rows = np.zeros((len(bucket), of_hole.shape[1]))
    rows[dealt] = of_hole
    return rows


def actions(tree: Tree, node: int) -> list[int]:
    """The actions offered at decision ``node``: FOLD, CALL and raises-to in chips."""
    block = children(tree, node)
    return tree.action[block.start : block.stop].tolist()
