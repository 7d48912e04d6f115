"""The stage ``duel``: whole hands of search against copies of its own blueprint."""

import time
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import numpy as np

from sixmax.base import options
from sixmax.base.options import Option
from sixmax.base.progress import Progress, say
from sixmax.base.rng import child
from sixmax.base.stage import stage
from sixmax.blueprint.identity import game_digest
from sixmax.blueprint.run import Run, open_run
from sixmax.evaluation.aivat.recorded import Recorded
from sixmax.evaluation.aivat.stage import report
from sixmax.evaluation.aivat.values import load
from sixmax.evaluation.records import DUEL
from sixmax.evaluation.search_gain.duel import play, protocol
from sixmax.ongoing.policies import match_game, mixed
from sixmax.scores.job_parts import keep
from sixmax.scores.statistics import told
from sixmax.search.config import SearchConfig
from sixmax.search.searcher import Searcher


@stage
def duel(
    folder: options.Run,
    config: Annotated[SearchConfig, options.SEARCH],
    deals: options.Deals, seed: options.Seed, threads: options.Threads, out: options.Out,
    setting: options.Setting = "full",
    store: Annotated[Path, Option("The store of `sixmax values`, for AIVAT.", "--values")]
    | None = None,
) -> None:  # fmt: skip
    """Play whole hands of search against copies of the blueprint.

    The result is the win rate minus the blueprint's in the same seat. Slow: `sixmax gain` sees far
    smaller edges in the same time, and `sixmax table` seats search among other agents. With
    --values AIVAT scores the hands too.

    \b
    sixmax duel --run results/default --setting fast --deals 20 --seed 1 --out duel.json
    """
    run = open_run(folder)
    policy = run.policy(config.blueprint)
    scored, digest = _scored(run, policy, store) if store else (None, None)
    terms = protocol(run.game.seats, run.big_blind, game_digest(run.identity["settings"]), digest)
    searcher, begun = Searcher(run, policy, config), time.perf_counter()
    with Progress(deals, "search vs blueprint", "deals") as bar:
        results = play(
            run, policy, config, searcher, terms, deals,
            int(child(seed, "duel")), bar.add, scored,
        )  # fmt: skip
    plain = replace(results[0], protocol=protocol(terms.seats, terms.big_blind, terms.game))
    record, spent = plain.to_json(), time.perf_counter() - begun
    if scored is not None:
        record["aivat"] = report(results)
    say(
        f"search vs blueprint: {told(record, digits=1)}; {plain.hands:,} hands, "
        f"{spent / plain.hands:.2f} s a hand"
    )
    if scored is not None:
        say(f"by AIVAT {told(record['aivat'], digits=1)}")
    record |= {"setting": setting, "config": config.model_dump()}
    keep(out, record, spent, threads, DUEL)


def _scored(run: Run, policy: np.ndarray, store: Path) -> tuple[Recorded, str]:
    """The scorer of hands by AIVAT, and the digest of its values."""
    values, digest = load(run, store)
    game = match_game(run.tree, run.layout)
    return Recorded(run, game, values, (mixed(game, policy),) * 2), digest
