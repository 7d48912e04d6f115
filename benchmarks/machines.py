"""Strength against machines: shards simulated one after another on this one.

    python -m benchmarks.machines leduc flop
    python -m benchmarks.machines hunl --run results/hunl
    python -m benchmarks.machines default --run results/default
    python -m benchmarks.machines --picture docs/guide/machines.png

Each game is trained by 1, 2, 4 and 8 machines in the same time, as many iterations on each of them,
and by one machine in so many times the time: the best that several could do. A run's folder gives
its game and buckets; its schedule is stretched to the iterations. docs/guide/cluster.md shows the
record, benchmarks/machines.json.
"""

import datetime
import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import click
import numpy as np
from scipy.stats import sem, t

from sixmax.base.files import write_json
from sixmax.base.progress import say
from sixmax.base.rng import child
from sixmax.betting.tree import Tree
from sixmax.blueprint.run import open_run
from sixmax.cfr import policy
from sixmax.cfr.deals import Dealer
from sixmax.cfr.layout import Layout
from sixmax.cfr.sampled import shards
from sixmax.cfr.sampled.schedule import Schedule
from sixmax.cfr.sampled.train import NO_STATS, Table, Training, new_table, train
from sixmax.evaluation.exploitability.lbr import respond
from sixmax.evaluation.match.duplicate import play, protocol
from sixmax.ongoing.policies import MatchGame, match_game, mixed
from sixmax.studies.validate.games import open_game

MACHINES = (1, 2, 4, 8)
OUT = Path(__file__).with_suffix(".json")
_POINT = ("game", "machines", "times", "seed", "iterations", "merges")  # which point it is


class Game(NamedTuple):
    """A game to train: ``score`` gives the figures of a policy uint8[layout.size] by name."""

    tree: Tree
    layout: Layout
    dealer: Dealer
    schedule: Schedule
    iterations: int  # of a machine
    merges: int
    seeds: tuple[int, ...]
    counted: int  # rounds whose average is counted, from a quarter of the training on
    averaged: bool  # or the strategy is the mean of those after the merges of the second half
    score: Callable[[np.ndarray, str], dict[str, Any]]


