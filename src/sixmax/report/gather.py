"""The inputs of the page, read from ``results/{run}`` and checked before use."""

import os
import platform
from pathlib import Path
from typing import Any, NamedTuple

from sixmax.abstraction.quality import QUALITY
from sixmax.agents.registry import snapshot_name
from sixmax.base.errors import UserError
from sixmax.betting.config import ROUNDS
from sixmax.blueprint import checkpoint
from sixmax.blueprint.records import INTERVAL, MADE
from sixmax.continuation.stage import CHECK
from sixmax.evaluation.aivat.scored_match import SCORED
from sixmax.evaluation.experiments.experiment import KINDS, Experiment
from sixmax.evaluation.experiments.stage import read_experiment
from sixmax.evaluation.match.pairings import BOUNDS
from sixmax.evaluation.records import BOUNDS as BOUND_TABLE
from sixmax.evaluation.records import (
    DUEL,
    FIRST_IN,
    MATCHES,
    PLURIBUS,
    RANGES,
    RESPONSE,
    SEARCH_BOUND,
    WHOLE_GAIN,
)
from sixmax.measurements import MEASUREMENTS
from sixmax.report import cost
from sixmax.scores.job_parts import COST
from sixmax.scores.records import MeasuredForm
from sixmax.store import Store, read
from sixmax.store.records import RecordKind, foreign, keys
from sixmax.store.records import read as read_record

_PLANNED = ("stage", "seconds", "memory_gb", "disk_gb")
_PLAN = keys("a plan", "sixmax plan", "stages")  # the plan lies above the report
# File in the folder of the run -> the rule that makes it, and its kind.
_WANTED = {
    "blueprint/history/*.json": ("blueprint", INTERVAL),
    "evaluation/matches.json": ("evaluation", MATCHES),
    "evaluation/firstin.json": ("evaluation", FIRST_IN),
    "evaluation/firstin/*.json": ("report", FIRST_IN),
    "evaluation/ranges.json": ("evaluation", RANGES),
    "blueprint/strategy_made.json": ("blueprint", MADE),
    "evaluation/pluribus.json": ("evaluation", PLURIBUS),
    "evaluation/bounds.json": ("evaluation", BOUND_TABLE),
    "evaluation/lbr_search/*.json": ("evaluation", SEARCH_BOUND),
    "evaluation/lbr_search/*_cost.json": ("evaluation", COST),
    "evaluation/response.json": ("evaluation", RESPONSE),
    "evaluation/aivat/*.json": ("evaluation", SCORED),
    "abstraction/quality_*.json": ("abstraction", QUALITY),
    "evaluation/search/gain.json": ("evaluation", WHOLE_GAIN),
    "evaluation/search/duel.json": ("evaluation", DUEL),
    "evaluation/search/*_cost.json": ("evaluation", COST),
    "continuation/check.json": ("continuation", CHECK),
    "plan/plan.json": ("plan", _PLAN),
}


class RoundQuality(NamedTuple):
    """The quality report of one round's buckets, and its picture."""

    report: dict[str, Any]
    picture: bytes  # PNG


class Machine(NamedTuple):
    """The machine that makes the page, without any name of it or of its owner."""

    processor: str
    cores: int
    memory_gb: float


class Inputs(NamedTuple):
    """One run, as plain values."""

    run: str
    identity: dict[str, Any]  # run.json
    made: dict[str, Any] | None  # date and commit of the blueprint, where recorded
    decisions: list[int]  # decision nodes of the tree, by round
    blueprint: dict[str, Any]  # attributes of its store: packages, interval, iterations, …
    history: list[dict[str, Any]]  # by interval
    matches: dict[str, Any]
    aivat: list[dict[str, Any]]  # the matches that AIVAT scored
    experiments: dict[str, Experiment]  # alone, copies, and search where it was played
    first_in: dict[str, Any]  # of the blueprint
    ranges: dict[str, Any]  # of the blueprint before the flop, spot by spot
    snapshots: dict[int, dict[str, Any]]  # first-in play of the snapshot after that interval
    pluribus: dict[str, Any] | None  # scores on Pluribus's decisions, where measured
    bounds: dict[str, Any] | None  # local best responses, with two players
    search_bounds: list[dict[str, Any]]  # of a player that searches, with their cost
    response: dict[str, Any] | None  # best responses, in games small enough
    rounds: list[RoundQuality]
    search: dict[str, dict[str, Any]]  # "gain" and "duel", where they were measured
    measurements: list[dict[str, Any]]  # those without a section of their own
    check: dict[str, Any]  # of the continuations
    jobs: list[cost.JobCost]
    disk: dict[str, int]  # bytes, by stage as in the plan
    plan: list[dict[str, Any]] | None
    machine: Machine

    @property
    def settings(self) -> dict[str, Any]:
        return self.identity["settings"]

    @property
    def big_blind(self) -> int:
        """Chips."""
        return self.matches["protocol"]["big_blind"]


