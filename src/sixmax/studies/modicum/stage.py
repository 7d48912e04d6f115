"""Stages of the Modicum figure: an equilibrium, values at its leaves, an answer to a bet."""

from pathlib import Path
from typing import NamedTuple

import numpy as np

from sixmax.base.errors import UserError
from sixmax.base.progress import Progress, say
from sixmax.base.stage import stage
from sixmax.cfr.methods import DCFR
from sixmax.evaluation.exploitability.exact_holdem import nash_conv
from sixmax.store import read, write
from sixmax.store.records import keys
from sixmax.store.records import write as write_record
from sixmax.studies.flop_games.config import BIG_BLIND, FlopGameSettings
from sixmax.studies.flop_games.equilibrium import equilibrium
from sixmax.studies.flop_games.game import FlopGame, open_game
from sixmax.studies.flop_games.off_tree import OffTree, embedded, translate
from sixmax.studies.modicum import makers
from sixmax.studies.modicum.answer import answered, to_the_end
from sixmax.studies.modicum.config import REFERENCES, Maker, opening
from sixmax.studies.modicum.flops import played

CELL = keys(
    "a cell of the Modicum figure", "sixmax answer-bet", "answer", "wins", "value", "nodes", "flops"
)
OPPONENT = 0  # opens
MBB = 1000 / BIG_BLIND  # a chip


@stage
def solve_flops(
    settings: FlopGameSettings,
    seed: int,
    bet: float,
    iterations: int,
    spread: float,
    threads: int,
    out: Path,
) -> None:
    """Stage ``flop-equilibrium``: write an equilibrium of the game; 0 is no ``bet`` beside it.

    With a ``bet``, in pots, the opponent may also open with that. ``spread`` as in
    :func:`sixmax.studies.flop_games.equilibrium.equilibrium`.
    """
    game = _open(settings, seed, bet)
    with Progress(iterations, f"equilibrium, {len(game.tree.node):,} nodes", "iterations") as bar:
        strategy = equilibrium(game, iterations, DCFR, spread, bar.add)
    result = nash_conv(game.tree, game.layout, game.cards, strategy)
    say(f"exploitability {MBB * result.total / 2:.2f} mbb/hand")
    write(
        out, "flop-equilibrium", {"strategy": strategy},
        game=settings.model_dump(mode="json"), seed=seed, bet=bet, iterations=iterations,
        spread=spread, exploitability=MBB * result.total / 2,
    )  # fmt: skip


class _OpenedFlops(NamedTuple):
    """The game of a store of :func:`solve_flops`, and how exploitable its equilibrium is."""

    settings: FlopGameSettings
    seed: int
    bet: float
    game: FlopGame
    exploitability: float


def _open(settings: FlopGameSettings, seed: int, bet: float) -> FlopGame:
    config = settings.game()
    return open_game(config, settings.flops, seed, taken=(opening(config, bet),) if bet else ())


def _opened(store: Path) -> tuple[_OpenedFlops, np.ndarray]:
    """The game of ``store``, and its equilibrium: float64[layout.size]."""
    kept = read(store, "flop-equilibrium")
    settings = FlopGameSettings.parse(kept.attributes["game"], str(store))
    seed, bet, lost = (kept.attributes[name] for name in ("seed", "bet", "exploitability"))
    game, strategy = _open(settings, seed, bet), np.asarray(kept["strategy"])
    if strategy.shape != (game.layout.size,):
        raise UserError(
            f"{store}: {strategy.size:,} entries, the game wants {game.layout.size:,}; make it anew"
        )
    return _OpenedFlops(settings, seed, bet, game, lost), strategy


