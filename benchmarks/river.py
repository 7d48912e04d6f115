"""Exact two-player endgames, exploitability against time: `python -m benchmarks.river --file …`.

A river endgame with both ranges: bets of half the pot, the pot and all-in, raises of the pot and
all-in; and with --turn the same ranges and pot on its first four cards.
Time is of the iterations alone; what the kernels take to compile is left out. Seconds on the clock
and of the processor stand side by side, because a busy machine stretches the first.
"""

import itertools
import time
from pathlib import Path

import click
import numpy as np

from sixmax.cards.deck import hole_id, parse_cards
from sixmax.cfr.full.solve import METHODS
from sixmax.game.config import GameConfig
from sixmax.game.tree_build import build
from sixmax.jit import set_threads
from sixmax.search.solvers.ranges.game import endgame, equity
from sixmax.search.solvers.ranges.solver import RangeSolver

PARTS = ("-board", "-pot", "-reach")
SIZES = {"sizes": [[0.5, 1, "A"], [1, "A"]], "max_raises": 20, "max_players": 2}


def read(file: Path | None) -> tuple[str, int, np.ndarray]:
    """Board, pot and reach float64[2, 1326] by hole, of lines ``-board 4s8hTc9h2s``, ``-pot 500``
    and ``-reach`` with 2 * 1326 numbers: 2s2h, 2s2d, 2s2c, 2s3s … AdAc of the first player to act,
    then of the other. Raises ClickException where there is no such file.
    """
    wanted = f"wanted --file with a river endgame, lines {', '.join(PARTS)}"
    if file is None or not file.is_file():
        raise click.ClickException(f"{file or 'no file'}: {wanted}")
    lines = {x[0]: x[1:] for line in file.read_text().splitlines() if (x := line.split())}
    if missing := [part for part in PARTS if not lines.get(part)]:
        raise click.ClickException(f"{file}: no line {missing[0]}; {wanted}")
    deck = [4 * rank + "cdhs".index(suit) for rank in range(13) for suit in "shdc"]
    ids = [hole_id(a, b) for a, b in itertools.combinations(deck, 2)]
    ranges = np.zeros((2, len(ids)))
    ranges[:, ids] = np.array(lines["-reach"], float).reshape(2, -1)
    return lines["-board"][0], int(lines["-pot"][0]), ranges


@click.command()
@click.option("--file", type=click.Path(path_type=Path), help="The endgame; must be given.")
@click.option("--threads", default=2, show_default=True)
@click.option("--method", type=click.Choice(list(METHODS)), default="linear", show_default=True)
@click.option("--turn", is_flag=True, help="The turn before it, all 48 rivers, smaller sizes.")
@click.option("--at", default="50,100,200,300,400,600,1000", show_default=True)
def main(file: Path | None, threads: int, method: str, turn: bool, at: str) -> None:
    """Print exploitability, in % of the pot, against iterations and time."""
    set_threads(threads)
    board, pot, ranges = read(file)
    rounds = [SIZES]
    if turn:
        first = {"sizes": [[1, "A"]], "max_raises": 2, "max_players": 2}
        board, rounds = parse_cards(board)[:4], [first, first]
    config = GameConfig(
        stacks=[20000] * 2, blinds=[0, 0], antes=[pot // 2] * 2, first=[0] * len(rounds),
        rounds=rounds,
    )  # fmt: skip
    game = endgame(build(config), board, ranges)
    print(f"{len(game.tree.node)} nodes, {int(game.rows.base[-1]):,} entries, equity of the first "
          f"player {equity(game, ranges)[0]:.5f}\n")  # fmt: skip
    RangeSolver(game).run(1).nash_conv()
    print("| iterations | s, clock | s, processor | exploitability, % of the pot | of the last "
          "strategy | value, chips of the pot |\n|---|---|---|---|---|---|")  # fmt: skip
    solver, clock, processor = RangeSolver(game, METHODS[method]), 0.0, 0.0
    for stop in map(int, at.split(",")):
        start = time.perf_counter(), time.process_time()
        solver.run(stop - solver.iterations)
        clock += time.perf_counter() - start[0]
        processor += time.process_time() - start[1]
        found, last = solver.nash_conv(), solver.nash_conv(last=True)
        print(f"| {stop} | {clock:.2f} | {processor:.2f} | {50 * found.total / pot:.3f} "
              f"| {50 * last.total / pot:.2f} | {found.values[0] + pot / 2:.2f} |",
              flush=True)  # fmt: skip


if __name__ == "__main__":
    main()
