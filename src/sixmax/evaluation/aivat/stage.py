"""The stages ``values`` and ``aivat``: the value function of a run, a match scored with it."""

import time
from pathlib import Path
from typing import Annotated, Any

import numpy as np

from sixmax.agents.registry import open_agents
from sixmax.base import options
from sixmax.base.options import Option
from sixmax.base.progress import Progress, say
from sixmax.base.rng import child
from sixmax.base.stage import stage
from sixmax.blueprint.identity import game_digest
from sixmax.blueprint.run import open_run
from sixmax.evaluation.aivat import scored_match
from sixmax.evaluation.aivat.values import load
from sixmax.evaluation.aivat.values_estimate import estimate
from sixmax.evaluation.aivat.values_fit import fit
from sixmax.evaluation.match.pairings import Pairing
from sixmax.scores.statistics import Result, interval
from sixmax.store import write
from sixmax.store.records import write as write_record


@stage
def values(
    folder: options.Run,
    hands: Annotated[int, Option("Of self-play.", least=1)],
    seed: options.Seed, threads: options.Threads, out: options.Store,
) -> None:  # fmt: skip
    """Estimate the value function of AIVAT from self-play.

    Run it before you look at the hands that AIVAT will score.

    \b
    sixmax values --run results/default --hands 2000000 --seed 1 --out values.zarr
    """
    run = open_run(folder)
    game, (player,) = open_agents(run, ["blueprint"])
    with Progress(hands, "values: self-play", "hands") as bar:
        table = estimate(run.game, game, run.dealer, player, hands, child(seed, "values"), bar.add)
    with Progress(hands, "values: equities in chips", "hands") as bar:
        table = fit(table, game, run.dealer, player, hands, child(seed, "values", "fit"), bar.add)
    write(out, "values", table._asdict(), run=run.identity["digest"], hands=hands, seed=seed)
    say(
        f"values: {np.count_nonzero(table.at >= 0):,} nodes of the first round have their own, "
        f"{sum(a.nbytes for a in table) / 1e6:.0f} MB"
    )


@stage
def match(
    folder: options.Run, pairing: Pairing,
    store: Annotated[Path, Option("The store of `sixmax values`.", "--values")],
    deals: options.Deals, seed: options.Seed, threads: options.Threads, out: options.Out,
    known: Annotated[
        bool, Option("Whether AIVAT may use the policy of B.", "--known/--stranger")
    ] = True,
) -> None:  # fmt: skip
    """Play a duplicate match and remove its luck by AIVAT.

    The deals differ from those of `sixmax match` and of `sixmax values`.

    \b
    sixmax aivat blueprint snapshot-00004 --run results/default --values values.zarr \\
        --deals 1000 --seed 1 --out aivat.json
    """
    run = open_run(folder)
    table, digest = load(run, store)
    game, agents = open_agents(run, list(pairing))
    protocol = scored_match.protocol(
        run.game.seats, run.big_blind, game_digest(run.identity["settings"]), digest, known
    )
    scored = scored_match.ScoredGame(tuple(agents), game, run.dealer, table, known)
    started = time.perf_counter()
    with Progress(deals, f"{pairing.a} vs {pairing.b}, AIVAT", "deals") as bar:
        results = scored_match.play(
            tuple(pairing), scored, protocol, deals, child(seed, "aivat"), bar.add
        )
    spent = time.perf_counter() - started
    record = report(results)
    say(
        f"{pairing.a} vs {pairing.b}: {record['mean']:+.1f} mbb/game, standard error "
        f"{record['standard_error']:.1f}; variance of a hand divided by "
        f"{record['variance_divided_by']['hand']:.1f}; "
        f"{results[-1].hands / spent:,.0f} hands a second"
    )
    write_record(out, scored_match.SCORED, record)


def report(results: list[Result]) -> dict[str, Any]:
    """The result by AIVAT, with all columns and the factors by which the variance fell."""
    by_name = dict(zip(scored_match.COLUMNS, results, strict=True))
    plain, best = by_name["result"], by_name["AIVAT"]
    seats = zip(plain.seat, best.seat, strict=True)
    hand = [(a.standard_error**2, b.standard_error**2) for a, b in seats]
    return {
        **best.to_json(),
        "columns": {
            name: {
                "mean": r.deals.mean,
                "standard_error": r.deals.standard_error,
                "interval": list(interval(r.deals)),
            }
            for name, r in by_name.items()
        },
        "variance_divided_by": {
            "hand": _ratio(sum(a for a, _ in hand), sum(b for _, b in hand)),
            "deal": _ratio(plain.deals.standard_error**2, best.deals.standard_error**2),
        },
    }


def _ratio(a: float, b: float) -> float | None:
    return a / b if b > 0 and a < float("inf") else None
