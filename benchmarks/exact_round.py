"""Exact solutions of a betting round, and the chips that other strategies lose by them.

The values of all actions are kept with a solution, so the loss of any rows of the round is a sum.
"""

import io
import time
from pathlib import Path
from typing import NamedTuple

import numpy as np

from sixmax.base.files import write_bytes
from sixmax.betting.rules import CALL, FOLD
from sixmax.betting.tree import Tree, is_decision, round_of
from sixmax.cfr.full.sweep import NashConv
from sixmax.cfr.layout import Layout, strategy_at
from sixmax.cfr.methods import DCFR
from sixmax.search.constraints import FrozenRow
from sixmax.search.solvers.ranges.game import RangeGame
from sixmax.search.solvers.ranges.solver import RangeSolver
from sixmax.search.solvers.ranges.values import action_values

Actions = tuple[int, ...]
Rows = dict[Actions, tuple[list[int], np.ndarray]]  # after actions: those offered, [holes, actions]


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


def apart(of: Exact, rows: Rows, others: Rows) -> float:
    """The share of hands that act otherwise by ``others`` before a bet, mean of both players.

    Two rows differ by half of the sum over actions of their distance.
    """
    shares = []
    for d in of.decisions:
        if d.path in ((), (CALL,)):
            distance = np.abs(played(of, d, rows) - played(of, d, others)).sum(1) / 2
            shares.append(float(of.share[d.player] @ distance / of.share[d.player].sum()))
    return float(np.mean(shares))


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
