"""The cost of a run's stages: by Snakemake's benchmark files, on disk, and as planned.

Stages are those of the plan (``features``, ``cluster flop``, ``tree``, ``blueprint``, …).
"""

import csv
from pathlib import Path
from typing import Any, NamedTuple

from sixmax.base.errors import UserError
from sixmax.base.files import bytes_in
from sixmax.cards.deck import ROUNDS

MB = 1 << 20  # Snakemake's unit of memory
_STAGE_OF = {  # of a benchmark's part and rule, or of the part
    **dict.fromkeys(("blueprint/train", "blueprint/shard", "blueprint/merge"), "blueprint"),
    **{f"blueprint/{name}": name for name in ("tree", "average", "identity")},
    "search/flop": "flops",
    "evaluation/experiment": "experiments",
    "evaluation/values": "values",
    "evaluation/aivat": "aivat",
    "evaluation/lbr": "lower bounds",
    "evaluation/response": "best response",
}
_STORES = {
    "tree": ("blueprint/tree.zarr",),
    "blueprint": ("blueprint/state", "blueprint/snapshot"),
    "average": ("blueprint/strategy.zarr",),
    "continuation": ("continuation/strategies.zarr",),
    "flops": ("search/flop",),
    "values": ("evaluation/values.zarr",),
}
_ORDER = ["features", *(f"cluster {name}" for name in ROUNDS), "tree", "identity"]
_ORDER += ["blueprint", "average", "continuation", "evaluation", "experiments"]
_LEFT_OUT = {"plan", "report"}  # the page cannot know its own cost


class JobCost(NamedTuple):
    stage: str
    seconds: float  # by the clock
    memory_bytes: float | None  # largest resident set; None where the job was too short to measure


class Cost(NamedTuple):
    """One stage: measured, and as planned; None where there is no number."""

    stage: str
    jobs: int
    seconds: float | None
    longest: float | None
    memory: float | None
    disk: int | None
    planned: dict[str, float] | None  # seconds, memory_gb, disk_gb


def costs(folder: Path, settings: dict[str, Any], plan: list[dict[str, Any]]) -> list[Cost]:
    """A row for each stage in the plan, the benchmarks or on disk; the last is of all.

    There times and disk add up, memory is the largest. ``plan`` has the stages of a plan.
    """
    measured = [job for job in jobs(folder, settings) if job.stage not in _LEFT_OUT]
    planned = {stage["stage"]: stage for stage in plan if stage["stage"] not in _LEFT_OUT}
    sizes = disk(folder, settings)
    names = {*planned, *sizes, *(job.stage for job in measured)}
    rows = [
        _cost(name, [job for job in measured if job.stage == name], sizes.get(name),
              planned.get(name))
        for name in sorted(names, key=lambda name: ([*_ORDER, name].index(name), name))
    ]  # fmt: skip
    every = {
        "seconds": sum(stage["seconds"] for stage in planned.values()),
        "memory_gb": max((stage["memory_gb"] for stage in planned.values()), default=0.0),
        "disk_gb": sum(stage["disk_gb"] for stage in planned.values()),
    }
    return [*rows, _cost("all", measured, sum(sizes.values()), every if planned else None)]


def jobs(folder: Path, settings: dict[str, Any]) -> list[JobCost]:
    """All jobs of the run in ``folder``, and of the features that it shares with other runs.

    Raises UserError where a benchmark file is not one.
    """
    own = folder / "benchmarks"
    shared, kind = _shared(folder, settings)
    files = sorted((f.relative_to(own).with_suffix("").parts, f) for f in own.rglob("*.tsv"))
    features = shared / "benchmarks" / "features" / f"{kind}.tsv"
    every = [_job("features", features)] if features.exists() else []
    # The report's own is from the time before.
    return every + [_job(_stage(rule), file) for rule, file in files if rule[0] != "report"]


def disk(folder: Path, settings: dict[str, Any]) -> dict[str, int]:
    """Bytes of the stores that each stage left in ``folder``."""
    shared, kind = _shared(folder, settings)
    places = {"features": [shared / "features" / kind]}
    buckets = sorted((folder / "abstraction").glob("*.zarr"))
    places |= {f"cluster {store.stem}": [store] for store in buckets}
    places |= {name: [folder / store for store in stores] for name, stores in _STORES.items()}
    sizes = {stage: sum(map(bytes_in, paths)) for stage, paths in places.items()}
    return {stage: size for stage, size in sizes.items() if size}


def _shared(folder: Path, settings: dict[str, Any]) -> tuple[Path, str]:
    """The folder that runs on this deck share, and the name of the features of ``settings``."""
    abstraction = settings["abstraction"]
    kind = f"bins{abstraction.get('bins')}_clusters{abstraction.get('ochs_clusters')}"
    return folder.resolve().parent / "shared" / f"deck{4 * settings['ranks']}", kind


def _stage(names: tuple[str, ...]) -> str:
    part, rule = names[0], names[1] if len(names) > 1 else ""
    if part == "abstraction":
        return f"cluster {rule.rpartition('_')[2]}"  # the plan counts the quality report with it
    if (part, rule) == ("evaluation", "search"):
        return f"search {names[2]}"
    return _STAGE_OF.get(f"{part}/{rule}", part)


def _job(stage: str, file: Path) -> JobCost:
    with file.open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines, delimiter="\t"))
    try:
        memory = [float(r["max_rss"]) * MB for r in rows if r["max_rss"] not in ("NA", "-", "")]
        return JobCost(stage, sum(float(row["s"]) for row in rows), max(memory, default=None))
    except (KeyError, TypeError, ValueError):
        raise UserError(
            f"{file}: not a benchmark file of Snakemake; delete it with the output of its job "
            "and run `snakemake` again"
        ) from None


def _cost(
    stage: str, jobs: list[JobCost], disk: int | None, planned: dict[str, float] | None
) -> Cost:
    times = [job.seconds for job in jobs]
    memory = [job.memory_bytes for job in jobs if job.memory_bytes is not None]
    return Cost(
        stage, len(jobs), sum(times) if jobs else None, max(times, default=None),
        max(memory, default=None), disk, planned,
    )  # fmt: skip