@stage
def leaf_values(
    store: Path,
    maker: Maker,
    number: int,
    iterations: int,
    factor: float,
    weaken: bool,
    threads: int,
    out: Path,
) -> None:
    """Stage ``leaf-values``: write ``number`` continuations of the opponent, with their values.

    ``store`` has the equilibrium, for ``own`` that of the game with the bet. Self-generated ones
    take ``iterations`` each, those of the bias maker a ``factor``. Raises UserError for the other
    equilibrium.
    """
    opened, strategy = _opened(store)
    game = opened.game
    if (maker == "own") != (opened.bet > 0):
        kinds = ("without", "with")
        raise UserError(
            f"{store}: an equilibrium {kinds[opened.bet > 0]} the bet; {maker} wanted one "
            f"{kinds[maker == 'own']} it"
        )
    if maker == "bias":
        result = makers.lean(game, strategy, OPPONENT, factor).first(number)
    else:
        with Progress(number, "self-generated values", "values") as bar:
            result = makers.generate(
                game, strategy, OPPONENT, number, iterations, weaken, progress=bar.add
            )
    arrays = {name: getattr(result, name) for name in ("strategies", "values", "less")}
    write(
        out, "leaf-values", arrays,
        game=opened.settings.model_dump(mode="json"), seed=opened.seed, maker=maker,
        iterations=iterations, factor=factor, weaken=weaken,
    )  # fmt: skip


@stage
def answer_bet(
    store: Path,
    answer: str,
    bet: float,
    values: Path | None,
    number: int,
    trunk: int,
    flop: int,
    threads: int,
    out: Path,
) -> None:
    """Stage ``answer``: the opponent of the equilibrium in ``store`` may also open with ``bet``.

    ``answer`` is one of REFERENCES, where ``in-abstraction`` takes the equilibrium as it is, or the
    maker of the first ``number`` of ``values``; ``trunk`` and ``flop`` are iterations. ``out`` gets
    what a best response of the opponent wins, in mbb/hand.
    """
    opened, strategy = _opened(store)
    game = opened.game
    if answer != "in-abstraction":
        case = embedded(game, strategy, _open(opened.settings, opened.seed, bet))
        del strategy  # the case has a copy: 1.3 GB less with all flops
        game = case.game
        strategy = _answered(case, opened, answer, values, number, trunk, flop)
    result = nash_conv(game.tree, game.layout, game.cards, strategy)
    wins, value = MBB * (result.values + result.gains), MBB * float(result.values[OPPONENT])
    write_record(
        out,
        CELL,
        {
            "answer": answer if answer in REFERENCES else f"{answer}-{number}",
            "game": opened.settings.model_dump(), "seed": opened.seed, "bet": bet,
            "wins": float(wins[OPPONENT]), "least": -float(wins[1 - OPPONENT]), "value": value,
            "equilibrium": opened.exploitability, "unit": "mbb/hand",
            "nodes": len(game.tree.node), "flops": len(game.flops),
        },
    )  # fmt: skip
    say(f"{answer}: the opponent wins {wins[OPPONENT]:.2f} mbb/hand")


def _answered(
    case: OffTree,
    opened: _OpenedFlops,
    answer: str,
    values: Path | None,
    number: int,
    trunk: int,
    flop: int,
) -> np.ndarray:
    if answer == "translation":
        strategy = case.strategy.copy()
        translate(case, case.bets[0], strategy)
        return strategy
    if answer == "to-the-end":
        with Progress(flop, answer, "iterations") as bar:
            return to_the_end(case, flop, bar.add)
    kept = read(values, "leaf-values")
    names = {"maker": answer, "seed": opened.seed, "game": opened.settings.model_dump(mode="json")}
    for name, wanted in names.items():
        if kept.attributes[name] != wanted:
            raise UserError(f"{values}: {name} {kept.attributes[name]}, wanted {wanted}")
    if len(kept["values"]) < number:
        raise UserError(f"{values}: {len(kept['values'])} values a leaf, wanted {number}")
    arrays = (np.asarray(kept[name][:number]) for name in ("strategies", "values", "less"))
    game = case.game if answer == "own" else opened.game
    known = makers.Continuations(game, *arrays)
    result = answered(case, known, trunk)
    work = len(result.sides) * len(case.game.board)
    with Progress(work, f"{answer}, {number} values", "flops") as bar:
        return played(case, known, result, flop, bar.add)
