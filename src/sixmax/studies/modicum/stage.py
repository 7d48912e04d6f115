"""Stages of the Modicum figure: an equilibrium, values at its leaves, an answer to a bet."""

from pathlib import Path
from typing import Annotated, NamedTuple

import numpy as np

from sixmax.base import options
from sixmax.base.errors import UserError
from sixmax.base.options import Option, argument
from sixmax.base.progress import Progress, say
from sixmax.cfr.methods import DCFR
from sixmax.store import read, records, write
from sixmax.studies.flop_games.game import MBB, GameOption, StoredGame, open_game, open_stored
from sixmax.studies.flop_games.learn import equilibrium
from sixmax.studies.flop_games.off_tree import OffTree, embedded, translate
from sixmax.studies.modicum import makers
from sixmax.studies.modicum.answer import answered, played, to_the_end
from sixmax.studies.modicum.config import KINDS, MAKER_OF, REFERENCES


class _Answer(records.Form):
    wins: float
    least: float
    value: float


class _Cells(records.Form):
    answers: dict[str, _Answer]
    equilibrium: float
    nodes: int
    flops: int


CELLS = records.RecordKind("cells of the Modicum figure", "sixmax stage answer-bet", _Cells)
OPPONENT = 0  # opens


@options.stage
def solve_flops(
    settings: GameOption,
    seed: options.Seed,
    bet: Annotated[float, Option("Pots; 0: none.", default=0.0)],
    iterations: Annotated[int, Option("Of discounted CFR.", least=1, default=1000)],
    spread: Annotated[float, Option(
        "Added to each hand's reach in the average, so that hands that never come have one.",
        least=0, most=1, default=0.001,
    )],
    threads: options.Threads, out: options.Store,
) -> None:  # fmt: skip
    """Solve a flop game of two players, all hands apart.

    With --bet the first player may also open with that.

    \b
    sixmax stage flop-equilibrium --game '{"stack": 1000, "preflop": [[1], ["A"]],
      "flop": [[1], ["A"]], "max_raises": 2, "flops": 2}' --seed 1 --iterations 300 \\
      --out equilibrium.zarr
    """
    game = open_game(settings, seed, bet)
    with Progress(iterations, f"equilibrium, {len(game.tree.node):,} nodes", "iterations") as bar:
        strategy = equilibrium(game, iterations, DCFR, spread, bar.add)
    exploitability = MBB * game.nash_conv(strategy).total / 2
    say(f"exploitability {exploitability:.2f} mbb/hand")
    write(
        out, "flop-equilibrium", {"strategy": strategy},
        game=settings.model_dump(mode="json"), seed=seed, bet=bet, iterations=iterations,
        spread=spread, exploitability=exploitability,
    )  # fmt: skip


@options.stage
def leaf_values(
    store: options.File,
    maker: Annotated[str, argument("MAKER", choices=("self", "bias", "own"))],
    number: Annotated[int, Option("Of values at a leaf.", least=1, default=4)],
    iterations: Annotated[int, Option("For each value.", least=1, default=400)],
    factor: Annotated[float, Option("Of the bias.", default=10.0)],
    weaken: Annotated[bool, Option(
        "Lower values that beat the equilibrium's.", "--weaken/--strong", default=True)],
    threads: options.Threads, out: options.Store,
) -> None:  # fmt: skip
    """Make values for the leaves before the flop of a flop game.

    STORE has the equilibrium; MAKER is self or bias, or own for an equilibrium that has the bet.

    \b
    sixmax stage leaf-values equilibrium.zarr self --number 8 --out self.zarr

    Raises UserError for the other equilibrium.
    """
    opened, arrays = open_stored(store, "flop-equilibrium")
    game, strategy, has_bet = opened.game, arrays["strategy"], opened.attributes["bet"] > 0
    if (maker == "own") != has_bet:
        kinds = ("without", "with")
        raise UserError(
            f"{store}: an equilibrium {kinds[has_bet]} the bet; {maker} wanted one "
            f"{kinds[maker == 'own']} it"
        )
    if maker == "bias":
        result = makers.lean(game, strategy, OPPONENT, factor).first(number)
    else:
        with Progress(number, "self-generated values", "values") as bar:
            result = makers.generate(
                game, strategy, OPPONENT, number, iterations, weaken, progress=bar.add
            )
    _, *arrays = result
    write(
        out, "leaf-values", dict(zip(makers.Continuations._fields[1:], arrays, strict=True)),
        game=opened.settings.model_dump(mode="json"), seed=opened.attributes["seed"], maker=maker,
        iterations=iterations, factor=factor, weaken=weaken,
    )  # fmt: skip


