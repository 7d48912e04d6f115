"""The chips that a search of flop or turn loses, by an exact solution of the same spot.

    python -m benchmarks.search_loss starter.sixmax --round 1 --kept exact --out flop.json

Hands of blueprint play reach the round with two players left. Their exact solution has the bets of
the search, the ranges of the blueprint, every hand and every board. A player plays the round by a
strategy and the rest by the exact solution: its loss against the exact opponent, in % of the pot,
is the first measure. With ``--answers`` the opponent answers: both play the rest anew, with the
rows of the round given, and the loss is that of the value which the player is sure of.

The cases differ from the fast setting of `default` in what they name; each has its average, which
is played, and its last iterate. Of each the record says how far it plays apart from the first
case asked for. Exact solutions in the folder ``--kept`` are not made again.
"""

import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import click

from benchmarks.exact_round import (
    Exact,
    Rows,
    answered,
    apart,
    frequencies,
    keep,
    loss,
    read,
    rows_of,
    solved,
    sure,
)
from sixmax.base.files import write_json
from sixmax.base.progress import say
from sixmax.betting.rules import CALL, POT
from sixmax.blueprint.run import Run, open_run
from sixmax.cards.deck import format_cards
from sixmax.cfr.methods import DCFR, DCFR_DRAWN, LINEAR, Method
from sixmax.evaluation.search_gain.spots import HandsAsked, entering
from sixmax.search.config import VECTOR_BOARDS, SearchConfig
from sixmax.search.public_hand import PublicHand
from sixmax.search.result import SearchCache
from sixmax.search.searcher import Searcher
from sixmax.search.settings import search_config
from sixmax.search.solvers.problem import Problem
from sixmax.search.solvers.ranges.boards import EVERY, SAME, Suits
from sixmax.search.solvers.ranges.game import RangeGame, endgame, players_of
from sixmax.search.solvers.ranges.half_rows import halved
from sixmax.search.solvers.ranges.hands import later_buckets
from sixmax.search.solvers.ranges.solver import RangeSolver


class Case(NamedTuple):
    """A search of two players with drawn boards."""

    method: Method = DCFR_DRAWN
    iterations: int = 300
    seed: int = 1
    sure: bool = False  # beliefs are the ranges of the blueprint: no mistakes
    bets: bool = True  # of its own
    buckets: int = 0  # of later rounds, made for this flop; 0: the blueprint's
    boards: tuple[int, int] = (VECTOR_BOARDS, VECTOR_BOARDS)  # turns; rivers of each, an iteration


CASES = {
    "search": Case(),
    "another seed": Case(seed=2),
    "the blueprint's beliefs": Case(sure=True),
    "no bets of its own": Case(bets=False),
    "500 buckets of this flop": Case(buckets=500),
    "full": Case(iterations=1000, buckets=500),
} | {
    f"{method}, {iterations}": Case(method, iterations)
    for method in (DCFR_DRAWN, DCFR, LINEAR)
    for iterations in (150, 300, 1000)
}
USUAL = list(CASES)
CASES |= {
    "long": Case(iterations=5000),
    "DCFR, 150, another seed": Case(DCFR, 150, seed=2),
    "two turns, two rivers": Case(boards=(2, 2)),
    "two turns, two rivers, 150": Case(iterations=150, boards=(2, 2)),
    "430": Case(iterations=430),  # in the time of the last; of the one before
    "800": Case(iterations=800),
}


def searched(problem: Problem, case: Case) -> tuple[dict[str, Rows], float]:
    """The rows of the average and of the last iterate of a search, and its seconds."""
    subgame, cards, begun = problem.subgame, problem.cards, time.perf_counter()
    board, tree = subgame.state.board, subgame.tree
    later = later_buckets(board, cards.buckets, cards.ranks, cards.later)
    sample = case.boards[3 - len(tree.columns) :]
    beliefs = problem.beliefs[list(players_of(tree))]
    game = endgame(tree, board, beliefs, later, cards.ranks, every=True, suits=[SAME])
    solver = RangeSolver(game, case.method, sample, problem.seed).run(case.iterations)
    rows = {
        name: rows_of(game.tree, game.layout, solver.strategy(last=last))
        for name, last in (("average", False), ("last", True))
    }
    return rows, time.perf_counter() - begun


class Spot(NamedTuple):
    """A hand that begins the round, with the beliefs of a search and with the blueprint's alone."""

    number: int
    run: Run
    config: SearchConfig
    hand: PublicHand
    bare: PublicHand

    def problem(self, case: Case) -> Problem:
        """The problem of a search."""
        changes = {"buckets": case.buckets} | ({} if case.bets else {"bets": []})
        hand, config = self.bare if case.sure else self.hand, self.config.changed(**changes)
        policy = self.run.policy(config.blueprint)
        return Searcher(self.run, policy, config).problem(hand.position(), (), case.seed)

    def blueprint(self) -> Rows:
        """The blueprint's rows after the bets of its own tree."""
        problem = self.problem(Case(bets=False))
        tree = problem.subgame.tree
        return {tuple(tree.path(x)): (tree.offered(x), row) for x, row in problem.warm_start()}


