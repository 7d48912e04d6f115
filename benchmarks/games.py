"""The games of the measurements: hold'em of two to six players with buckets made in seconds.

Hands of a board are in equal parts by strength: the meaning of a bucket does not matter to a
traversal.
"""

import functools
from pathlib import Path
from typing import NamedTuple

import numpy as np

from sixmax import config
from sixmax.abstraction.buckets import Buckets, blocked
from sixmax.base.jit import parallel, prange
from sixmax.betting.config import GameConfig
from sixmax.betting.tree import Tree
from sixmax.betting.tree_build import build
from sixmax.blueprint.run import Run
from sixmax.cards.deck import classes, n_holes
from sixmax.cards.evaluate import rank_holes
from sixmax.cards.isomorphism import boards
from sixmax.cfr.deals import Dealer, TableDealer
from sixmax.cfr.layout import layout
from sixmax.cfr.sampled.schedule import Schedule
from sixmax.cfr.sampled.train import Training, new_table
from sixmax.games import GAMES
from sixmax.games.holdem import HoldemDealer

CONFIG = Path(__file__).parents[1] / "config"
PLAIN = Schedule(
    batch=200, discount_every=10**9, discount_until=0, count_every=1, count_after=1 << 62,
    prune_after=0, prune_share=0.0, prune_threshold=-(10**8), regret_floor=-(10**9), scale=1.0,
)  # fmt: skip
COUNTS = (200, 200, 200)  # buckets of flop, turn and river


class BenchGame(NamedTuple):
    """A game that can be trained, and how far it has been."""

    name: str
    training: Training
    done: list[int]  # one number: iterations


def preset(name: str) -> config.Config:
    """``default`` or another preset of config/."""
    files = [CONFIG / "default.yaml"] + ([CONFIG / f"{name}.yaml"] if name != "default" else [])
    return config.load(*files)


def plain_schedule() -> Schedule:
    """As `default` trains, but with no counts, pruning and discounts."""
    schedule = preset("default").blueprint.schedule()
    return schedule._replace(discount_until=0, count_after=1 << 62, prune_share=0.0)


def sizes(small: bool) -> tuple[int, tuple[int, int, int]]:
    """Ranks of the deck, and buckets of flop, turn and river."""
    return (6, (5, 5, 5)) if small else (13, COUNTS)


def default_game(seats: int = 6) -> GameConfig:
    """The default game, for fewer players where wanted."""
    game = preset("default").game.model_dump()
    for key in ("stacks", "blinds", "antes"):
        game[key] = game[key][:seats]
    game["first"] = [2 % seats, 0, 0, 0] if seats > 2 else [0, 1, 1, 1]
    for r in game["rounds"]:
        r["max_players"] = min(r["max_players"], seats)
    return GameConfig.parse(game, "game")


@functools.cache
def crude(ranks: int = 13, counts: tuple[int, int, int] = COUNTS) -> Buckets:
    """Buckets by hand strength: ``counts`` of flop, turn and river."""
    tables = []
    for k, count in zip((3, 4, 5), counts, strict=True):
        cards = boards(ranks, k).cards
        tables.append(np.full((len(cards), n_holes(ranks)), blocked(np.uint8), np.uint8))
        _by_strength_kernel(cards, ranks, count, tables[-1])
    numbers = np.array([ranks**2, *counts], np.int32)
    strength = np.tile(np.linspace(0, 1, numbers.max(), dtype=np.float32), (4, 1))
    return Buckets(classes(ranks)[None], *tables, numbers, strength)


@parallel
def _by_strength_kernel(cards, ranks, buckets, out):
    for i in prange(len(cards)):
        rank = np.empty(out.shape[1], np.int32)
        rank_holes(cards[i], ranks, rank)
        order = np.argsort(rank)
        blocked = 0
        while rank[order[blocked]] < 0:
            blocked += 1
        free = len(order) - blocked
        for j in range(free):
            out[i, order[blocked + j]] = j * buckets // free


def holdem_game(
    name: str, game: GameConfig, ranks: int = 13, counts: tuple[int, int, int] = COUNTS,
    schedule: Schedule = PLAIN, dealt: int = 1,
) -> BenchGame:  # fmt: skip
    """A hold'em game with crude buckets and an empty table; ``dealt`` boards a deal."""
    buckets = crude(ranks, counts)
    dealer = HoldemDealer(buckets, ranks, game.seats, len(game.rounds), dealt, game.board_cards)
    return _untrained(name, build(game), dealer, schedule, 1)


def _untrained(
    name: str, tree: Tree, dealer: Dealer, schedule: Schedule, counted: int
) -> BenchGame:
    shape = layout(tree, dealer.buckets)
    table = new_table(shape, counted)
    return BenchGame(name, Training(tree, shape, dealer, table, schedule, 1), [0])


def toy_game(name: str, seats: int = 2, batch: int = 10) -> BenchGame:
    """Kuhn or Leduc, with the average of all rounds kept in every iteration.

    So do solvers of such games. Batches of ten show no cost (benchmarks/README.md).
    """
    tree, dealer = build(GAMES[name].config(seats)), TableDealer(GAMES[name].deals(seats))
    schedule = PLAIN._replace(batch=batch, count_after=0, scale=1000.0)
    return _untrained(name, tree, dealer, schedule, len(tree.columns))


def trained(folder: Path) -> BenchGame:
    """The table of a run on disk after its last checkpoint, to be trained on as that run would
    train, but for discounts; nothing is written."""
    from sixmax.blueprint.run import open_run
    from sixmax.blueprint.train import state_after

    run = open_run(folder)
    last = int(max((folder / "blueprint" / "state").glob("[0-9]*.zarr")).stem)
    table = state_after(run, last, mean=False).table
    schedule = run.schedule.schedule()._replace(discount_until=0)
    training = Training(run.tree, run.layout, run.dealer, table, schedule, run.seed)
    return BenchGame(folder.name, training, [last * run.schedule.iterations])


def as_run(on: BenchGame, game: GameConfig, ranks: int) -> Run:
    """``on`` as a run that has no folder."""
    counts = tuple(int(k) for k in on.training.layout.buckets[1:])
    schedule, parts = preset("default").blueprint, on.training[:3]
    buckets = crude(ranks, counts)
    return Run(Path("bench"), {}, on.training.seed, ranks, game, schedule, *parts, buckets)