def gather(folder: Path) -> Inputs:
    """Read the run in ``folder``. Raises UserError naming a missing file and its stage."""
    if not folder.is_dir():
        raise UserError(f"{folder}: no such folder; wanted results/{{run}} of a finished run")
    if not (folder / "blueprint" / "run.json").exists():
        raise _missing(folder / "blueprint" / "run.json", "blueprint")
    identity = checkpoint.identity_of(folder)
    matches = _json(folder, "evaluation/matches.json")
    blueprint = _store(folder, "strategy", "strategy").attributes
    intervals = [row["after_interval"] for row in matches["over_training"]["snapshots"]]
    holdem = identity["settings"]["game"]["cards"] == "holdem"
    return Inputs(
        run=folder.resolve().name,
        identity=identity,
        made=_optional(folder, "blueprint/strategy_made.json"),
        decisions=_store(folder, "tree", "tree")["decisions"].tolist(),
        blueprint=blueprint,
        history=_history(folder, blueprint["interval"]),
        matches=matches,
        aivat=_aivat(folder, matches["protocol"]["game"]),
        experiments=_experiments(folder, matches["protocol"]["game"]),
        first_in=_json(folder, "evaluation/firstin.json"),
        ranges=_json(folder, "evaluation/ranges.json"),
        snapshots={
            k: _json(folder, "evaluation/firstin/*.json", snapshot_name(k)) for k in intervals
        },
        pluribus=_optional(folder, "evaluation/pluribus.json"),
        bounds=_bounds(folder, matches["protocol"]["game"]),
        search_bounds=_search_bounds(folder, matches["protocol"]["game"]),
        response=_response(folder, matches["protocol"]["game"]),
        rounds=_rounds(folder, len(identity["settings"]["game"]["rounds"])) if holdem else [],
        search=_search(folder, matches["protocol"]["game"]),
        measurements=more_measurements(folder, matches["protocol"]["game"]),
        check=_json(folder, "continuation/check.json"),
        jobs=cost.jobs(folder, identity["settings"]),
        disk=cost.disk(folder, identity["settings"]),
        plan=_plan(folder),
        machine=machine(),
    )


def _optional(folder: Path, path: str) -> dict[str, Any] | None:
    """A file that only some games and configs make."""
    return _json(folder, path) if (folder / path).exists() else None


def machine() -> Machine:
    """This machine."""
    processor, info = platform.machine(), Path("/proc/cpuinfo")
    if info.exists():
        names = [line for line in info.read_text().splitlines() if line.startswith("model name")]
        processor = names[0].partition(":")[2].strip() if names else processor
    pages = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    return Machine(processor or "unknown", os.cpu_count() or 1, pages / 1e9)


def _missing(path: Path, stage: str) -> UserError:
    return UserError(f"{path}: not there, the report needs it; run `snakemake {stage}` first")


def _kind(pattern: str) -> RecordKind:
    """The kind of the file ``pattern``, named for people who make a report."""
    rule, kind = _WANTED[pattern]
    return RecordKind("an input of the report", f"snakemake {rule}", kind.form)


def _json(folder: Path, pattern: str, name: str = "") -> dict[str, Any]:
    """The file ``pattern`` of :data:`_WANTED`, its star replaced by ``name``."""
    return read_record(folder / pattern.replace("*", name), _kind(pattern))


def _store(folder: Path, name: str, kind: str) -> Store:
    path = folder / "blueprint" / f"{name}.zarr"
    if not path.exists():
        raise _missing(path, "blueprint")
    return read(path, kind)


