"""The stage ``duel``: whole hands of search against copies of its own blueprint."""

import time
from dataclasses import replace
from pathlib import Path

import numpy as np

from sixmax.agents.policies import match_game, mixed
from sixmax.base.progress import Progress, say
from sixmax.base.rng import child
from sixmax.base.stage import stage
from sixmax.blueprint.identity import game_digest
from sixmax.blueprint.run import Run, open_run
from sixmax.evaluation.aivat.recorded import Recorded
from sixmax.evaluation.aivat.stage import report
from sixmax.evaluation.aivat.values import load
from sixmax.evaluation.search_gain.duel import play, protocol
from sixmax.evaluation.search_gain.merge import keep
from sixmax.evaluation.search_gain.records import DUEL
from sixmax.search.config import SearchConfig
from sixmax.search.searcher import Searcher


@stage
def duel(
    folder: Path, config: SearchConfig, deals: int, seed: int, threads: int, out: Path,
    setting: str = "full", store: Path | None = None,
) -> None:  # fmt: skip
    """Write to ``out`` the win rate of search against copies of the run's blueprint.

    With the values ``store`` AIVAT scores the hands too.
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
    low, high = record["interval"]
    say(
        f"search vs blueprint: {record['mean']:+.1f} mbb/game, 95 % interval {low:+.1f} to "
        f"{high:+.1f}; {plain.hands:,} hands, {spent / plain.hands:.2f} s a hand"
    )
    if scored is not None:
        low, high = record["aivat"]["interval"]
        say(f"by AIVAT {record['aivat']['mean']:+.1f}, 95 % interval {low:+.1f} to {high:+.1f}")
    record |= {"setting": setting, "config": config.model_dump()}
    keep(out, record, spent, threads, DUEL)


def _scored(run: Run, policy: np.ndarray, store: Path) -> tuple[Recorded, str]:
    """The scorer of hands by AIVAT, and the digest of its values."""
    values, digest = load(run, store)
    game = match_game(run.tree, run.layout)
    return Recorded(run.game, game, run.dealer, values, (mixed(game, policy),) * 2), digest
