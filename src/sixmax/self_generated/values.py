"""The values of leaves where a player plays one strategy and the other the blueprint."""

import numpy as np

from sixmax.blueprint.run import Run
from sixmax.cards.deck import n_holes
from sixmax.continuation.generate import Continuation
from sixmax.continuation.mixed import mixed_play
from sixmax.search.solvers.limited.hands import collected, hands_on
from sixmax.search.solvers.limited.leaf_values import roll_outs
from sixmax.search.solvers.problem import LeafGame, Problem, SubgameCards
from sixmax.search.subgame import leaf_nodes
from sixmax.self_generated.trunk import NO_BOARD, first_round, range_at


def leaf_starts(run: Run) -> np.ndarray:
    """The decisions of the blueprint's tree with which flops begin: int32[L]."""
    subgame = first_round(run, 1, 0)
    return subgame.tree.node[leaf_nodes(subgame.tree), 2].copy()


def estimated(
    run: Run, policy: np.ndarray, response: np.ndarray, seat: int, deals: int, seed: int
) -> np.ndarray:
    """Net chips of seat 0 at the leaves: float32[2, L, C, C], [strategy, leaf, class, other's].

    Strategy 0 is ``policy`` uint8[layout.size] of both; 1 is ``response``, alike, of ``seat``.
    All are rolled out with the same ``deals``, which ``seed`` draws.
    """
    subgame = first_round(run, 2, seat)
    mixed = mixed_play(run, [Continuation("blueprint", policy), Continuation("response", response)])
    leaves = LeafGame(run.tree, None, np.zeros((2, 0), np.uint8), mixed=mixed)
    cards, beliefs = SubgameCards(run.ranks, run.buckets), np.ones((2, n_holes(run.ranks)))
    problem = Problem(subgame, beliefs, seed, cards, leaf_values=leaves)
    hands = hands_on(NO_BOARD, run.buckets, run.ranks)
    won = roll_outs(problem, hands, deals)[0].transpose(0, 2, 1)
    return won.reshape(-1, 2, *won.shape[1:]).transpose(1, 0, 2, 3).astype(np.float32)


def weakened(
    run: Run, policy: np.ndarray, seat: int, node: np.ndarray, base: np.ndarray, values: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """``values`` lowered so that no class of ``seat`` beats the ``base``, and by how much.

    Both are float32[L, C, C], net chips of seat 0 at the leaves ``node`` int32[L] of the
    blueprint's tree; the chips taken off are float64[L, C]. A class is judged against the range
    that the other brings there by ``policy`` uint8[layout.size], and loses the same number of chips
    against every class of the other. Leaves to which the other never comes stay as they are.
    """
    hands = hands_on(NO_BOARD, run.buckets, run.ranks)
    out, less, sign = values.copy(), np.zeros(values.shape[:2]), 1 - 2 * seat
    for i, x in enumerate(node):
        weight = range_at(run, policy, hands, int(x), 1 - seat)
        met, old, new = (
            m @ weight if seat == 0 else weight @ m
            for m in (hands.apart, hands.apart * base[i], hands.apart * values[i])
        )
        excess = np.maximum(sign * (new - old), 0)
        less[i] = np.divide(excess, met, out=np.zeros(met.shape), where=met > 0)
        out[i] -= sign * (less[i][:, None] if seat == 0 else less[i])
    return out, less


def won(run: Run, policy: np.ndarray, seat: int, node: np.ndarray, chips: np.ndarray) -> float:
    """The mean of ``chips`` float64[L, C, C] of seat 0 that ``seat`` wins, a hand.

    Both play ``policy`` uint8[layout.size] up to the leaves ``node`` int32[L].
    """
    hands = hands_on(NO_BOARD, run.buckets, run.ranks)
    everyone = collected(hands, np.ones((1, len(hands.of_hole))))[0]
    total = 0.0
    for x, table in zip(node, chips, strict=True):
        first, second = (range_at(run, policy, hands, int(x), p) for p in (0, 1))
        total += first @ (hands.apart * table) @ second
    return float((1 - 2 * seat) * total / (everyone @ hands.apart @ everyone))