def stretched(schedule: Schedule, iterations: int, batch: int) -> Schedule:
    """The schedule of `default` by its shares of the whole: discounts for a tenth, then pruning."""
    whole = iterations // batch
    return schedule._replace(
        batch=batch, discount_every=max(whole // 100, 1) * batch,
        discount_until=whole // 10 * batch, prune_after=whole // 20 * batch,
        count_after=whole // 4 * batch,
    )  # fmt: skip


def trained(game: Game, machines: int, iterations: int, seed: int) -> tuple[np.ndarray, dict]:
    """The policy after so many ``iterations`` on each of so many ``machines``, and its cost."""
    tree, layout, dealer = game[:3]
    whole = machines * iterations
    schedule = stretched(game.schedule, whole, game.schedule.batch)
    table, first = new_table(layout, game.counted), 1
    total, seconds, merging, stats = np.zeros(layout.size, np.uint32), 0.0, 0.0, NO_STATS
    for merge in range(1, game.merges + 1):
        last = whole * merge // game.merges // schedule.batch * schedule.batch
        before, parts = table, []
        factors = [factor for _, factor in schedule.discounts(first, last)]
        for shard in range(machines):
            mine = Table(before.regret.copy(), before.count.copy()) if machines > 1 else table
            begin = time.perf_counter()
            training = Training(tree, layout, dealer, mine, schedule, seed)
            stats += train(training, first, last, shard=shard, shards=machines)
            if machines > 1:
                parts.append([_changes(*pair, factors) for pair in zip(mine, before, strict=True)])
            seconds += (time.perf_counter() - begin) / machines
        begin = time.perf_counter()
        if machines > 1:
            for i, array in enumerate(table):
                shards.add_mean(array, factors, [part[i] for part in parts])
        merging += time.perf_counter() - begin
        if game.averaged and 2 * merge > game.merges:
            total += policy.from_regrets(tree, layout, table.regret)
        first = last + 1
    cost = {"seconds": seconds, "merging": merging, "nodes": stats.nodes // machines}
    if game.averaged or game.counted:
        return policy.from_sums(tree, layout, total if game.averaged else table.count), cost
    return policy.from_regrets(tree, layout, table.regret), cost


def _changes(mine: np.ndarray, before: np.ndarray, factors: list[float]) -> tuple[list, ...]:
    return tuple([array.copy()] for array in shards.changes(mine, [before], factors))


def exact(name: str, iterations: int, batch: int, seeds: tuple[int, ...]) -> Game:
    """A small game, whose exploitability is known: mbb/hand (a chip of Leduc is a blind)."""
    on = open_game(name, 2)
    schedule = Schedule(batch, 1, 0, 1, 0, 0, 0.0, -(10**8), -(2 * 10**9), on.scale)
    chips = 10 if name == "flop" else 1  # a big blind

    def score(mean: np.ndarray, name: str) -> dict[str, Any]:
        known = on.score(policy.shares(on.tree, on.layout, mean)).total
        return {"exploitability": 1000 * known / 2 / chips}

    return Game(*on[:3], schedule, iterations, 32, seeds, 2, False, score)


def of_run(folder: Path, iterations: int, merges: int, deals: int) -> Game:
    """The game of a run: matches with the policies that were kept before, both ways round."""
    run = open_run(folder)
    game, kept = match_game(run.tree, run.layout), {}
    terms = protocol(run.game.seats, run.big_blind, "")

    def score(mean: np.ndarray, name: str) -> dict[str, Any]:
        kept[name] = mixed(game, mean)
        figures: dict[str, Any] = {}
        for other in kept:
            if other != name:
                pairs = ((name, other), (other, name))[: 2 if run.game.seats > 2 else 1]
                results = [
                    play(pair, (kept[pair[0]], kept[pair[1]]), game, run.dealer, terms, deals,
                         child(1, "evaluation"))
                    for pair in pairs
                ]  # fmt: skip
                figures[f"against {other}"] = [[r.mean, *r.interval] for r in results]
        if run.game.seats == 2:
            figures["lbr"] = _bounds(run, game, kept[name])
        return figures

    two = run.game.seats == 2
    schedule = run.schedule.schedule()
    return Game(
        run.tree, run.layout, run.dealer, schedule, iterations, merges, (run.seed,), 0, two, score
    )


def _bounds(run: Any, game: MatchGame, player: Any) -> dict[str, Any]:
    found = {name: respond(run, game, player, name, 1000, 1)[1] for name in ("fc", "fcpa")}
    return {name: [result.mean, *result.interval] for name, result in found.items()}


def measure(name: str, game: Game, out: Path) -> None:
    """Train and score all points of ``game``; the record in ``out`` grows with each."""
    points = [(m, 1) for m in MACHINES] + [(1, m) for m in MACHINES[1:]]
    for machines, times in sorted(points, key=lambda point: point[0] * point[1]):
        for seed in game.seeds:
            label = f"{machines} x {times}"
            strategy, cost = trained(game, machines, times * game.iterations, seed)
            figures = game.score(strategy, label)
            point = {
                "game": name, "machines": machines, "times": times, "seed": seed,
                "iterations": times * game.iterations, "merges": game.merges, **cost, **figures,
                "day": datetime.date.today().isoformat(),
            }  # fmt: skip
            keep(point, out)
            say(f"{name}, {label}, seed {seed}: {figures}, {cost}")


TITLES = {
    "leduc": ("Leduc: exploitability, mbb a hand", "exploitability"),
    "flop": ("Flop hold'em: exploitability, mbb a hand", "exploitability"),
    "hunl": ("Two players: it wins from one machine, mbb a hand", "against 1 x 1"),
    "default": ("Six players: it wins among five of one machine, mbb a game", "against 1 x 1"),
}


def draw(points: list[dict], out: Path) -> None:
    """A picture of strength against machines, a panel for each game."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, panels = plt.subplots(2, 2, figsize=(11, 7), layout="constrained")
    for axes, (name, (title, figure_of)) in zip(panels.flat, TITLES.items(), strict=True):
        of_game = [point for point in points if point["game"] == name]
        for by, label, style in (
            ("times", "one machine, so many times the time", "o--"),
            ("machines", "so many machines, the same time", "s-"),
        ):
            other = "machines" if by == "times" else "times"
            line = [_figures(of_game, by, other, n, figure_of) for n in MACHINES]
            axes.errorbar(MACHINES, *zip(*line, strict=True), fmt=style, label=label, capsize=3)
        axes.set_title(title, fontsize=10)
        axes.set_xscale("log", base=2)
        axes.set_xticks(MACHINES, [str(n) for n in MACHINES])
        axes.set_ylim(bottom=0)
        axes.grid(alpha=0.3)
    panels[0, 0].legend()
    figure.savefig(out, dpi=90)


def _figures(
    points: list[dict], by: str, other: str, n: int, figure_of: str
) -> tuple[float, float]:
    """The mean over the seeds, and half of its 95 % interval."""
    found = [point for point in points if (point[by], point[other]) == (n, 1)]
    if figure_of != "exploitability":
        if n == 1:
            return 0.0, 0.0
        mean, low, high = found[0][figure_of][0]
        return mean, (high - low) / 2
    values = np.array([point[figure_of] for point in found])
    return values.mean(), t.ppf(0.975, values.size - 1) * sem(values)


def keep(point: dict, out: Path) -> None:
    """Put ``point`` into the record, in the place of an older one of the same kind."""
    record = json.loads(out.read_text()) if out.exists() else []
    others = [old for old in record if any(old[name] != point[name] for name in _POINT)]
    write_json(out, [*others, point])


@click.command()
@click.argument("games", nargs=-1)
@click.option("--run", "folder", type=click.Path(path_type=Path), help="Of a larger game.")
@click.option("--iterations", type=int, help="Of each machine.")
@click.option("--merges", type=int, default=16, show_default=True, help="Of a run's game.")
@click.option("--deals", type=int, default=400_000, show_default=True)
@click.option("--out", type=click.Path(path_type=Path), default=OUT, show_default=True)
@click.option("--picture", type=click.Path(path_type=Path), help="Draw what was measured here.")
def main(
    games: tuple, folder: Path, iterations: int, merges: int, deals: int, out: Path,
    picture: Path | None,
) -> None:  # fmt: skip
    """Measure GAMES: leduc, flop, or the game of a run."""
    for name in games:
        if name == "leduc":
            game = exact(name, iterations or 25_000, 50, tuple(range(1, 61)))
        elif name == "flop":
            game = exact(name, iterations or 2_500_000, 200, (1, 2))
        elif folder is None:
            raise click.UsageError(f"{name}: wanted --run, the folder of a run of that game")
        else:
            game = of_run(folder, iterations or 5_000_000, merges, deals)
        measure(name, game, out)
    if picture:
        draw(json.loads(out.read_text()), picture)


if __name__ == "__main__":
    main()