def spots(run: Run, config: SearchConfig, seed: int) -> Iterator[Spot]:
    """Hands of blueprint play that reach the round with two players left."""
    policy = run.policy(config.blueprint)
    plain = config.changed(tremble=0, believe_blueprint=0)

    def hands(config: SearchConfig) -> Iterator[tuple[int, int, PublicHand | None]]:
        cache = SearchCache(Searcher(run, policy, config))
        return entering(run, policy, config, cache, HandsAsked(1 << 30, seed))

    for (number, _, hand), (_, _, bare) in zip(hands(config), hands(plain), strict=True):
        if hand is not None and bare is not None and len(hand.betting.left) == 2:
            yield Spot(number, run, config, hand, bare)


def exact_game(spot: Spot, suits: Sequence[Suits] = EVERY) -> RangeGame:
    """The game of the exact solution of ``spot``: every hand, every board."""
    problem = spot.problem(Case(sure=True))
    tree, state = problem.subgame.tree, problem.subgame.state
    beliefs = problem.beliefs[list(players_of(tree))]
    return endgame(tree, state.board, beliefs, (), problem.cards.ranks, suits=suits)


def study(spot: Spot, of: Exact, names: tuple[str, ...], answers: int) -> dict[str, Any]:
    """Losses, frequencies and seconds of the blueprint and the cases ``names``."""
    state, game = spot.hand.position().state, exact_game(spot, [SAME]) if answers else None
    pot = int(state.root[POT])
    record: dict[str, Any] = {
        "hand": spot.number, "board": format_cards(state.board, spot.run.ranks),
        "before": list(state.before), "pot": pot, "hands": [len(holes) for holes in of.hole],
        "exact": of.figures.tolist(), "loss": {}, "check": {}, "answered": {}, "seconds": {},
        "apart": {},
        "frequencies": {"exact": frequencies(of, {})},
    }  # fmt: skip
    free = None if game is None else RangeSolver(game, DCFR).run(answers).nash_conv()
    plays = {"blueprint": spot.blueprint()}
    for name in names:
        both, record["seconds"][name] = searched(spot.problem(CASES[name]), CASES[name])
        plays |= {f"{name}: {which}": rows for which, rows in both.items()}
        for which, rows in both.items():
            first = plays[f"{names[0]}: {which}"]
            record["apart"][f"{name}: {which}"] = 100 * apart(of, rows, first)
    for name, rows in plays.items():
        record["loss"][name] = [100 * loss(of, rows, player) / pot for player in (0, 1)]
        alone = {path: row for path, row in rows.items() if path == (CALL,)}
        record["check"][name] = 100 * loss(of, alone, 1) / pot  # that decision alone
        record["frequencies"][name] = frequencies(of, rows)
        if game is not None and free is not None:
            record["answered"][name] = [
                100 * (sure(free, k) - sure(answered(game, of, rows, k, answers), k)) / pot
                for k in (0, 1)
            ]
    return record


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--round", "in_round", type=click.IntRange(1, 2), default=1, show_default=True)
@click.option("--spots", "count", type=int, default=16, show_default=True)
@click.option("--least-pot", type=int, default=0, help="Chips: smaller pots are left out.")
@click.option("--seed", type=int, default=1, show_default=True)
@click.option("--goal", type=float, default=0.003, show_default=True, help="Of the pot.")
@click.option("--most", type=int, default=150, show_default=True, help="Exact iterations.")
@click.option("--answers", type=int, default=0, help="Iterations of an opponent's answer.")
@click.option("--case", "cases", multiple=True, type=click.Choice(list(CASES)), default=USUAL)
@click.option("--kept", type=click.Path(path_type=Path), required=True, help="Exact solutions.")
@click.option("--out", type=click.Path(path_type=Path), required=True)
def main(
    folder: Path, in_round: int, count: int, least_pot: int, seed: int, goal: float, most: int,
    answers: int, cases: tuple[str, ...], kept: Path, out: Path,
) -> None:  # fmt: skip
    """Measure the searches of the run in FOLDER."""
    run, records = open_run(folder), []
    config = search_config(None, "fast", folder=run.folder).changed(first=in_round)
    for spot in spots(run, config, seed):
        pot = int(spot.hand.position().state.root[POT])
        if pot < least_pot:
            continue
        file = kept / f"{run.folder.name}-{in_round}-{seed}-{spot.number}-{most}-{goal}.npz"
        if not file.exists():
            keep(file, solved(halved(exact_game(spot)), pot, goal, most))
        records.append(study(spot, read(file), cases, answers))
        write_json(out, records)
        loss_of = records[-1]["loss"].items()  # that of each player, % of the pot
        losses = ", ".join(f"{name} {first:.2f} and {last:.2f}" for name, (first, last) in loss_of)
        say(f"{len(records)} of {count}, {records[-1]['board']}: {losses}")
        if len(records) == count:
            return


if __name__ == "__main__":
    main()
