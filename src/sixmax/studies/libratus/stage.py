"""Stages of the Libratus tables: a blueprint of a flop game, and a cell of a table."""

from pathlib import Path
from typing import Annotated, NamedTuple

import numpy as np

from sixmax.base import options
from sixmax.base.errors import UserError
from sixmax.base.options import Option, argument
from sixmax.base.progress import Progress, say
from sixmax.base.stage import stage
from sixmax.cfr.methods import DCFR
from sixmax.evaluation.exploitability.exact_holdem import nash_conv
from sixmax.store import read, write
from sixmax.store.records import keys
from sixmax.store.records import write as write_record
from sixmax.studies.flop_games.config import BIG_BLIND, FlopGameSettings
from sixmax.studies.flop_games.game import FlopGame, open_game
from sixmax.studies.flop_games.off_tree import embedded
from sixmax.studies.libratus import blueprint, off_tree, subgames
from sixmax.studies.libratus.off_tree import ANSWERS
from sixmax.studies.libratus.subgames import TECHNIQUES

CELL = keys(
    "a cell of the Libratus tables", "sixmax stage resolve", "technique", "exploitability", "value"
)


@stage
def solve_game(
    settings: Annotated[
        FlopGameSettings,
        Option("Stack, raises and flops, as in config/tables; JSON.", "--game", kind="game"),
    ],
    seed: options.Seed,
    buckets: Annotated[int, Option("0: every hand alone.", least=0, default=0)],
    iterations: options.Iterations, threads: options.Threads, out: options.Store,
) -> None:  # fmt: skip
    """Solve a flop game of two players: a blueprint for tables.

    \b
    sixmax stage flop-game --game '{"stack": 1000, "preflop": [[1], ["A"]], "flop": [[1], ["A"]],
      "max_raises": 2, "flops": 5}' --seed 1 --buckets 200 --out blueprint.zarr
    """
    game = open_game(settings.game(), settings.flops, seed)
    with Progress(iterations, f"blueprint of {buckets or 'no'} buckets", "iterations") as bar:
        result = blueprint.solve(game, buckets, iterations, DCFR, bar.add)
    write(
        out, "flop-strategy", result._asdict(),
        game=settings.model_dump(mode="json"), seed=seed, buckets=buckets, iterations=iterations,
    )  # fmt: skip


class _OpenedGame(NamedTuple):
    """The game and the blueprint of a store of :func:`solve_game`."""

    settings: FlopGameSettings
    seed: int
    buckets: int
    game: FlopGame
    blueprint: blueprint.Blueprint


def _opened(store: Path) -> _OpenedGame:
    kept = read(store, "flop-strategy")
    settings = FlopGameSettings.parse(kept.attributes["game"], str(store))
    seed, buckets = (kept.attributes[name] for name in ("seed", "buckets"))
    game = open_game(settings.game(), settings.flops, seed)
    if kept["strategy"].shape != (game.layout.size,):
        raise UserError(
            f"{store}: {kept['strategy'].size:,} entries, the game wants {game.layout.size:,}; "
            "make it anew"
        )
    arrays = (np.asarray(kept[name]) for name in blueprint.Blueprint._fields)
    return _OpenedGame(settings, seed, buckets, game, blueprint.Blueprint(*arrays))


@stage
def resolve(
    store: options.File,
    technique: Annotated[str, argument("TECHNIQUE", choices=("none", *TECHNIQUES))],
    iterations: options.Iterations, threads: options.Threads, out: options.Out,
) -> None:  # fmt: skip
    """Solve the subgames of a flop game anew, and measure it.

    `none` leaves it as it is. The exact exploitability is half of the gains of best responses of
    both seats, in mbb/hand.

    \b
    sixmax stage resolve blueprint.zarr maxmargin --out maxmargin.json

    Raises UserError for a store of another game.
    """
    opened = _opened(store)
    game, strategy = opened.game, opened.blueprint.strategy
    if technique != "none":
        work = len(game.roots) * len(game.board)
        with Progress(work, technique, "subgames") as bar:
            strategy = subgames.solved(
                game, opened.blueprint, subgames.TECHNIQUES[technique], iterations, bar.add
            )
    _write(out, opened, game, strategy, technique=technique, iterations=iterations)


@stage
def answer_bet(
    store: options.File,
    sizes: Annotated[list[float], Option("Missing bets, pots.", "--size", many=True)],
    answer: Annotated[str, argument("ANSWER", choices=("none", *ANSWERS))],
    iterations: options.Iterations, threads: options.Threads, out: options.Out,
) -> None:  # fmt: skip
    """Answer bets that such a game lacks, and measure the result.

    The exploitability is that in the game that has the bets; with `none` that of the blueprint in
    its own game.

    \b
    sixmax stage off-tree blueprint.zarr translation --size 0.3 --out translation.json

    Raises UserError for sizes that are no bets or that the blueprint has.
    """
    opened = _opened(store)
    game, strategy = opened.game, opened.blueprint.strategy
    if answer != "none":
        larger = open_game(opened.settings.with_bets(sizes).game(), len(game.flops), opened.seed)
        case = embedded(game, strategy, larger)
        with Progress(len(case.bets), answer, "bets") as bar:
            game, strategy = larger, off_tree.answered(case, answer, iterations, bar.add)
    _write(out, opened, game, strategy, technique=answer, iterations=iterations, sizes=sizes)


def _write(
    out: Path, opened: _OpenedGame, played: FlopGame, strategy: np.ndarray, **record: object
) -> None:
    result = nash_conv(played.tree, played.layout, played.cards, strategy)
    exploitability = 1000 / BIG_BLIND * result.total / 2
    write_record(
        out,
        CELL,
        {
            **record,
            "game": opened.settings.model_dump(),
            "seed": opened.seed,
            "buckets": opened.buckets,
            "exploitability": exploitability,
            "value": 1000 / BIG_BLIND * float(result.values[0]),
            "unit": "mbb/hand",
            "nodes": len(played.tree.node),
            "flops": len(played.flops),
        },
    )
    say(f"{record['technique']}: exploitability {exploitability:.1f} mbb/hand")
