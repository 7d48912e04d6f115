"""Two strategies of two players, compared exactly over the betting on sampled deals.

    python -m benchmarks.outside blueprint blueprint-purified --run hunl.sixmax --deals 20000
    python -m benchmarks.outside blueprint my_module:my_player --run hunl.sixmax --deals 20000

A name with a colon is a function of a Python module, which is imported and called with the run. It
returns a :class:`Strategy`: the probabilities of the run's actions at each decision for a chunk of
deals. docs/guide/outside.md has an example, and how to play programs that cannot be laid out.
"""

import importlib
from pathlib import Path
from typing import Protocol

import click
import numpy as np

from sixmax.base.errors import UserError
from sixmax.base.files import write_json
from sixmax.base.progress import Progress, say
from sixmax.betting.tree import FOLDED, SHOWDOWN, Tree
from sixmax.blueprint.run import Run, open_run
from sixmax.cfr.deals import Deals
from sixmax.cfr.layout import entries
from sixmax.cfr.regret import matched
from sixmax.evaluation.match.contest import of_deals
from sixmax.evaluation.match.duplicate import dealt_cards
from sixmax.scores.statistics import Sums, figure, told

CHUNK = 4096  # deals at once


class Strategy(Protocol):
    """A strategy of both seats, laid out in the tree of a run."""

    def deal(self, cards: np.ndarray, deals: Deals) -> None:
        """Take the next deals: int8[n, 9], two cards of each seat and the board; and buckets."""

    def rows(self, node: int) -> np.ndarray:
        """The probabilities of the actions at a decision of the tree: float64[n, actions]."""


class OfRun:
    """An agent of the run, such as blueprint-purified."""

    def __init__(self, run: Run, name: str):
        self._run, self._policy = run, run.policy(name)
        self._bucket = np.empty((0, 2, 4), np.int32)

    def deal(self, cards: np.ndarray, deals: Deals) -> None:
        """Keep the buckets of the deals."""
        self._bucket = deals.bucket

    def rows(self, node: int) -> np.ndarray:
        """The rows of these buckets; one of zeros is played uniformly."""
        tree, layout = self._run.tree, self._run.layout
        bucket = self._bucket[:, tree.seat(node), tree.round(node)]
        return matched(self._policy[entries(tree, layout, node, bucket)].astype(np.float64))


def strategy(run: Run, name: str) -> Strategy:
    """The strategy called ``name``. Raises UserError for one that is not there."""
    if ":" not in name:
        return OfRun(run, name)
    module, function = name.split(":", 1)
    try:
        made = getattr(importlib.import_module(module), function)
    except (ImportError, AttributeError) as error:
        raise UserError(f"{name}: {error}; wanted module:function") from None
    return made(run)


def values(tree: Tree, players: tuple[Strategy, Strategy], better: np.ndarray) -> np.ndarray:
    """Net chips of seat 0 on each deal, over all betting: float64[n].

    ``players`` sit in seats 0 and 1; ``better`` is the sign of seat 0's hand less the other's.
    """
    zeros = np.zeros(len(better))

    def below(x: int) -> np.ndarray:
        kind = tree.kind(x)
        pot, chips = (int(k) for k in tree.node[x, 1:3])
        if kind == FOLDED:
            return zeros + (pot - chips if tree.seat(x) == 0 else chips - pot)
        if kind == SHOWDOWN:
            return better * (pot / 2)
        if not tree.is_decision(x):
            raise UserError(f"node {x} is no end of two players with equal stacks")
        player, total = players[tree.seat(x)], zeros
        rows = player.rows(x)
        wanted = len(better), len(tree.children(x))
        if rows.shape != wanted or not (rows >= 0).all() or np.abs(rows.sum(1) - 1).max() > 1e-6:
            raise UserError(
                f"rows at node {x} by {type(player).__name__}: found shape "
                f"{rows.shape}; wanted {wanted}, probabilities of sum 1"
            )
        for a, y in enumerate(tree.children(x)):
            if rows[:, a].any():
                total = total + rows[:, a] * below(y)
        return total

    return below(0)


def compare(run: Run, a: Strategy, b: Strategy, deals: int, seed: int) -> np.ndarray:
    """Net chips of ``a`` in each seat of each deal against ``b``: float64[deals, 2].

    The deals are those of `sixmax match` with the same seed. Raises UserError for a game of more
    players.
    """
    if run.game.seats != 2:
        raise UserError(f"the run has {run.game.seats} seats; wanted one of two players")
    won = np.empty((deals, 2))
    with Progress(deals, "exact over the betting", "deals") as bar:
        for first in range(0, deals, CHUNK):
            n = min(CHUNK, deals - first)
            cards = dealt_cards(run.dealer, seed, first, n, 2)
            dealt = run.dealer.look_up(cards)
            for player in (a, b):
                player.deal(cards, dealt)
            rank = dealt.rank[:, 0].astype(np.int64)
            better = np.sign(rank[:, 0] - rank[:, 1]).astype(np.float64)
            won[first : first + n, 0] = values(run.tree, (a, b), better)
            won[first : first + n, 1] = -values(run.tree, (b, a), better)
            bar.add(n)
    return won


@click.command()
@click.argument("a")
@click.argument("b")
@click.option("--run", "folder", type=click.Path(path_type=Path), required=True)
@click.option("--deals", type=click.IntRange(2), default=20_000, show_default=True)
@click.option("--seed", type=int, default=1, show_default=True)
@click.option("--about", default="", help="For the record: both training budgets, versions.")
@click.option("--out", type=click.Path(path_type=Path))
def main(a: str, b: str, folder: Path, deals: int, seed: int, about: str, out: Path | None) -> None:
    """Compare A with B, in both seats."""
    run = open_run(folder)
    won = compare(run, strategy(run, a), strategy(run, b), deals, of_deals(seed))
    won *= 1000 / run.big_blind
    rows = {"both seats": won.mean(1)} | {
        run.game.positions[seat]: won[:, seat] for seat in (0, 1)
    }  # fmt: skip
    figures = {name: figure(Sums.of(row)) for name, row in rows.items()}
    for name, each in figures.items():
        say(f"{a} against {b}, {name}: {told(each, digits=1)}; {deals:,} deals")
    if out:
        record = {"a": a, "b": b, "about": about, "deals": deals, "seed": seed}
        write_json(out, record | {"mbb/game": figures})


if __name__ == "__main__":
    try:
        main()
    except UserError as error:
        raise SystemExit(str(error)) from None
