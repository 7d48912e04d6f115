"""The tables of the page, as rows of values; the template puts them into words and columns."""

import json
import math
from typing import Any, NamedTuple

from sixmax.evaluation.agents.names import snapshot_name
from sixmax.report import words
from sixmax.report.gather import ROUNDS, Inputs

TOTALS = (  # of a first-in record: name, what it is
    ("vpip", "VPIP", "puts chips in by choice before the flop"),
    ("pfr", "PFR", "raises before the flop"),
    ("three_bet", "three-bet", "raises when facing exactly one raise"),
    ("bb_defends", "big blind defends", "calls or raises when facing exactly one raise"),
)
_STAGES = ["features", *(f"cluster {name}" for name in ROUNDS), "tree", "identity"]
_STAGES += ["blueprint", "average", "continuation", "evaluation", "experiments"]


class Match(NamedTuple):
    """One match: what agent ``a`` won from copies of ``b``."""

    a: str
    b: str
    mean: float  # mbb/game, as are error and interval
    error: float
    interval: list[float]
    deals: int
    hands: int
    p: float | None  # one-tailed
    sign: str  # above, below or across zero


class Cost(NamedTuple):
    """One stage: measured, and as planned; None where there is no number."""

    stage: str
    jobs: int
    seconds: float | None
    longest: float | None
    memory: float | None
    disk: int | None
    planned: dict[str, float] | None  # seconds, memory_gb, disk_gb


def matches(inputs: Inputs) -> list[Match]:
    """The blueprint against everybody, then each snapshot against the fixed opponent."""
    training = inputs.matches["over_training"]
    snapshots = [
        {"a": snapshot_name(row["after_interval"]), "b": training["opponent"], **row}
        for row in training["snapshots"]
    ]
    rows = [*inputs.matches["matches"], *snapshots]
    return [_match(row, inputs.check["bias"]) for row in rows]


def over_training(inputs: Inputs) -> list[dict[str, Any]]:
    """For each snapshot: iterations, win rate against the fixed opponent, first-in play."""
    rows = []
    for row in inputs.matches["over_training"]["snapshots"]:
        record = inputs.history[row["after_interval"] - 1]
        spots = inputs.snapshots[row["after_interval"]]["first_in"]
        rows.append({**row, "iterations": record["iterations"], "spots": spots})
    return rows


def _match(row: dict[str, Any], bias: float) -> Match:
    low, high = row["interval"]
    sign = "above" if low > 0 else "below" if high < 0 else "across"
    return Match(
        words.agent(row["a"], bias), words.agent(row["b"], bias), row["mean"],
        row["standard_error"], row["interval"], row["deals"], row["hands"],
        _one_tailed(row), sign,
    )  # fmt: skip


def _one_tailed(row: dict[str, Any]) -> float | None:
    """The p-value of :mod:`~sixmax.evaluation.scores.statistics`, which snapshots' rows lack."""
    from scipy.stats import t  # half a second of import time

    if "p_one_tailed" in row:
        return row["p_one_tailed"]
    if not 0 < row["standard_error"] < math.inf:
        return None
    return float(t.sf(row["mean"] / row["standard_error"], row["deals"] - 1))


def totals(inputs: Inputs) -> list[dict[str, Any]]:
    """Preflop figures over all seats, and Pluribus's where the game is the same."""
    ours, theirs = inputs.first_in["totals"], inputs.first_in.get("pluribus_totals", {})
    return [
        {"name": name, "meaning": meaning, "ours": ours[key], "theirs": theirs.get(key)}
        for key, name, meaning in TOTALS
    ]


def costs(inputs: Inputs) -> list[Cost]:
    """A row for each stage that is in the plan, in the benchmarks or on disk."""
    planned = {stage["stage"]: stage for stage in inputs.plan or []}
    names = {*planned, *inputs.disk, *(job.stage for job in inputs.jobs)}
    names -= {"plan", "report"}  # the page cannot tell what it costs itself
    return [_cost(inputs, name, planned.get(name)) for name in sorted(names, key=_place)]


def _place(stage: str) -> tuple[int, str]:
    """Where ``stage`` stands on the way from the deck to the report."""
    return (_STAGES.index(stage) if stage in _STAGES else len(_STAGES), stage)


def _cost(inputs: Inputs, stage: str, planned: dict[str, Any] | None) -> Cost:
    jobs = [job for job in inputs.jobs if job.stage == stage]
    times = [job.seconds for job in jobs]
    memory = [job.memory_bytes for job in jobs if job.memory_bytes is not None]
    return Cost(
        stage, len(jobs), sum(times) if jobs else None, max(times, default=None),
        max(memory, default=None), inputs.disk.get(stage), planned,
    )  # fmt: skip


def total_cost(rows: list[Cost]) -> Cost:
    """All stages together: times and disk add up, memory is the largest."""
    planned = [row.planned for row in rows if row.planned]
    seconds = [row.seconds for row in rows if row.seconds is not None]
    return Cost(
        "all",
        sum(row.jobs for row in rows),
        sum(seconds) if seconds else None,
        max((row.longest for row in rows if row.longest is not None), default=None),
        max((row.memory for row in rows if row.memory is not None), default=None),
        sum(row.disk or 0 for row in rows),
        {
            "seconds": sum(p["seconds"] for p in planned),
            "memory_gb": max(p["memory_gb"] for p in planned),
            "disk_gb": sum(p["disk_gb"] for p in planned),
        }
        if planned
        else None,
    )


def settings(inputs: Inputs) -> list[tuple[str, list[tuple[str, str]]]]:
    """The settings that the training is a function of: (section, [(key, value)])."""
    loose, sections = [], []
    for key, value in inputs.settings.items():
        if isinstance(value, dict):
            sections.append((key, list(_flat(value, ""))))
        else:
            loose.append((key, json.dumps(value)))
    return [("run", loose), *sections]


def _flat(values: dict[str, Any], before: str) -> Any:
    for key, value in values.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{before}{key}.")
        elif isinstance(value, list) and value and isinstance(value[0], dict):
            for i, item in enumerate(value):
                yield f"{before}{key}[{i}]", json.dumps(item)[1:-1].replace('"', "")
        else:
            yield f"{before}{key}", value if isinstance(value, str) else json.dumps(value)
