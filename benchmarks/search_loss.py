"""The chips that a search of flop or turn loses, by an exact solution of the same spot.

    python -m benchmarks.search_loss starter.sixmax --round 1 --kept exact --out flop.json

Hands of blueprint play reach the round with two players left. Their exact solution has the bets of
the search, the ranges of the blueprint, every hand and every board. A player plays the round by a
strategy and the rest by the exact solution: its loss against the exact opponent, in % of the pot,
is the first measure. With ``--answers`` the opponent answers: both play the rest anew, with the
rows of the round given, and the loss is that of the value which the player is sure of.

The cases differ from the fast setting of `default` in what they name; each has its average, which
is played, and its last iterate. Exact solutions in the folder ``--kept`` are not made again.
"""

import io
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import click
import numpy as np

from sixmax.base.files import write_bytes, write_json
from sixmax.base.progress import say
from sixmax.betting.rules import CALL, FOLD, POT
from sixmax.betting.tree import Tree, is_decision, round_of
from sixmax.blueprint.run import Run, open_run
from sixmax.cards.deck import format_cards
from sixmax.cfr.full.sweep import NashConv
from sixmax.cfr.layout import Layout
from sixmax.cfr.methods import DCFR, DCFR_DRAWN, LINEAR, Method
from sixmax.evaluation.search_gain.spots import HandsAsked, entering
from sixmax.search.config import VECTOR_BOARDS, SearchConfig, search_config
from sixmax.search.public_hand import PublicHand
from sixmax.search.result import SearchCache, strategy_at
from sixmax.search.searcher import Searcher
from sixmax.search.solvers.problem import FrozenRow, Problem
from sixmax.search.solvers.ranges.boards import EVERY, SAME, Suits
from sixmax.search.solvers.ranges.game import RangeGame, endgame, players_of
from sixmax.search.solvers.ranges.half_rows import halved
from sixmax.search.solvers.ranges.hands import later_buckets
from sixmax.search.solvers.ranges.solver import RangeSolver
from sixmax.search.solvers.ranges.values import action_values

Actions = tuple[int, ...]
Rows = dict[Actions, tuple[list[int], np.ndarray]]  # after actions: those offered, [holes, actions]


class Case(NamedTuple):
    """A search of two players with drawn boards."""

    method: Method = DCFR_DRAWN
    iterations: int = 300
    seed: int = 1
    sure: bool = False  # beliefs are the ranges of the blueprint: no mistakes
    bets: bool = True  # of its own
    buckets: int = 0  # of later rounds, made for this flop; 0: the blueprint's


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


class Decision(NamedTuple):
    """A decision of the round in an exact solution, for the n hands of its player."""

    path: Actions
    player: int  # 0 acts first
    offered: list[int]
    rows: np.ndarray  # float64[n, actions]
    value: np.ndarray  # float64[n, actions]: net chips, summed over the opponent's reach


class Exact(NamedTuple):
    """An exact solution of a round."""

    hole: list[np.ndarray]  # int[n] of both players
    share: list[np.ndarray]  # float64[n]: the weight of a hand in its player's expected chips
    decisions: list[Decision]  # those nearer to the root come first
    figures: np.ndarray  # % of the pot exploitable, iterations, seconds

    def own(self, player: int) -> list[Decision]:
        """The decisions of ``player``."""
        return [d for d in self.decisions if d.player == player]


def first_round(tree: Tree) -> list[int]:
    """The decisions of round 0."""
    head = tree.node[:, 0]
    return np.flatnonzero(is_decision(head) & (round_of(head) == 0)).tolist()


def rows_of(tree: Tree, layout: Layout, strategy: np.ndarray) -> Rows:
    """The rows of ``strategy`` float64[layout.size] at the decisions of round 0."""
    return {
        tuple(tree.path(x)): (tree.offered(x), strategy_at(tree, layout, strategy, x))
        for x in first_round(tree)
    }


def solved(game: RangeGame, pot: int, goal: float, most: int) -> Exact:
    """The exact solution of ``game``, to ``goal`` of the pot or in ``most`` iterations."""
    begun, solver, off = time.perf_counter(), RangeSolver(game, DCFR), np.inf
    while off > goal * pot and solver.iterations < most:
        off = solver.run(min(50, most - solver.iterations)).nash_conv().total / 2
    return exact(solver, [100 * off / pot, solver.iterations, time.perf_counter() - begun])


def exact(solver: RangeSolver, figures: list[float]) -> Exact:
    """The average strategy of ``solver`` with the values of all actions."""
    game, decisions = solver.game, []
    hole = [mine.first for mine in game.hands]
    for path, (offered, rows) in rows_of(game.tree, game.layout, solver.strategy()).items():
        x = game.tree.find(path)
        me = game.seats.index(game.tree.seat(x))
        value, chance = action_values(solver, x)
        value = (np.nan_to_num(value) * chance)[:, hole[me]].T
        decisions.append(Decision(path, me, offered, rows[hole[me]], value))
    share = [mine.astype(np.float64) / game.deals for mine in game.range]
    return Exact(hole, share, sorted(decisions, key=lambda d: len(d.path)), np.array(figures))


def keep(file: Path, answer: Exact) -> None:
    """Write ``answer`` to ``file``."""
    tables = {"figures": answer.figures}
    for k in (0, 1):
        tables |= {f"hole{k}": answer.hole[k], f"share{k}": answer.share[k]}
    for k, d in enumerate(answer.decisions):
        tables |= {f"path{k}": np.array(d.path, np.int64), f"offered{k}": np.array(d.offered)}
        tables |= {f"player{k}": np.array(d.player), f"rows{k}": d.rows, f"value{k}": d.value}
    with io.BytesIO() as content:
        np.savez_compressed(content, **tables)
        write_bytes(file, content.getvalue())


