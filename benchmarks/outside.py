"""Two strategies of two players: compared exactly on sampled deals, or played over a wire.

    python -m benchmarks.outside blueprint blueprint-purified --run hunl.sixmax --deals 20000
    python -m benchmarks.outside blueprint my_module:my_player --run hunl.sixmax --deals 20000
    python -m benchmarks.outside acpc:18791 blueprint --run hunl.sixmax --about … --out match.json

A name with a colon is a function of a Python module, which is imported and called with the run. It
returns a :class:`Strategy`: the probabilities of the run's actions at each decision for a chunk of
deals. But ``acpc:18791`` is a program that connects to this port; its hands are those of `sixmax
table`. The result is told by seat, and kept with what is known of both (docs/guide/outside.md).
"""

import importlib
from typing import Annotated, Protocol

import numpy as np

from sixmax.agents.acpc_player import PREFIX
from sixmax.base import options
from sixmax.base.errors import UserError
from sixmax.base.files import write_json
from sixmax.base.options import Option
from sixmax.base.progress import Progress, say
from sixmax.betting.tree import FOLDED, SHOWDOWN, Tree
from sixmax.blueprint.run import Run, open_run
from sixmax.cfr.deals import Deals
from sixmax.cfr.layout import entries
from sixmax.cfr.regret import matched
from sixmax.cli.command import command
from sixmax.evaluation.match.contest import of_deals
from sixmax.evaluation.match.duplicate import dealt_cards
from sixmax.evaluation.match.pairings import Pairing
from sixmax.evaluation.match.table import PATIENCE, table
from sixmax.scores.statistics import RESULT, Result, Sums, figure, told
from sixmax.search.config import SearchConfig
from sixmax.store.records import read

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


@options.stage
def match(
    folder: options.Run, names: Pairing, config: Annotated[SearchConfig, options.SEARCH],
    boards: options.Boards | None, seconds: Annotated[float, PATIENCE], threads: options.Threads,
    out: options.Out | None, log: options.Log | None,
    deals: options.Deals = 20_000, seed: options.Seed = 1,
    about: Annotated[str, Option("For the record: both training budgets, versions.")] = "",
) -> None:  # fmt: skip
    """Compare A with B exactly; or play their hands, where one is acpc:PORT.

    The options --all-in, --config, --log, --seconds and --setting are of hands that are played, as
    in `sixmax table`. Such a match wants --about and --out: nobody can repeat it without.

    Raises UserError where one of them is missing, and as :func:`compare` and `table`.
    """
    run, record = open_run(folder), {"a": names.a, "b": names.b, "deals": deals, "seed": seed}
    if any(name.startswith(PREFIX) for name in names):
        if not about or out is None:
            raise UserError("a match of acpc:PORT wants --about, with both budgets, and --out")
        table(folder, names, config, deals, seed, boards, seconds, threads, out, log, None)
        record |= read(out, RESULT)
        result = Result.from_json(record, str(out))
        sums = [result.deals, *result.seat]
    elif log is not None or boards is not None:
        raise UserError("--log and --all-in are of hands that are played: wanted acpc:PORT")
    else:
        won = compare(run, *(strategy(run, name) for name in names), deals, of_deals(seed))
        won *= 1000 / run.big_blind
        sums = [Sums.of(each) for each in (won.mean(1), *won.T)]
    whole = "both seats" if run.game.seats == 2 else "all seats"
    figures = dict(zip((whole, *run.game.positions), map(figure, sums), strict=True))
    for name, each in figures.items():
        say(f"{names.a} against {names.b}, {name}: {told(each, digits=1)}; {deals:,} deals")
    if out:
        write_json(out, record | {"about": about, "mbb/game": figures})


main = command("outside", match)

if __name__ == "__main__":
    try:
        main()
    except UserError as error:
        raise SystemExit(str(error)) from None
