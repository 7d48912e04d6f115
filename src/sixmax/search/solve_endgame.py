"""Stage ``solve``: an endgame from a file, by all hands at once."""

import time
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from sixmax import compile_clock
from sixmax.betting.config import GameConfig
from sixmax.betting.rules import begin as begin_hand
from sixmax.betting.sizing import sizes
from sixmax.betting.tree import Tree
from sixmax.betting.tree_build import WHOLE, build_from
from sixmax.cards.deck import classes, format_cards, hole_cards
from sixmax.cfr.methods import METHODS
from sixmax.errors import UserError
from sixmax.files import write_json
from sixmax.jit import threads_in_use
from sixmax.play.lookup import actions
from sixmax.search.endgame_file import RANKS, EndgameFile, read_endgame
from sixmax.search.solvers.problem import Begin, quiet, strategy_at
from sixmax.search.solvers.ranges.game import endgame
from sixmax.search.solvers.ranges.solver import RangeSolver
from sixmax.stage import stage

MOST_NODES = 100_000
RAISES = {"sizes": [[0.5, 1, "A"], [1, "A"]], "max_raises": 20}
_NAMES = "AKQJT98765432"


class EndgameAnswer(NamedTuple):
    """A solved endgame.

    value: float64[2], chips by player of the pot, and of the chips that both put in later
    gain: chips a best response of either player wins more, on average: exploitability
    strategy: float64[holes, actions] of the first decision; seconds: without compiling
    """

    tree: Tree
    value: np.ndarray
    gain: float
    strategy: np.ndarray
    seconds: float


@stage
def solve(
    path: Path,
    stack: int = 20000,
    raises: dict[str, Any] | None = None,
    method: str = "linear",  # whose average is the closest: docs/guide/solve.md
    iterations: int = 500,
    threads: int = 1,
    out: Path | None = None,
    begin: Begin = quiet,
) -> str:
    """Solve the endgame in ``path`` and return the answer as text; ``out`` gets it as JSON.

    ``stack`` are the chips of each player at the start of the hand. ``raises`` has ``sizes`` and
    ``max_raises`` of each round that is left, as ``game.rounds`` of a config; keys that are missing
    are those of RAISES. Raises UserError like :func:`sixmax.search.endgame_file.read_endgame`, for
    a pot that the stacks do not pay, for raises that are none, and for too large a tree.
    """
    given = read_endgame(path)
    config = _game(given, stack, RAISES | (raises or {}))
    try:
        answer = answer_of(given, config, method, iterations, begin)
    except UserError as error:
        raise UserError(f"{path}: {error}") from None
    if out is not None:
        write_json(out, _record(given, config, answer, method, iterations))
    return _text(given, answer, method, iterations)


def answer_of(
    given: EndgameFile, config: GameConfig, method: str, iterations: int, begin: Begin = quiet
) -> EndgameAnswer:
    """Solve ``given`` with the betting of ``config``."""
    tree = build_from(begin_hand(config), sizes(config), WHOLE, MOST_NODES)
    game = endgame(tree, given.board, given.reach)
    solver, progress = RangeSolver(game, METHODS[method]), begin(iterations)
    start = time.monotonic() - compile_clock.spent()
    for first in range(0, iterations, 10):
        step = min(10, iterations - first)
        solver.run(step)
        progress(step)
    seconds = time.monotonic() - compile_clock.spent() - start
    result = solver.nash_conv()
    strategy = strategy_at(tree, game.layout, solver.strategy(), 0)
    return EndgameAnswer(tree, result.values + given.pot / 2, result.total / 2, strategy, seconds)


def _game(given: EndgameFile, stack: int, raises: dict[str, Any]) -> GameConfig:
    """The betting that is left, as a game whose antes are the pot."""
    if stack <= given.pot // 2:
        raise UserError(
            f"stack: found {stack}, wanted more than {given.pot // 2}, half of the pot that is in"
        )
    rounds = 6 - len(given.board)
    values = {
        "stacks": [stack] * 2, "blinds": [0, 0], "antes": [given.pot // 2] * 2,
        "first": [0] * rounds, "rounds": [{"max_players": 2, **raises}] * rounds,
    }  # fmt: skip
    return GameConfig.parse(values, "game")


def _record(
    given: EndgameFile, config: GameConfig, answer: EndgameAnswer, method: str, iterations: int
) -> dict[str, Any]:
    holes, held = hole_cards(RANKS)[:, ::-1], np.flatnonzero(given.reach[0])
    return {
        "board": format_cards(given.board), "pot": given.pot, "method": method,
        "iterations": iterations, "seconds": answer.seconds, "threads": threads_in_use(),
        "game": config.model_dump(), "nodes": len(answer.tree.node),
        "value": answer.value.tolist(), "exploitability": answer.gain,
        "exploitability_of_pot": answer.gain / given.pot,
        "actions": [_name(action) for action in actions(answer.tree, 0)],
        "strategy": {format_cards(holes[h]): answer.strategy[h].tolist() for h in held},
    }  # fmt: skip


def _text(given: EndgameFile, answer: EndgameAnswer, method: str, iterations: int) -> str:
    share = 100 * answer.value / given.pot
    hands, cores = np.count_nonzero(given.reach, axis=1), threads_in_use()
    lines = [
        f"board {format_cards(given.board)}, pot {given.pot:,}; {len(answer.tree.node)} nodes, "
        f"ranges of {hands[0]} and {hands[1]} hands",
        f"value: player 1 {answer.value[0]:,.2f} ({share[0]:.2f} % of the pot), "
        f"player 2 {answer.value[1]:,.2f} ({share[1]:.2f} %)",
        f"exploitability: {100 * answer.gain / given.pot:.3f} % of the pot after {iterations} "
        f"iterations of {METHODS[method].title}, {answer.seconds:.2f} s on {cores} "
        + ("cores" if cores > 1 else "core"),
    ]
    weight = given.reach[0]
    for a, action in enumerate(actions(answer.tree, 0)):
        often = float(weight @ answer.strategy[:, a] / weight.sum())
        lines += ["", f"player 1: {_name(action)}, {100 * often:.1f} % of the range", *_grid(
            weight, answer.strategy[:, a])]  # fmt: skip
    return "\n".join(lines)


def _grid(weight: np.ndarray, share: np.ndarray) -> list[str]:
    """Percent by hand class: suited above the diagonal, offsuit below; · where no hand is held."""
    number = classes(RANKS)
    held = np.bincount(number, weight, RANKS**2).reshape(RANKS, RANKS)
    taken = np.bincount(number, weight * share, RANKS**2).reshape(RANKS, RANKS)
    lines = ["   " + "".join(f"{name:>4}" for name in _NAMES)]
    for name, total, part in zip(_NAMES, held, taken, strict=True):
        cells = [f"{100 * p / t:4.0f}" if t else "   ·" for p, t in zip(part, total, strict=True)]
        lines.append(f"{name:>3}" + "".join(cells))
    return lines


def _name(action: int) -> str:
    """The action as a word: check, or raise to so many chips of the hand."""
    return "check" if action == 0 else f"bet, {action:,} in all"
