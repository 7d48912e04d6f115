"""The continuations that an opponent may choose at a leaf, by one of two makers.

*Self-generative*: the trunk of the whole game is solved with the values so far; the opponent's best
response to that solution and to the equilibrium after it is one more continuation. *Bias*: the
equilibrium, leaning to fold, call or raise (Brown, Sandholm and Amos 2018, section 4).
"""

from collections.abc import Callable, Iterator

import numpy as np

from sixmax.cfr.layout import infoset
from sixmax.continuation.generate import biased, probabilities
from sixmax.evaluation.exploitability.exact_holdem import Walk
from sixmax.flop_games.game import FlopGame
from sixmax.flop_games.reach import steps, taken
from sixmax.flop_games.trunk import reach_at, solve, trunk
from sixmax.game.tree import DECISION, children, kind_of, n_actions, round_of, seat_of
from sixmax.modicum.leaf_values import matrices

FACTOR = 10.0  # of the bias


def lean(game: FlopGame, strategy: np.ndarray, opponent: int) -> Iterator[np.ndarray]:
    """The strategies of the bias maker: float64[layout.size] each, the equilibrium first."""
    for each in biased(strategy, FACTOR):
        yield probabilities(game.tree, game.layout, [each])[0]


def generate(
    game: FlopGame,
    strategy: np.ndarray,
    opponent: int,
    number: int,
    iterations: int,
    weaken: bool = True,
    progress: Callable[[int], None] = lambda n: None,
) -> np.ndarray:
    """The values of ``number`` self-generated continuations: float64[number, leaves, C, C].

    The first is ``strategy`` itself, float64[layout.size], which we play after the trunk
    throughout. So are the first n for every n. ``iterations`` are of each trunk. Calls
    ``progress`` with the values done.
    """
    values = [matrices(game, (strategy, strategy))]
    progress(1)
    while len(values) < number:
        top = trunk(game, 0, opponent, game.roots, np.array(values))
        played, us = solve(top, iterations), 1 - opponent
        response = strategy.copy()
        for root in game.roots:
            range_ = reach_at(top, played, root)[us]
            if not range_.any():
                range_ = range_of(game, strategy, root, us)
            respond(game, response, opponent, root, range_)
        pair = (response, strategy) if opponent == 0 else (strategy, response)
        new = matrices(game, pair)
        values.append(weakened(game, strategy, opponent, values[0], new) if weaken else new)
        progress(1)
    return np.array(values)


def range_of(game: FlopGame, strategy: np.ndarray, node: int, seat: int) -> np.ndarray:
    """The probability that ``seat`` plays its part of the way before the flop: float64[C]."""
    reach = np.ones(len(game.cards.share))
    for before, child in steps(game.tree, node):
        if seat_of(int(game.tree.node[before, 0])) == seat:
            reach *= taken(game, strategy, before, child)
    return reach


def respond(
    game: FlopGame, strategy: np.ndarray, seat: int, root: int, reach: np.ndarray
) -> np.ndarray:
    """Write the best response of ``seat`` below ``root`` into ``strategy``, a pure one.

    The other comes with ``reach`` float64[C] and plays ``strategy``. Returns the values of the
    response, float64[F, H], weighted by the range of the other.
    """
    held = np.broadcast_to(reach[game.cards.of_hole], game.cards.boards[0].bucket.shape)
    return _respond(game, strategy, seat, root, held)


def _respond(
    game: FlopGame, strategy: np.ndarray, seat: int, x: int, reach: np.ndarray
) -> np.ndarray:
    head, _, slot, _ = (int(n) for n in game.tree.node[x])
    if kind_of(head) != DECISION:
        walk = Walk(game.tree, game.layout, game.cards, strategy, seat)
        return walk.board(x, reach, game.cards.boards)[0]
    mine, count = seat_of(head) == seat, n_actions(head)
    own = game.cards.boards[0].bucket
    at = infoset(game.layout, round_of(head), seat_of(head), own, slot)[..., None]
    rows = strategy[at + np.arange(count)]
    values = np.stack([
        _respond(game, strategy, seat, y, reach if mine else reach * rows[..., a])
        for a, y in enumerate(children(game.tree, x))
    ])  # fmt: skip
    if not mine:
        return values.sum(axis=0)
    best = values.argmax(axis=0)
    strategy[at + np.arange(count)] = best[..., None] == np.arange(count)
    return values.max(axis=0)


def weakened(
    game: FlopGame, strategy: np.ndarray, opponent: int, base: np.ndarray, values: np.ndarray
) -> np.ndarray:
    """``values`` float64[leaves, C, C], lowered so that no class beats the equilibrium's ``base``.

    A class of the opponent is judged against our range of ``strategy`` at the leaf; its values are
    lowered by the same number of chips against all of our classes. Leaves to which we never come
    stay as they are.
    """
    out, sign = values.copy(), 1 - 2 * opponent  # values are those of seat 0
    for i, root in enumerate(game.roots):
        reach = range_of(game, strategy, root, 1 - opponent)
        met, old, new = (
            m @ reach if opponent == 0 else reach @ m
            for m in (game.cards.share, base[i], values[i])
        )
        excess = np.maximum(sign * (new - old), 0)
        chips = np.divide(excess, met, out=np.zeros(met.shape), where=met > 0)
        out[i] -= sign * (chips[:, None] if opponent == 0 else chips) * game.cards.share
    return out