def _history(folder: Path, last: int) -> list[dict[str, Any]]:
    """The record of every interval of the training."""
    return [_json(folder, "blueprint/history/*.json", f"{k:05d}") for k in range(1, last + 1)]


def _same_game(path: str, theirs: str, game: str, stage: str = "evaluation") -> None:
    """Refuse results of another game than that of the matches, as they stand side by side."""
    if theirs != game:
        raise UserError(
            f"{path}: played on game {theirs}, the matches on {game}; delete it and run "
            f"`snakemake {stage}` again"
        )


def _aivat(folder: Path, game: str) -> list[dict[str, Any]]:
    """The matches that AIVAT scored."""
    names = sorted(path.stem for path in (folder / "evaluation" / "aivat").glob("*.json"))
    matches = [_json(folder, "evaluation/aivat/*.json", name) for name in names]
    for name, match in zip(names, matches, strict=True):
        _same_game(f"{folder}/evaluation/aivat/{name}.json", match["protocol"]["game"], game)
    return matches


def _bounds(folder: Path, game: str) -> dict[str, Any] | None:
    """The lower bounds by local best responses."""
    record = _optional(folder, "evaluation/bounds.json")
    for row in record["bounds"] if record else []:
        _same_game(f"{folder}/evaluation/bounds.json", row["protocol"]["game"], game)
    return record


def _search_bounds(folder: Path, game: str) -> list[dict[str, Any]]:
    """Local best responses to search, in the order of the protocols."""
    of = folder / "evaluation" / "lbr_search"
    records = []
    for name in (name for name in BOUNDS if (of / f"{name}.json").exists()):
        record = _json(folder, "evaluation/lbr_search/*.json", name)
        _same_game(str(of / f"{name}.json"), record["protocol"]["game"], game)
        records.append(record | _json(folder, "evaluation/lbr_search/*_cost.json", name))
    return records


def _response(folder: Path, game: str) -> dict[str, Any] | None:
    """The gains of best responses."""
    record = _optional(folder, "evaluation/response.json")
    if record:
        _same_game(f"{folder}/evaluation/response.json", record["game"], game)
    return record


def _experiments(folder: Path, game: str) -> dict[str, Experiment]:
    """Both of the paper's, and search alone where it was played."""
    experiments = {}
    for name in (*KINDS, "search"):
        path = folder / "evaluation" / "experiment" / f"{name}.json"
        if path.exists():
            experiments[name] = read_experiment(path)
            _same_game(str(path), experiments[name].best.result.protocol.game, game)
        elif name in KINDS:
            raise _missing(path, "experiments")
    return experiments


def _rounds(folder: Path, n: int) -> list[RoundQuality]:
    rounds = []
    for name in ROUNDS[:n]:
        picture = folder / "abstraction" / f"quality_{name}.png"
        if not picture.exists():
            raise _missing(picture, "abstraction")
        report = _json(folder, "abstraction/quality_*.json", name)
        rounds.append(RoundQuality(report, picture.read_bytes()))
    return rounds


def _search(folder: Path, game: str) -> dict[str, dict[str, Any]]:
    """The measurements of search, with their cost."""
    records = {}
    for name in ("gain", "duel"):
        path = folder / "evaluation" / "search" / f"{name}.json"
        if path.exists():
            record = _json(folder, f"evaluation/search/{name}.json")
            _same_game(str(path), record["protocol"]["game"], game)
            records[name] = record | _json(folder, "evaluation/search/*_cost.json", name)
    return records


def more_measurements(folder: Path, game: str) -> list[dict[str, Any]]:
    """The results of :data:`MEASUREMENTS` that have no section of their own."""
    records = []
    for name, each in MEASUREMENTS.items():
        path = folder / each.file
        if not each.section and path.exists():
            records.append(
                read_record(path, RecordKind("a measurement", f"sixmax {name}", MeasuredForm))
            )
            _same_game(str(path), records[-1]["game"], game)
    return records


def _plan(folder: Path) -> list[dict[str, Any]] | None:
    plan = _optional(folder, "plan/plan.json")
    try:
        return [{key: stage[key] for key in _PLANNED} for stage in plan["stages"]] if plan else None
    except (KeyError, TypeError) as error:
        path = folder / "plan" / "plan.json"
        raise foreign(path, _kind("plan/plan.json"), f"a stage without {error}") from None