class AnswerAsked(NamedTuple):
    """An answer to a bet, and the work for it with each number of values."""

    answer: Annotated[str, argument("ANSWER", choices=(*REFERENCES, *KINDS))]
    values: Annotated[Path, Option("Those of the maker that ANSWER names.")] | None = None
    number: Annotated[tuple[int, ...], Option("Values; each an answer.", least=1, many=True)] = ()
    trunk: Annotated[int, Option("Iterations before the flop.", least=1)] = 400
    flop: Annotated[int, Option("Iterations on flops.", least=1)] = 400


@options.stage
def answer_bet(
    store: options.File, asked: AnswerAsked,
    bet: Annotated[float, Option("The missing bet, in pots.")],
    threads: options.Threads, out: options.Out,
) -> None:  # fmt: skip
    """Answer a bet that a flop game lacks, by limited solving.

    ANSWER is self, bias or own, with --values; alone, with those of self, where each flop is then
    solved alone as a player does; translation; to-the-end; or in-abstraction, where
    STORE has the bet. The result is the win of a best response of the opponent, in mbb/hand.

    \b
    sixmax stage answer-bet equilibrium.zarr self --bet 0.75 --values self.zarr --number 1 \\
        --number 8 --out self.json

    Raises UserError for a maker without values, and for values without a maker.
    """
    answer, made = asked.answer, asked.answer in KINDS
    if made != (asked.values is not None) or (asked.number and not made):
        raise UserError(f"{answer} takes {'--values' if made else 'no --values and no --number'}")
    opened, arrays = open_stored(store, "flop-equilibrium")
    game, strategy, seed = opened.game, arrays.pop("strategy"), opened.attributes["seed"]
    if answer != "in-abstraction":
        case = embedded(game, strategy, open_game(opened.settings, seed, bet))
        del strategy  # the case has a copy: 1.3 GB less with all flops
        game = case.game
    known, answers = _known(case, opened, asked) if made else None, {}
    for number in dict.fromkeys(asked.number or (1,)):
        if answer != "in-abstraction":
            strategy = _answered(case, asked, known and known.first(number))
        result = game.nash_conv(strategy)
        wins, value = MBB * (result.values + result.gains), MBB * float(result.values[OPPONENT])
        name = f"{answer}-{number}" if made else answer
        least = -float(wins[1 - OPPONENT])
        answers[name] = {"wins": float(wins[OPPONENT]), "least": least, "value": value}
        say(f"{name}: the opponent wins {wins[OPPONENT]:.2f} mbb/hand")
        del strategy  # 1.3 GB while the next is made
    records.write(out, CELLS, {
        "answers": answers, "game": opened.settings.model_dump(), "seed": seed, "bet": bet,
        "equilibrium": opened.attributes["exploitability"], "unit": "mbb/hand",
        "nodes": len(game.tree.node), "flops": len(game.flops),
    })  # fmt: skip


def _known(case: OffTree, opened: StoredGame, asked: AnswerAsked) -> makers.Continuations:
    """The most values that are asked for. Raises UserError for those of another maker or game."""
    answer, values, most = asked.answer, asked.values, max(asked.number, default=1)
    kept = read(values, "leaf-values")
    for name in ("maker", "seed", "game"):
        wanted = MAKER_OF[answer] if name == "maker" else opened.attributes[name]
        if kept.attributes[name] != wanted:
            raise UserError(f"{values}: {name} {kept.attributes[name]}, wanted {wanted}")
    if len(kept["values"]) < most:
        raise UserError(f"{values}: {len(kept['values'])} values a leaf, wanted {most}")
    first, *both = (np.asarray(kept[name]) for name in ("equilibrium", "values", "less"))
    others = np.empty((0, len(first)), np.uint8)
    if answer == "alone":  # the others know what each leaf is worth: 3 GB less with all flops
        others = np.asarray(kept["responses"][: most - 1])
    game = case.game if answer == "own" else opened.game
    return makers.Continuations(game, first, others, *both)


def _answered(case: OffTree, asked: AnswerAsked, known: makers.Continuations | None) -> np.ndarray:
    answer, _, _, trunk, flop = asked
    if answer == "translation":
        strategy = case.strategy.copy()
        translate(case, case.bets[0], strategy)
        return strategy
    if known is None:
        with Progress(flop, answer, "iterations") as bar:
            return to_the_end(case, flop, bar.add)
    result = answered(case, known, trunk)
    with Progress(len(result.sides), f"{answer}, {len(known.values)} values", "leaves") as bar:
        return played(case, known, result, flop, answer != "alone", bar.add)
