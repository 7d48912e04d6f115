"""The stage ``gain``: what search in one betting round wins over its own blueprint."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from sixmax.blueprint.run import Run, open_run
from sixmax.errors import UserError
from sixmax.evaluation.search_gain import enter, spots
from sixmax.evaluation.search_gain import gain as gain_at
from sixmax.evaluation.search_match import play, protocol
from sixmax.evaluation.stage import game_digest
from sixmax.evaluation.statistics import LEVEL, Sums, interval, one_tailed
from sixmax.files import write_json
from sixmax.jit import set_threads
from sixmax.progress import Progress, say
from sixmax.rng import child
from sixmax.search.config import SearchConfig
from sixmax.search.hand import Hand, Searcher
from sixmax.search.searcher import Found
from sixmax.search.searcher import Searcher as Opened

DESIGN = "one subgame a hand of blueprint play, solved once; gain in expectation over private hands"
STRATEGIES = ("last", "average")  # the last iterate, and the mean of all


def gain(
    folder: Path, config: SearchConfig, in_round: int, hands: int, deals: int, seed: int,
    threads: int, out: Path,
) -> None:  # fmt: skip
    """Write to ``out`` what search in ``in_round`` wins in ``hands`` hands of blueprint play."""
    set_threads(threads)
    run = open_run(folder)
    if config.rounds:
        raise UserError("search.rounds: found raises of its own, wanted [], those of the blueprint")
    config = config.model_copy(update={"first": in_round, "off_tree_players": 0})
    policy = run.policy("blueprint")
    with Progress(hands, f"gain of search in round {in_round}", "hands") as bar:
        record = measure(
            run, policy, config, Opened(run, config), in_round, hands, deals, seed, bar.add
        )
    record["config"] = config.model_dump()
    for name in STRATEGIES:
        say(_line(name, record[name], record))
    write_json(out, record)


def duel(
    folder: Path, config: SearchConfig, deals: int, seed: int, threads: int, out: Path
) -> None:
    """Write to ``out`` what a player who searches wins against copies of the run's blueprint."""
    set_threads(threads)
    run = open_run(folder)
    how = protocol(run.game.seats, run.big_blind, game_digest(run.identity["settings"]))
    searcher, begun = Opened(run, config), time.perf_counter()
    with Progress(deals, "search vs blueprint", "deals") as bar:
        result = play(
            run, run.policy("blueprint"), config, searcher, how, deals,
            int(child(seed, "duel")), bar.add,
        )  # fmt: skip
    record, spent = result.to_json(), time.perf_counter() - begun
    low, high = record["interval"]
    say(
        f"search vs blueprint: {record['mean']:+.1f} mbb/game, 95 % interval {low:+.1f} to "
        f"{high:+.1f}; {result.hands:,} hands, {spent / result.hands:.2f} s a hand"
    )
    write_json(out, {**record, "seconds": spent, "config": config.model_dump()})


def measure(
    run: Run,
    policy: np.ndarray,
    config: SearchConfig,
    searcher: Searcher,
    in_round: int,
    hands: int,
    deals: int,
    seed: int,
    progress: Callable[[int], None] = lambda n: None,
) -> dict[str, Any]:
    """Gains in mbb/game by strategy, with what they cost; a sample is a hand, the mean of seats."""
    won, spent = {name: np.zeros(hands) for name in STRATEGIES}, []
    found = spots(run, policy, in_round, int(child(seed, "spots")))
    for k in range(hands):
        if (spot := next(found)) is not None:
            work = int(child(seed, "search", k))
            hand = enter(Hand(run, policy, config, searcher, work), spot)
            beliefs, begun = hand.beliefs(), time.perf_counter()
            solved = hand.search()
            spent.append(time.perf_counter() - begun)
            for name in STRATEGIES:
                chips = gain_at(
                    run,
                    policy,
                    spot,
                    played(solved, name),
                    beliefs,
                    deals,
                    int(child(work, "gain")),
                )
                won[name][k] = 1000 / run.big_blind * chips.mean()
        progress(1)
    record = {"design": DESIGN, "round": in_round, "hands": hands, "searches": len(spent)}
    record |= {"seconds": sum(spent), "deals": deals, "seed": seed, "unit": "mbb/game"}
    return record | {name: _figures(values) for name, values in won.items()}


def played(found: Found, name: str) -> Found:
    """``found``, playing one of its two strategies."""
    table = getattr(found, name)
    return Found(found.tree, found.layout, table, found.average)


def _figures(values: np.ndarray) -> dict[str, Any]:
    sums = Sums.of(values)
    return {
        "mean": sums.mean,
        "standard_error": sums.standard_error,
        "level": LEVEL,
        "interval": list(interval(sums)),
        "p_one_tailed": one_tailed(sums),
        "sums": {"n": sums.n, "total": sums.total, "square": sums.square},
    }


def _line(name: str, row: dict[str, Any], record: dict[str, Any]) -> str:
    low, high = row["interval"]
    each = record["seconds"] / max(record["searches"], 1)
    return (
        f"search in round {record['round']}, {name} strategy, over the blueprint: "
        f"{row['mean']:+.2f} mbb/game, 95 % interval {low:+.2f} to {high:+.2f}; "
        f"{record['hands']:,} hands, {record['searches']:,} searches of {each:.2f} s"
    )
