"""Stage ``solve``: an endgame from a file, its answer as text and as JSON."""

import json
import time
from pathlib import Path
from typing import Annotated, Any

import numpy as np

from sixmax.api import chart
from sixmax.api.decision import EV
from sixmax.api.endgame import BETS, MOST_RAISES, endgame
from sixmax.api.endgame_solution import EndgameSolution, EndgameSpot
from sixmax.api.solve import TARGET, Report, SolveLimits
from sixmax.api.solve import solve as solve_game
from sixmax.api.strategy import hole_names
from sixmax.base import options
from sixmax.base.errors import UserError
from sixmax.base.files import bytes_in, write_json
from sixmax.base.jit import threads_in_use
from sixmax.base.options import Option, argument
from sixmax.base.progress import Progress
from sixmax.cfr.methods import CARRIED
from sixmax.search.endgame_file import read_endgame

STACK = 20_000  # chips at the start of the hand, as in the endgames of Libratus
RAISES = {"sizes": [list(row) for row in BETS], "max_raises": MOST_RAISES}


@options.stage
def solve(
    path: Annotated[Path, argument("FILE")],
    stack: Annotated[
        int,
        Option("Chips that each player has left. Default: 20,000 less half of the pot.", least=1),
    ] | None = None,
    raises: Annotated[
        dict,
        Option(f"Bets and raises of a round, as in game.rounds. Default: {json.dumps(RAISES)}"),
    ] | None = None,
    method: Annotated[
        str,
        Option("A variant of CFR. Default: dcfr; linear on a river with 20 pots left or more.",
               choices=tuple(CARRIED)),
    ] | None = None,
    iterations: Annotated[int, Option("End after so many.", least=1)] | None = None,
    target: Annotated[
        float,
        Option("End at this exploitability, in % of the pot. Default: 0.3, without another limit.",
               above=0),
    ] | None = None,
    seconds: Annotated[float, Option("End after so long.", above=0)] | None = None,
    bits: Annotated[
        str, Option("Of a number in the tables; 16: half of the memory.", choices=("16", "32"))
    ] = "32",
    at: Annotated[
        str,
        Option("The decision to show, as in 'c b250': bets and raises of this round, in chips."),
    ] = "",
    deal: Annotated[str, Option("The cards of the rounds that --at begins, as in Qd.")] = "",
    threads: options.Threads = 1,
    out: Annotated[
        Path,
        Option("Write the answer too: to *.zarr all of it, for `sixmax serve`; else as JSON."),
    ] | None = None,
) -> str:  # fmt: skip
    """Solve a flop, turn or river of two players from a file.

    FILE has the board, the pot and the range of each player (docs/guide/solve.md). Prints the value
    of the game, the exploitability of the answer, and a decision: how often each hand class takes
    each action, and its EV.

    \b
    sixmax solve river.txt --threads 2
    sixmax solve turn.txt --stack 1750 --target 0.1 --at "c b250"
    sixmax solve turn.txt --stack 1750 --out answer.zarr && sixmax serve answer.zarr

    Raises UserError for a file that is none, and for values that do not fit it.
    """
    given = read_endgame(path)
    wanted = RAISES | (raises or {})
    if unknown := set(wanted) - set(RAISES):
        raise UserError(f"raises: unknown key {min(unknown)!r}; wanted {', '.join(RAISES)}")
    left = STACK - given.pot // 2 if stack is None else stack
    if left < 1 and stack is None:
        raise UserError(
            f"{path}: found a pot of {given.pot:,} and no --stack; wanted the chips that each "
            "player has left"
        )
    if (stored := out is not None and out.suffix == ".zarr") and out.is_file():
        raise UserError(f"{out}: a file is there, a store was to be written; name another place")
    limits = SolveLimits(iterations, None if target is None else target / 100, seconds)
    try:
        game = endgame(
            given.board, given.pot, left, list(given.reach), wanted["sizes"], wanted["max_raises"]
        )
        game = game.packed if bits == "16" else game
        with Progress(100, "solve", "%") as bar:
            answer = solve_game(game, method, *limits, _reporter(bar, game.pot, limits))
        spot = answer.at(at, deal)
    except UserError as error:
        raise UserError(f"{path}: {error}") from None
    values, kept = spot.ev(), ""
    if stored:
        answer.save(out)
        kept = f"\n\n{out}: {bytes_in(out) / 1e6:,.2f} MB; look at it by `sixmax serve {out}`"
    elif out is not None:
        write_json(out, _record(answer, spot, values, at))
    return _text(answer, spot, values) + kept


def _reporter(bar: Progress, pot: int, limits: SolveLimits) -> Report:
    """Shows the percent of the way to the nearest of ``limits`` on ``bar``."""
    start, shown = time.monotonic(), 0
    target = TARGET if limits == (None, None, None) else limits.target

    def report(iterations: int, gain: float | None) -> None:
        nonlocal shown
        shares = [0.0]
        if limits.iterations:
            shares.append(iterations / limits.iterations)
        if limits.seconds:
            shares.append((time.monotonic() - start) / limits.seconds)
        if gain is not None:
            bar.note(f"exploitability {100 * gain / pot:.3f} % of the pot")
            if target:  # it falls about as fast as iterations grow
                shares.append(target * pot / max(gain, 1e-12))
        percent = min(int(100 * max(shares)), 100)
        bar.add(max(percent - shown, 0))
        shown = max(percent, shown)

    return report


def _record(answer: EndgameSolution, spot: EndgameSpot, values: EV, at: str) -> dict[str, Any]:
    strategy, names = spot.chart, hole_names(spot.ranks)
    held = np.flatnonzero(strategy.range.weights)
    ev = np.where(np.isnan(values.mean), None, values.mean)
    return answer.to_dict() | {
        "threads": threads_in_use(), "at": at, "board_there": spot.board,
        "reached": spot.reached, "player": spot.player, "pot_there": spot.pot,
        "actions": list(spot.actions),
        "strategy": {names[h]: strategy.rows[h].tolist() for h in held},
        "ev": {names[h]: ev[:, h].tolist() for h in held},
    }  # fmt: skip


def _text(answer: EndgameSolution, spot: EndgameSpot, values: EV) -> str:
    cores, pot = threads_in_use(), spot.pot
    lines = [
        f"{answer.game!r}",
        f"{answer!r}, {answer.seconds:.2f} s on {cores} {'cores' if cores > 1 else 'core'}",
        f"{spot.board}: {spot.player} to act, pot {pot:,}, {spot.to_call:,} to call; reached by "
        f"{100 * spot.reached:.3g} % of the ranges; EV in % of the pot: "
        f"{100 * values.range.mixed.mean / pot:.1f}",
    ]
    strategy, by_action = spot.chart, values.range.by_action
    for action, often in zip(strategy.actions, strategy.total, strict=True):
        ev = 100 * by_action[action].mean / pot
        lines += ["", f"{action}: {100 * often:.1f} % of the range, EV {ev:.1f}",
                  strategy.text(action)]  # fmt: skip
    cells = values.classes / pot
    return "\n".join([*lines, "", "EV, % of the pot", chart.text(cells, spot.ranks)])
