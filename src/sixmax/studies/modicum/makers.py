"""The continuations that an opponent may choose at a leaf, by one of two makers.

*Self-generative*: the trunk of the whole game is solved with the values so far; the opponent's best
response to that solution and to the equilibrium after it is one more continuation. *Bias*: the
equilibrium, leaning to fold, call or raise (Brown, Sandholm and Amos 2018, section 4).

The value of a leaf is a matrix over the classes of both players, in net chips of the first seat
times the probability of the pair: the values of one player's classes are the matrix times the range
of the other (section 4: "traversing the entire game tree once").
"""

from typing import NamedTuple

import numpy as np

from sixmax.base.progress import Done, quiet
from sixmax.cards.strength_ladder import Rungs, add_pairs
from sixmax.cfr.layout import entries
from sixmax.continuation.generate import biased, probabilities
from sixmax.self_generated.values import excess
from sixmax.studies.flop_games.game import FlopGame
from sixmax.studies.flop_games.subgames import on_boards, reach_by_class, values_at
from sixmax.studies.flop_games.trunk import reach_at, solve, trunk

_AS_IS = 255  # in responses: as in the equilibrium


class Continuations(NamedTuple):
    """The opponent's choices after a leaf; we play on as the first, the equilibrium, does."""

    game: FlopGame  # without the bet
    equilibrium: np.ndarray  # float32[layout.size]: the first choice
    # Of the others, where self-generated: 0 or 1 in the opponent's rows on the flop, else _AS_IS. A
    # byte and no float: with all flops sixteen take 3 GB.
    responses: np.ndarray  # uint8[n - 1, layout.size]
    values: np.ndarray  # float64[n, leaves, C, C]: of ``game.roots``, to seat 0, weakened
    less: np.ndarray  # float64[n, leaves, C]: chips that each of its classes was weakened by

    def first(self, number: int) -> "Continuations":
        """The first ``number`` alone."""
        others, known = self.responses[: number - 1], (self.values[:number], self.less[:number])
        return Continuations(self.game, self.equilibrium, others, *known)

    def strategy(self, n: int) -> np.ndarray:
        """Continuation ``n`` of self-generated ones: float32[layout.size]."""
        if n == 0:
            return self.equilibrium
        other = self.responses[n - 1]
        return np.where(other == _AS_IS, self.equilibrium, other)

    def on_flops(self, n: int, leaf: int, seat: int, reach: np.ndarray) -> np.ndarray:
        """Net chips of ``seat`` by self-generated continuation ``n`` at a leaf: float64[F, H].

        ``leaf`` is its number; the other comes with ``reach`` float64[F, H].
        """
        value = values_at(self.game, self.strategy(n), self.game.roots[leaf], seat, reach)[0]
        return value - self.less[n, leaf][self.game.cards.of_hole]


def lean(game: FlopGame, strategy: np.ndarray, opponent: int, factor: float) -> Continuations:
    """The four continuations of the bias maker: as it is; fold, call, raise likelier.

    ``strategy`` float64[layout.size] is an equilibrium, ``factor`` that of the paper is 10.
    """
    leaning = probabilities(game.tree, game.layout, biased(strategy, factor))
    values = [leaf_values(game, strategy, opponent, each) for each in leaning]
    less = np.zeros((len(values), len(game.roots), len(game.cards.share)))
    none = np.empty((0, len(strategy)), np.uint8)
    return Continuations(game, strategy.astype(np.float32), none, np.array(values), less)


def generate(
    game: FlopGame, strategy: np.ndarray, opponent: int, number: int, iterations: int,
    weak: bool = True, progress: Done = quiet,
) -> Continuations:  # fmt: skip
    """So many self-generated continuations; the first ones are the same for every ``number``.

    ``strategy`` float64[layout.size] is an equilibrium; ``iterations`` are of each trunk. ``weak``
    weakens those that beat it. Calls ``progress`` with the continuations done.
    """
    classes, us = len(game.cards.share), 1 - opponent
    responses = np.empty((number - 1, len(strategy)), np.uint8)
    values = [leaf_values(game, strategy, opponent, strategy)]
    less = [np.zeros((len(game.roots), classes))]
    progress(1)
    while len(values) < number:
        top = trunk(game, 0, opponent, game.roots, np.array(values))
        played, response = solve(game, top, iterations).strategy(), strategy.copy()
        for root in game.roots:
            reach = reach_at(top, played, root)[us]
            if not reach.any():  # ASSUME we come as in the equilibrium, or with any class
                reach = reach_by_class(game, strategy, root, us)
            reach = reach if reach.any() else np.ones(classes)
            respond(game, response, opponent, root, on_boards(game, reach))
        new, lowered = leaf_values(game, strategy, opponent, response), np.zeros_like(less[0])
        if weak:
            new, lowered = weakened(game, strategy, opponent, values[0], new)
        byte = responses[len(values) - 1]
        byte.fill(_AS_IS)
        for action in (0, 1):
            byte[response == action] = action
        values.append(new)
        less.append(lowered)
        progress(1)
    first = strategy.astype(np.float32)
    return Continuations(game, first, responses, np.array(values), np.array(less))