def read(file: Path) -> Exact:
    """The solution that :func:`keep` wrote."""
    with np.load(file, allow_pickle=False) as data:
        decisions = [
            Decision(
                tuple(data[f"path{k}"].tolist()), int(data[f"player{k}"]),
                data[f"offered{k}"].tolist(), data[f"rows{k}"], data[f"value{k}"],
            )
            for k in range(sum(name.startswith("path") for name in data))
        ]  # fmt: skip
        both = ([data[f"{name}{k}"] for k in (0, 1)] for name in ("hole", "share"))
        return Exact(*both, decisions, data["figures"])


def loss(of: Exact, rows: Rows, player: int) -> float:
    """Chips that ``player`` loses by ``rows`` to the exact opponent.

    Where ``rows`` have no decision, or an action more there, the exact solution plays, as for the
    blueprint after bets that its tree lacks. Chips are those above the exact solution's own, which
    is as near to an equilibrium as its figures say.
    """
    own = of.own(player)
    gain: dict[Actions, np.ndarray] = {}  # of each hand from a decision on
    total = np.zeros(len(of.hole[player]))
    for d in reversed(own):
        row = played(of, d, rows)
        gain[d.path] = ((row - d.rows) * d.value).sum(1)
        for below in own:
            if _above(own, below.path) is d:
                gain[d.path] += row[:, d.offered.index(below.path[len(d.path)])] * gain[below.path]
        if _above(own, d.path) is None:
            total += gain[d.path]
    return -float(total @ of.share[player])


def _above(own: list[Decision], path: Actions) -> Decision | None:
    """The last of ``own`` decisions on the way to ``path``."""
    above = (d for d in own if len(d.path) < len(path) and path[: len(d.path)] == d.path)
    return max(above, key=lambda d: len(d.path), default=None)


def played(of: Exact, at: Decision, rows: Rows) -> np.ndarray:
    """``rows`` at a decision, float64[n, actions], or the exact solution's where they have none."""
    if not _has(rows, at):
        return at.rows
    offered, table = rows[at.path]
    out = np.zeros_like(at.rows)
    out[:, [at.offered.index(a) for a in offered]] = table[of.hole[at.player]]
    return out


def _has(rows: Rows, at: Decision) -> bool:
    return at.path in rows and set(rows[at.path][0]) <= set(at.offered)


def answered(game: RangeGame, of: Exact, rows: Rows, player: int, iterations: int) -> NashConv:
    """The values where both go on from ``rows`` of ``player``: all else is solved anew."""
    frozen = [
        FrozenRow(game.tree.find(d.path), int(hole), row)
        for d in of.own(player)
        if _has(rows, d)
        for hole, row in zip(of.hole[player], played(of, d, rows), strict=True)
    ]
    return RangeSolver(game, DCFR, frozen=frozen).run(iterations).nash_conv()


def sure(conv: NashConv, player: int) -> float:
    """Net chips of ``player``, up to a constant, whatever the opponent does."""
    return -float(conv.values[1 - player] + conv.gains[1 - player])


def frequencies(of: Exact, rows: Rows) -> dict[str, float]:
    """How often the first player bets, the second after a check; and how a bet is answered.

    Answers are means over the sizes of bets and both players, each as often.
    """
    sums: dict[str, list[float]] = {}
    for d in of.decisions:
        raises = [a > CALL for a in d.path]
        if sum(raises) > 1 or (any(raises) and not raises[-1]):
            continue
        reach, above = of.share[d.player], _above(of.own(d.player), d.path)
        if above is not None:
            at = above.offered.index(d.path[len(above.path)])
            reach = reach * played(of, above, rows)[:, at]
        row = reach @ played(of, d, rows) / max(reach.sum(), 1e-12)
        raised = float(sum(p for a, p in zip(d.offered, row, strict=True) if a > CALL))
        if not any(raises):
            sums.setdefault("bet after a check" if raises else "bet", []).append(raised)
        else:
            sums.setdefault("raise", []).append(raised)
            sums.setdefault("fold", []).append(float(row[d.offered.index(FOLD)]))
    return {name: float(np.mean(each)) for name, each in sums.items()}


def searched(problem: Problem, case: Case) -> tuple[dict[str, Rows], float]:
    """The rows of the average and of the last iterate of a search, and its seconds."""
    subgame, cards, begun = problem.subgame, problem.cards, time.perf_counter()
    board, tree = subgame.state.board, subgame.tree
    later = later_buckets(board, cards.buckets, cards.ranks, cards.later)
    sample = (VECTOR_BOARDS,) * (len(tree.columns) - 1)
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
        "exact": of.figures.tolist(), "loss": {}, "answered": {}, "seconds": {},
        "frequencies": {"exact": frequencies(of, {})},
    }  # fmt: skip
    free = None if game is None else RangeSolver(game, DCFR).run(answers).nash_conv()
    plays = {"blueprint": spot.blueprint()}
    for name in names:
        both, record["seconds"][name] = searched(spot.problem(CASES[name]), CASES[name])
        plays |= {f"{name}: {which}": rows for which, rows in both.items()}
    for name, rows in plays.items():
        record["loss"][name] = [100 * loss(of, rows, player) / pot for player in (0, 1)]
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
@click.option("--case", "cases", multiple=True, type=click.Choice(list(CASES)), default=list(CASES))
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
        losses = ", ".join(f"{name} {np.mean(of):.2f}" for name, of in records[-1]["loss"].items())
        say(f"{len(records)} of {count}, {records[-1]['board']}: {losses}")
        if len(records) == count:
            return


if __name__ == "__main__":
    main()
