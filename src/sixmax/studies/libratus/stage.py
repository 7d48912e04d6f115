"""Stages of the Libratus tables: a blueprint of a flop game, and a cell of a table."""

from pathlib import Path
from typing import Annotated

import numpy as np

from sixmax.base import options
from sixmax.base.options import Option, argument
from sixmax.base.progress import Progress, say
from sixmax.cfr.methods import DCFR
from sixmax.store import records, write
from sixmax.studies.flop_games.game import (
    MBB,
    FlopGame,
    GameOption,
    StoredGame,
    open_game,
    open_stored,
)
from sixmax.studies.flop_games.off_tree import embedded
from sixmax.studies.libratus import blueprint, subgames
from sixmax.studies.libratus.subgames import ANSWERS, TECHNIQUES

CELL = records.keys(
    "a cell of the Libratus tables", "sixmax stage resolve", "technique", "exploitability", "value"
)
CellFolder = Annotated[Path, Option("The folder to write: a file of JSON for each.", "--out")]


@options.stage
def solve_game(
    settings: GameOption,
    seed: options.Seed,
    buckets: Annotated[int, Option("0: every hand alone.", least=0, default=0)],
    iterations: options.Iterations, threads: options.Threads, out: options.Store,
) -> None:  # fmt: skip
    """Solve a flop game of two players: a blueprint for tables.

    \b
    sixmax stage flop-game --game '{"stack": 1000, "preflop": [[1], ["A"]], "flop": [[1], ["A"]],
      "max_raises": 2, "flops": 5}' --seed 1 --buckets 200 --out blueprint.zarr
    """
    game = open_game(settings, seed)
    with Progress(iterations, f"blueprint of {buckets or 'no'} buckets", "iterations") as bar:
        result = blueprint.solve(game, buckets, iterations, DCFR, bar.add)
    write(
        out, "flop-strategy", result._asdict(),
        game=settings.model_dump(mode="json"), seed=seed, buckets=buckets, iterations=iterations,
    )  # fmt: skip


@options.stage
def resolve(
    store: options.File,
    techniques: Annotated[list[str], argument("TECHNIQUE", choices=("none", *TECHNIQUES))],
    iterations: options.Iterations, threads: options.Threads, folder: CellFolder,
) -> None:  # fmt: skip
    """Solve the subgames of a flop game anew, and measure it.

    STORE is that of `sixmax stage flop-game`; `none` leaves it as it is. The exact exploitability
    is half of the gains of best responses of both seats, in mbb/hand.

    \b
    sixmax stage resolve blueprint.zarr none maxmargin --out cells

    Raises UserError for a store of another game.
    """
    options.refuse_unwritable(folder / "none.json")
    opened, arrays = open_stored(store, "flop-strategy")
    game, known = opened.game, blueprint.Blueprint(**arrays)
    for technique in techniques:
        strategy = known.strategy
        if technique != "none":
            with Progress(len(game.roots) * len(game.board), technique, "subgames") as bar:
                strategy = subgames.solved(game, known, TECHNIQUES[technique], iterations, bar.add)
        _write(folder, opened, game, strategy, technique=technique, iterations=iterations)


@options.stage
def off_tree(
    store: options.File,
    sizes: Annotated[list[float], Option("Missing bets, pots.", "--size", many=True)],
    answers: Annotated[list[str], argument("ANSWER", choices=("none", *ANSWERS))],
    iterations: options.Iterations, threads: options.Threads, folder: CellFolder,
) -> None:  # fmt: skip
    """Answer bets that a flop game lacks, and measure the result.

    STORE is that of `sixmax stage flop-game`. The exploitability is that in the game that has the
    bets; with `none` that of the blueprint in its own game.

    \b
    sixmax stage off-tree blueprint.zarr none translation --size 0.3 --out cells

    Raises UserError for sizes that are no bets or that the blueprint has.
    """
    options.refuse_unwritable(folder / "none.json")
    opened, arrays = open_stored(store, "flop-strategy")
    wide = open_game(opened.settings.with_bets(sizes), opened.attributes["seed"])
    case = embedded(opened.game, arrays["strategy"], wide)
    for answer in answers:
        game, strategy = opened.game, arrays["strategy"]
        if answer != "none":
            with Progress(len(case.bets), answer, "bets") as bar:
                game, strategy = wide, subgames.answered(case, answer, iterations, bar.add)
        _write(folder, opened, game, strategy, technique=answer, iterations=iterations, sizes=sizes)


def _write(
    folder: Path, opened: StoredGame, played: FlopGame, strategy: np.ndarray, **record: object
) -> None:
    result = played.nash_conv(strategy)
    exploitability = MBB * result.total / 2
    record |= {
        "game": opened.settings.model_dump(), "seed": opened.attributes["seed"],
        "buckets": opened.attributes["buckets"], "exploitability": exploitability,
        "value": MBB * float(result.values[0]), "unit": "mbb/hand",
        "nodes": len(played.tree.node), "flops": len(played.flops),
    }  # fmt: skip
    records.write(folder / f"{record['technique']}.json", CELL, record)
    say(f"{record['technique']}: exploitability {exploitability:.1f} mbb/hand")