def leaf_values(
    game: FlopGame, strategy: np.ndarray, opponent: int, theirs: np.ndarray
) -> np.ndarray:
    """The values of all leaves where the opponent plays on by ``theirs``: float64[leaves, C, C]."""
    return matrices(game, (theirs, strategy) if opponent == 0 else (strategy, theirs))


def matrices(game: FlopGame, strategies: tuple[np.ndarray, np.ndarray]) -> np.ndarray:
    """The value of each of ``game.roots`` where the seats play ``strategies``: float64[., C, C].

    Rows are classes of seat 0, columns those of seat 1.
    """
    dealt, classes = game.cards.boards[0], len(game.cards.share)
    out = np.zeros((len(game.roots), classes, classes))
    for f, weight in enumerate(dealt.weight):
        holes = dealt.order[f].astype(np.int64)
        low, high = dealt.pair[holes].T.astype(np.uint8)
        hands, of = Rungs(low, high, dealt.stop[f]), game.cards.of_hole[holes]
        for i, root in enumerate(game.roots):
            paid, shown, ranges = _ends(game, strategies, root, f, holes)
            add_pairs(ranges, of, hands, shown, weight * paid, out[i])
    return out


def _ends(
    game: FlopGame, strategies: tuple[np.ndarray, np.ndarray], root: int, f: int, holes: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The n terminals below ``root``: chips, whether hands are shown, and reach.

    Net chips of seat 0 where it wins, float64[n]; bool[n]; the reach of both seats with ``holes``
    int64[h], float64[2, n, h].
    """
    tree, walk = game.tree, game.walk(np.zeros(0), 0)
    paid, shown, reach = [], [], []
    todo = [(root, np.ones((2, len(holes))))]
    while todo:
        x, here = todo.pop()
        if not tree.is_decision(x):
            chips, show = walk.stake(x)
            paid.append(chips)
            shown.append(show)
            reach.append(here)
            continue
        seat, own = tree.seat(x), game.cards.boards[0].bucket[f, holes]
        rows = strategies[seat][entries(tree, game.layout, x, own)]
        for a, child in enumerate(tree.children(x)):
            there = here.copy()
            there[seat] *= rows[:, a]
            todo.append((child, there))
    return np.array(paid, np.float64), np.array(shown, bool), np.stack(reach, axis=1)


def respond(
    game: FlopGame, strategy: np.ndarray, seat: int, x: int, reach: np.ndarray
) -> np.ndarray:
    """Write the pure best response of ``seat`` from ``x`` on into ``strategy``.

    The other comes with ``reach`` float64[F, H] and plays ``strategy`` float64[layout.size].
    Returns the values of the response, weighted by the other's range: float64[F, H].
    """
    if not game.tree.is_decision(x):
        return game.walk(strategy, seat).board(x, reach, game.cards.boards)[0]
    at = entries(game.tree, game.layout, x, game.cards.boards[0].bucket)
    mine, rows = game.tree.seat(x) == seat, strategy[at]
    values = np.stack([
        respond(game, strategy, seat, y, reach if mine else reach * rows[..., a])
        for a, y in enumerate(game.tree.children(x))
    ])  # fmt: skip
    if not mine:
        return values.sum(axis=0)
    strategy[at] = values.argmax(axis=0)[..., None] == np.arange(len(values))
    return values.max(axis=0)


def weakened(
    game: FlopGame, strategy: np.ndarray, opponent: int, base: np.ndarray, values: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """``values`` lowered so that no class beats the equilibrium's ``base``, and by how much.

    Both values are float64[leaves, C, C]; the chips taken off float64[leaves, C], by class. A class
    of the opponent is judged against our range of ``strategy`` float64[layout.size] at the leaf;
    its values are lowered by the same number of chips against all of our classes. Leaves to which
    we never come stay as they are.
    """
    out, less, sign = values.copy(), np.zeros(values.shape[:2]), 1 - 2 * opponent
    for i, root in enumerate(game.roots):
        reach = reach_by_class(game, strategy, root, 1 - opponent)
        less[i] = excess(game.cards.share, base[i], values[i], reach, opponent)
        chips = less[i][:, None] if opponent == 0 else less[i]
        out[i] -= sign * chips * game.cards.share
    return out, less
