"""The cost of each stage, measured beside planned."""

from typing import Any, NamedTuple

from sixmax.betting.config import ROUNDS
from sixmax.report.cost import JobCost
from sixmax.report.gather import Inputs

TITLE = "Cost"
_STAGES = ["features", *(f"cluster {name}" for name in ROUNDS), "tree", "identity"]
_STAGES += ["blueprint", "average", "continuation", "evaluation", "experiments"]
_LEFT_OUT = {"plan", "report"}  # the page cannot know its own cost


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
    return {"costs": costs(inputs), "total_cost": total_cost(inputs)}


def costs(inputs: Inputs) -> list[Cost]:
    """A row for each stage that is in the plan, in the benchmarks or on disk."""
    planned = {stage["stage"]: stage for stage in inputs.plan or []}
    names = {*planned, *inputs.disk, *(job.stage for job in inputs.jobs)} - _LEFT_OUT
    return [
        _cost(name, [job for job in inputs.jobs if job.stage == name], inputs.disk.get(name),
              planned.get(name))
        for name in sorted(names, key=_place)
    ]  # fmt: skip


def total_cost(inputs: Inputs) -> Cost:
    """All stages together: times and disk add up, memory is the largest."""
    jobs = [job for job in inputs.jobs if job.stage not in _LEFT_OUT]
    stages = [stage for stage in inputs.plan or [] if stage["stage"] not in _LEFT_OUT]
    planned = {
        "seconds": sum(stage["seconds"] for stage in stages),
        "memory_gb": max((stage["memory_gb"] for stage in stages), default=0.0),
        "disk_gb": sum(stage["disk_gb"] for stage in stages),
    }
    return _cost("all", jobs, sum(inputs.disk.values()), planned if stages else None)


def _place(stage: str) -> tuple[int, str]:
    """The place of ``stage`` on the way from the deck to the report."""
    return (_STAGES.index(stage) if stage in _STAGES else len(_STAGES), stage)


def _cost(
    stage: str, jobs: list[JobCost], disk: int | None, planned: dict[str, float] | None
) -> Cost:
    times = [job.seconds for job in jobs]
    memory = [job.memory_bytes for job in jobs if job.memory_bytes is not None]
    return Cost(
        stage, len(jobs), sum(times) if jobs else None, max(times, default=None),
        max(memory, default=None), disk, planned,
    )  # fmt: skip
