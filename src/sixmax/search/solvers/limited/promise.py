"""Promises of leaves: the worth to each hand of the opponent once the next cards are dealt.

The matrices of a leaf (:mod:`.leaf_values`) are means over all cards that may come. A search that
begins on some of them takes the promise of its leaf as the opponent's alternative. So it gives up
as little more than that as it can, whatever the opponent holds (safe solving; Brown, Sandholm and
Amos 2018, section 4, want the value of each hand at the root). The opponent goes on with the
continuation that is best for its hand by the matrices of the leaf.

* *On a turn* the promise is exact: both play to the end by the blueprint's tree, on every board.
* *On a flop* that would take a tree of three rounds, and the strategies of the first round's values
  are not kept. # ASSUME the promise is the worth of the blueprint's play on that flop, and the
  chips that the best choice at the leaf is worth more than the blueprint, a mean over all flops.
"""

import numpy as np

from sixmax.abstraction.board_lookup import board_tables, buckets_on_board
from sixmax.cards.deck import holds, hole_cards
from sixmax.cfr.full.public_tree import down
from sixmax.cfr.layout import infoset
from sixmax.cfr.packed_actions import MAX_ACTIONS
from sixmax.continuation.generate import stored, weigh
from sixmax.game.config import SEEN
from sixmax.game.rules import ROUNDS
from sixmax.game.tree import DECISION, LEAF, kind_of, n_actions, round_of, seat_of
from sixmax.game.tree_cut import cut, later_rounds
from sixmax.jit import njit
from sixmax.search.solvers.limited.ends import compatible, value_ends
from sixmax.search.solvers.limited.game import Round
from sixmax.search.solvers.limited.hands import spread
from sixmax.search.solvers.problem import Alternative, Problem
from sixmax.search.solvers.ranges.game import endgame
from sixmax.search.solvers.ranges.later_buckets import later_buckets
from sixmax.search.solvers.ranges.rows import first_row
from sixmax.search.solvers.ranges.solver import RangeSolver, values_by_hole
from sixmax.search.solvers.ranges.tree_parts import COLUMN, NODE, PLAYER
from sixmax.search.subgame import Subgame

_LEAST = 1e-12  # of a range: with less of it left a hand faces nobody


def promised(
    problem: Problem[Subgame], game: Round, prior: np.ndarray, strategy: np.ndarray, node: int,
    card: int,
) -> Alternative | None:  # fmt: skip
    """The promise of the leaf that begins with the choice at ``node``; ``card`` ends the board.

    The other player goes on by the first continuation. It comes to the leaf with its hands of
    ``prior`` float64[2, n] by ``strategy`` float64[rows, n] of ``game``. None where not one player
    alone chooses at ``node``, no hand of the other is left, or the game has not four rounds.
    """
    head, leaf = int(game.node[node, 0]), int(game.node[node, 1])
    state = problem.subgame.state
    if kind_of(head) != DECISION or kind_of(int(game.node[leaf, 0])) != LEAF:
        return None
    me, choices = seat_of(head), n_actions(head)
    reach = np.ones((2, len(game.node), prior.shape[1]))
    down(game, strategy, reach)
    value, weights = np.zeros(reach.shape[1:]), prior[1 - me] * reach[1 - me, node]
    value_ends(game, me, prior[1 - me], reach[1 - me], value)
    won = value[leaf : leaf + choices]  # times the weight that a hand faces
    if not len(state.board):
        left = compatible(game.hands, weights, np.ones(len(weights)))
        gain = np.full(len(left), np.nan)
        np.divide(won.max(axis=0) - won[0], left, out=gain, where=left > _LEAST)
        return Alternative(me, spread(game.hands, gain), over_blueprint=True)
    by_hole = spread(game.hands, weights, 0.0)
    by_hole[holds(np.array([card], np.int8), problem.cards.ranks)] = 0.0
    if not by_hole.any() or int(state.root[ROUNDS]) != len(SEEN):
        return None
    leaves, row = problem.subgame.leaves, int(game.node[leaf, 1])
    rest = _Rest(problem, int(leaves.node[row]), card, me, by_hole)
    best = spread(game.hands, won.argmax(axis=0), 0)
    net = np.choose(best, [rest.values(k) for k in range(choices)])
    put_in = problem.subgame.tree.contributed[row, me]
    return Alternative(me, (net + leaves.chips[row, me]) * leaves.ratio[row] - put_in)


class _Rest:
    """The hand from ``start`` on, a node of the blueprint's tree, with ``card`` on the board.

    Seat ``me`` may have any hand. The other has those of ``weights`` float64[holes], and plays
    continuation 0.
    """

    def __init__(
        self, problem: Problem[Subgame], start: int, card: int, me: int, weights: np.ndarray
    ):
        cards, self._me, self._mixed = problem.cards, me, problem.leaf_values.mixed
        board = np.array([*problem.subgame.state.board, card], np.int8)
        part = cut(problem.leaf_values.tree, start, lambda x: False, 1)
        tree = later_rounds(part.tree, round_of(int(part.tree.node[0, 0])))
        ranges = np.ones((2, len(weights)))
        ranges[1 - me] = weights
        later = later_buckets(board, cards.buckets, cards.ranks)
        game = endgame(tree, board, ranges, later, cards.ranks, every=True)
        bucket = np.empty(len(weights), np.int32)
        tables = board_tables(cards.buckets, cards.ranks)
        buckets_on_board(tables, board, hole_cards(cards.ranks), bucket)
        self._solver, self._bucket, self._origin = RangeSolver(game), bucket, part.origin
        self._solver.safe_from = me  # only these values are wanted
        self._play(1 - me, 0)

    def values(self, k: int) -> np.ndarray:
        """The player's net chips in the blueprint's game by continuation ``k``: float64[holes]."""
        self._play(self._me, k)
        return values_by_hole(self._solver, 2, 0, False)[self._me]

    def _play(self, player: int, k: int) -> None:
        """Let ``player`` play continuation ``k``."""
        game = self._solver.game
        hands = game.hands[player]
        _fill_kernel(
            self._mixed, k, player, game.tree.node, game.public.decisions, self._origin, game.rows,
            game.boards.first, hands, self._bucket[hands.first], self._solver.total,
        )  # fmt: skip


@njit
def _fill_kernel(mixed, k, player, node, decisions, origin, rows, boards, hands, bucket, table):
    """Write the rows of continuation ``k`` at the ``decisions`` of ``player`` to ``table``.

    ``origin`` int32[nodes] are the blueprint's nodes, ``boards`` int64[rounds] the first board of
    each round. In a round without buckets of its own each hand has an entry, by its ``bucket``
    int32[n].
    """
    weight = np.empty(MAX_ACTIONS)
    policy, kind, factor = mixed.policy[mixed.of[k]], mixed.kind[k], mixed.factor[k]
    for i in range(len(decisions)):
        if decisions[i, PLAYER] != player:
            continue
        r, x = round_of(node[decisions[i, NODE], 0]), origin[decisions[i, NODE]]
        first = first_row(rows, hands, r, boards[r], player, decisions[i, COLUMN])
        head, shared = mixed.node[x, 0], rows.buckets[r]
        n, size = np.int64(n_actions(head)), shared if shared else len(bucket)
        for h in range(size):
            b = h if shared else bucket[h]
            at = infoset(mixed.layout, round_of(head), seat_of(head), b, mixed.node[x, 2])
            trained = stored(policy, at, n) > 0
            weigh(policy, at, n, trained, mixed.lead[x], kind, factor, weight)
            for a in range(n):
                table[first + a * size + h] = weight[a]
