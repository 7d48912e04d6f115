"""The commands ``compare`` and ``pluribus``: an agent of the run beside Pluribus.

``compare`` sets its play before the flop beside Pluribus's published frequencies. ``pluribus``
scores the probability of the kind of action that Pluribus chose (fold, check or call, raise; sizes
are counted apart), by :mod:`sixmax.evaluation.pluribus.scores`: likeness, not strength.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import numpy as np

from sixmax.agents.registry import open_agents
from sixmax.agents.rule import class_weights
from sixmax.base import options
from sixmax.base.errors import UserError
from sixmax.base.options import Option, argument
from sixmax.base.progress import Progress, say
from sixmax.base.rng import generator
from sixmax.blueprint.run import Run, open_run
from sixmax.cards.deck import ROUNDS
from sixmax.cfr.postprocess import parse
from sixmax.evaluation.pluribus import scores
from sixmax.evaluation.pluribus.decisions import NAME, PlayedDecision, decisions, hands, logs_digest
from sixmax.evaluation.pluribus.first_in import like_pluribus, record
from sixmax.evaluation.pluribus.frequencies import by_seat, donk, habits, overall, sizes
from sixmax.evaluation.records import FIRST_IN, PLURIBUS
from sixmax.scores.statistics import LEVEL
from sixmax.search.config import NEVER, SearchConfig
from sixmax.search.result import no_search
from sixmax.search.searcher import Searcher
from sixmax.store.records import write

UNIT = "nats a decision for loss and mixed, percent for agreement and shares, 0 to 2 for brier"


@options.stage
def compare(folder: options.Run, agent: options.Agent, out: options.Out) -> None:
    """Set first-in play beside Pluribus's published frequencies.

    \b
    sixmax compare --run results/default --out firstin.json

    Raises UserError for an agent that is neither the blueprint nor a snapshot.
    """
    run = open_run(folder)
    if parse(agent)[0] != "blueprint" and not agent.startswith("snapshot-"):
        raise UserError(f"agent {agent!r}: wanted blueprint or a snapshot, as in snapshot-00004")
    weight = class_weights(run)
    beside = like_pluribus(run.game, run.ranks)
    figures = record(run, run.policy(agent), weight, beside)
    ranks = run.ranks if run.game.cards == "holdem" else None
    write(out, FIRST_IN, {"agent": agent, "cards": run.game.cards, "ranks": ranks, **figures})
    for spot in figures["first_in"]:
        theirs = f", Pluribus {spot['pluribus']['raise']:.1f} %" if beside else ""
        say(
            f"first in {spot['name']}: raise {spot['raise']:.1f} %{theirs}; "
            f"limp {spot['limp']:.1f} %"
        )


@options.stage
def compare_pluribus(
    folder: options.Run, logs: Annotated[Path, argument()], agent: options.Agent,
    self_hands: Annotated[int, Option("Of self-play.", "--hands", least=1, default=100_000)],
    seed: Annotated[int, options.seed("Of self-play and search.", default=1)],
    out: options.Out, search: Annotated[SearchConfig, options.SEARCH],
    searched_hands: Annotated[int, Option(
        "Hands in which search is scored too: two seconds each, if fast.", "--searched", least=0
    )] = 0,
    threads: options.Threads = 1,
) -> None:  # fmt: skip
    """Score an agent by Pluribus's own decisions in its hands.

    LOGS is a file or a folder of Pluribus's hands, as ACPC logs or PHH. The agent is the blueprint
    or a snapshot; hands of self-play give its frequencies. Damaged lines
    of the logs are named, counted and left out.

    \b
    sixmax pluribus pluribus_hands --run results/default --searched 30 --setting fast \\
        --out pluribus.json

    Raises UserError for a run of another game than Pluribus's, and for logs of other players.
    """
    run = open_run(folder)
    if not like_pluribus(run.game, run.ranks) or run.big_blind != 100:
        raise UserError(
            f"{folder}: another game than Pluribus played; wanted six seats, blinds 50/100, "
            "10,000 chips and a full deck; leave evaluation.pluribus_hands empty"
        )
    records, tally = hands(logs)
    for line in tally.named():
        say(line)
    chosen = [d for record in records for d in decisions(record)]
    own = [d for d in chosen if d.name == NAME]
    policy = run.policy(agent)
    with Progress(len(records), f"{agent} in Pluribus's place", "hands") as bar:
        never = SearchConfig(**NEVER), no_search
        prediction = scores.predicted(run, policy, own, *never, seed, bar.add)
    game, (player,) = open_agents(run, [agent])
    counts = habits(player, game, run.dealer, run.game, self_hands, seed)
    results = {
        "agent": agent,
        "run": run.identity["digest"],
        "game": run.game_digest,
        "seed": seed,
        "logs": logs_digest(logs),
        "unit": UNIT,
        "level": LEVEL,
        "random_share": scores.RANDOM_SHARE,
        "hands": tally.hands,
        **({"damaged": tally.damaged} if tally.damaged else {}),
        "decisions": len(own),
        "first_in": {**_first_in(own, prediction), "seats": by_seat(run, policy, own)},
        "totals": overall(run, policy, records, own),
        "later": _later(own, prediction),
        "sizes": sizes(own, counts.sizes),
        "donk": donk(chosen, counts.donk),
        "self_play_hands": self_hands,
    }
    if searched_hands:
        results["search"] = _searched(run, policy, own, prediction, search, searched_hands, seed)
    write(out, PLURIBUS, results)
    for line in summary(results):
        say(line)


def _scored(
    own: list[PlayedDecision], prediction: scores.Predicted, at: list[int],
    more: dict[str, Callable[[list[PlayedDecision]], np.ndarray]],
) -> dict[str, Any]:  # fmt: skip
    """The decisions ``at``, scored for the agent, uniform play and the predictions ``more``."""
    here = [own[i] for i in at]
    players = {"agent": prediction.kinds[at], "uniform": scores.uniform(here)}
    players |= {name: predict(here) for name, predict in more.items()}
    reasons = scores.cases(here, prediction.at(at))
    return {"decisions": len(here), "cases": reasons, **scores.scores(here, players, "agent")}


def _first_in(own: list[PlayedDecision], prediction: scores.Predicted) -> dict[str, Any]:
    """The decisions where Pluribus was first in."""
    at = [i for i, d in enumerate(own) if d.first_in]
    others = {
        "seat": lambda here: scores.by_frequency(here, lambda d: d.seat),
        "seat_and_class_left_out": scores.left_out,
        "seat_and_class": lambda here: scores.by_frequency(here, scores.seat_and_class),
    }
    return _scored(own, prediction, at, others)


def _later(own: list[PlayedDecision], prediction: scores.Predicted) -> list[dict[str, Any]]:
    """The decisions where Pluribus was not first in, by round."""
    rows, others = [], {"facing": lambda here: scores.by_frequency(here, lambda d: tuple(d.legal))}
    for r, name in enumerate(ROUNDS):
        at = [i for i, d in enumerate(own) if d.in_round == r and not d.first_in]
        rows.append({"round": name, **_scored(own, prediction, at, others)})
    return rows


def _searched(
    run: Run, policy: np.ndarray, own: list[PlayedDecision], prediction: scores.Predicted,
    config: SearchConfig, wanted: int, seed: int,
) -> dict[str, Any]:  # fmt: skip
    """Search beside the agent alone and uniform play, at the same decisions, by round.

    The hands are drawn from those in which Pluribus has a decision that is searched.
    """
    deep = list({id(d.record): d.record for d in own if d.in_round >= config.first}.values())
    order = generator(seed, "searched hands").permutation(len(deep))[:wanted]
    picked = {id(deep[k]) for k in order}
    at = [i for i, d in enumerate(own) if id(d.record) in picked and d.in_round >= config.first]
    chosen, searcher = [own[i] for i in at], Searcher(run, policy, config)
    with Progress(len(picked), "search in Pluribus's place", "hands") as bar:
        searched = scores.predicted(run, policy, chosen, config, searcher, seed, bar.add)
    rows, rounds = [], np.array([d.in_round for d in chosen], np.int64)
    for name, here in [("all", rounds >= 0), *((n, rounds == r) for r, n in enumerate(ROUNDS))]:
        some = [chosen[i] for i in np.flatnonzero(here)]
        players = {
            "search": searched.kinds[here],
            "agent": prediction.at(at).kinds[here],
            "uniform": scores.uniform(some),
        }
        more = scores.difference(some, players["search"], players["agent"])
        parts = {"difference": more, **scores.scores(some, players, "search")}
        rows.append({"round": name, "decisions": len(some), **parts})
    kept = [row for row in rows if row["decisions"]]
    return {"hands": len(picked), "config": config.model_dump(), "rounds": kept}


def summary(results: dict[str, Any]) -> list[str]:
    """The lines of the log."""
    parts = [("first in", results["first_in"])]
    parts += [(f"{row['round']}, not first in", row) for row in results["later"]]
    searched = results.get("search", {}).get("rounds", [])
    parts += [(f"searched, {row['round']}", row) for row in searched]
    lines = []
    if "damaged" in results:
        of = results["hands"] + results["damaged"]
        lines.append(f"{results['damaged']:,} damaged lines are left out of {of:,}")
    lines.append(
        f"{results['decisions']:,} decisions of {NAME}, log loss in nats (± standard error):"
    )
    for situation, part in parts:
        if not part["decisions"]:
            continue
        loss = ", ".join(f"{_name(results, k)} {_plus_minus(v)}" for k, v in part["loss"].items())
        of_hands = f"{part['loss']['uniform']['hands']:,} hands"
        lines.append(f"{situation}, {part['decisions']:,} decisions of {of_hands}: {loss}")
        for name, unit in (("mixed", "with 5 % random play"), ("agreement", "% agreement")):
            named = {k: v for k, v in part[name].items() if k in ("search", "agent", "uniform")}
            each = ", ".join(f"{_name(results, k)} {v['mean']:.3g}" for k, v in named.items())
            if "difference" in part:
                each += f", search less {results['agent']} {_plus_minus(part['difference'][name])}"
            lines.append(f"    {unit}: {each}")
    bets = [
        f"{k} {_short(results['donk'][k]['share'])}" for k in ("pluribus", "professionals", "agent")
    ]
    return [*lines, f"donk bets, % of chances: {', '.join(bets)}"]


def _name(record: dict[str, Any], key: str) -> str:
    names = {"seat_and_class_left_out": "seat and class", "seat_and_class": "the same in sample"}
    names |= {"agent": record["agent"], "facing": "by legal actions", "seat": "seat alone"}
    return names.get(key, key)


def _plus_minus(figures: dict[str, Any]) -> str:
    error = figures["standard_error"]
    return _short(figures["mean"], 3) + (f" ± {error:.3f}" if error else "")


def _short(value: float | None, digits: int = 1) -> str:
    return "none" if value is None else f"{value:.{digits}f}"
