"""The cost of each stage, measured beside planned."""

from typing import Any, NamedTuple

from sixmax.betting.config import ROUNDS
from sixmax.report.gather import Inputs

TITLE = "Cost"
_STAGES = ["features", *(f"cluster {name}" for name in ROUNDS), "tree", "identity"]
_STAGES += ["blueprint", "average", "continuation", "evaluation", "experiments"]


class Cost(NamedTuple):
    """One stage: measured, and as planned; None where there is no number."""

    stage: str
    jobs: int
    seconds: float | None
    longest: float | None
    memory: float | None
    disk: int | None
    planned: dict[str, float] | None  # seconds, memory_gb, disk_gb


def context(inputs: Inputs) -> dict[str, Any]:
    """Values of the template."""
    rows = costs(inputs)
    return {"costs": rows, "total_cost": total_cost(rows)}


def total_seconds(inputs: Inputs) -> float | None:
    """Time of all jobs together, None where none was measured."""
    return total_cost(costs(inputs)).seconds


def costs(inputs: Inputs) -> list[Cost]:
    """A row for each stage that is in the plan, in the benchmarks or on disk."""
    planned = {stage["stage"]: stage for stage in inputs.plan or []}
    names = {*planned, *inputs.disk, *(job.stage for job in inputs.jobs)}
    names -= {"plan", "report"}  # the page cannot know its own cost
    return [_cost(inputs, name, planned.get(name)) for name in sorted(names, key=_place)]


def _place(stage: str) -> tuple[int, str]:
    """The place of ``stage`` on the way from the deck to the report."""
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
