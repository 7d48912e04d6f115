"""The inputs of the page, read from ``results/{run}`` and checked before use."""

import os
import platform
from pathlib import Path
from typing import Any, NamedTuple

from sixmax.abstraction.quality import QUALITY
from sixmax.agents.registry import snapshot_name
from sixmax.base.errors import UserError
from sixmax.blueprint import identity
from sixmax.blueprint.checkpoint import INTERVAL, MADE
from sixmax.cards.deck import ROUNDS
from sixmax.continuation.stage import CHECK
from sixmax.evaluation import records
from sixmax.evaluation.aivat.scored_match import SCORED
from sixmax.evaluation.experiments.experiment import KINDS, Experiment, read_experiment
from sixmax.evaluation.match.pairings import BOUNDS
from sixmax.measurements import MEASUREMENTS
from sixmax.report.cost import Cost, costs
from sixmax.scores.job_parts import COST
from sixmax.scores.measured import MeasuredForm
from sixmax.store import read
from sixmax.store.records import Form, RecordKind
from sixmax.store.records import read as read_record


class _StageForm(Form):
    stage: str
    seconds: float
    memory_gb: float
    disk_gb: float


class _PlanForm(Form):
    stages: list[_StageForm]


_PLAN = RecordKind("a plan", "sixmax plan", _PlanForm)  # the plan lies above the report
# File in the folder of the run -> the rule that makes it, and its kind.
_WANTED = {
    "blueprint/history/*.json": ("blueprint", INTERVAL),
    "evaluation/matches.json": ("evaluation", records.MATCHES),
    "evaluation/firstin.json": ("evaluation", records.FIRST_IN),
    "evaluation/firstin/*.json": ("report", records.FIRST_IN),
    "evaluation/ranges.json": ("evaluation", records.RANGES),
    "blueprint/strategy_made.json": ("blueprint", MADE),
    "evaluation/pluribus.json": ("evaluation", records.PLURIBUS),
    "evaluation/bounds.json": ("evaluation", records.BOUNDS),
    "evaluation/lbr_search/*.json": ("evaluation", records.SEARCH_BOUND),
    "evaluation/lbr_search/*_cost.json": ("evaluation", COST),
    "evaluation/response.json": ("evaluation", records.RESPONSE),
    "evaluation/aivat/*.json": ("evaluation", SCORED),
    "abstraction/quality_*.json": ("abstraction", QUALITY),
    "evaluation/search/gain.json": ("evaluation", records.WHOLE_GAIN),
    "evaluation/search/duel.json": ("evaluation", records.DUEL),
    "evaluation/search/*_cost.json": ("evaluation", COST),
    "continuation/check.json": ("continuation", CHECK),
    "plan/plan.json": ("plan", _PLAN),
}


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
    rounds: list[dict[str, Any]]  # the quality report of the buckets, and its picture as PNG
    search: dict[str, dict[str, Any]]  # "gain" and "duel", where they were measured
    measurements: list[dict[str, Any]]  # those without a section of their own
    check: dict[str, Any]  # of the continuations
    costs: list[Cost]  # by stage; the last is of all
    machine: dict[str, Any]

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
    files = _Files(folder)
    files.there("blueprint/run.json", "blueprint")
    frozen = identity.read(folder)
    matches = files.read("evaluation/matches.json")
    files.game = matches["protocol"]["game"]
    blueprint = read(files.there("blueprint/strategy.zarr", "blueprint"), "strategy").attributes
    tree = read(files.there("blueprint/tree.zarr", "blueprint"), "tree")
    settings = frozen["settings"]
    snapshots = [row["after_interval"] for row in matches["over_training"]["snapshots"]]
    return Inputs(
        run=folder.resolve().name,
        identity=frozen,
        made=files.maybe("blueprint/strategy_made.json"),
        decisions=tree["decisions"].tolist(),
        blueprint=blueprint,
        history=[
            files.read("blueprint/history/*.json", f"{k:05d}")
            for k in range(1, blueprint["interval"] + 1)
        ],
        matches=matches,
        aivat=[
            files.read("evaluation/aivat/*.json", path.stem)
            for path in sorted((folder / "evaluation" / "aivat").glob("*.json"))
        ],
        experiments=_experiments(files),
        first_in=files.read("evaluation/firstin.json"),
        ranges=files.read("evaluation/ranges.json"),
        snapshots={k: files.read("evaluation/firstin/*.json", snapshot_name(k)) for k in snapshots},
        pluribus=files.maybe("evaluation/pluribus.json"),
        bounds=files.maybe("evaluation/bounds.json"),
        search_bounds=[
            record | files.read("evaluation/lbr_search/*_cost.json", name)
            for name in BOUNDS
            if (record := files.maybe("evaluation/lbr_search/*.json", name))
        ],
        response=files.maybe("evaluation/response.json"),
        rounds=_rounds(files, settings["game"]),
        search={
            name: record | files.read("evaluation/search/*_cost.json", name)
            for name in ("gain", "duel")
            if (record := files.maybe(f"evaluation/search/{name}.json"))
        },
        measurements=more_measurements(folder, files.game),
        check=files.read("continuation/check.json"),
        costs=costs(folder, settings, (files.maybe("plan/plan.json") or {}).get("stages", [])),
        machine=machine(),
    )


class _Files:
    """The files of the run in ``folder``, checked when they are read; ``game``: of the matches."""

    def __init__(self, folder: Path):
        self.folder, self.game = folder, ""

    def read(self, pattern: str, name: str = "") -> dict[str, Any]:
        """The file ``pattern`` of :data:`_WANTED`, its star replaced by ``name``."""
        path = self.folder / pattern.replace("*", name)
        rule, kind = _WANTED[pattern]
        kind = RecordKind("an input of the report", f"snakemake {rule}", kind.form)
        record = read_record(path, kind)
        for row in record.get("bounds", [record]):
            _same_game(path, row.get("protocol", row).get("game"), self.game)
        return record

    def maybe(self, pattern: str, name: str = "") -> dict[str, Any] | None:
        """The same of a file that only some games and configs make."""
        there = (self.folder / pattern.replace("*", name)).exists()
        return self.read(pattern, name) if there else None

    def there(self, name: str, stage: str) -> Path:
        """The path of ``name``, which `snakemake stage` makes. Raises UserError without it."""
        path = self.folder / name
        if not path.exists():
            raise UserError(
                f"{path}: not there, the report needs it; run `snakemake {stage}` first"
            )
        return path


def machine() -> dict[str, Any]:
    """The machine that makes the page, without any name of it or of its owner."""
    processor, info = platform.machine(), Path("/proc/cpuinfo")
    if info.exists():
        names = [line for line in info.read_text().splitlines() if line.startswith("model name")]
        processor = names[0].partition(":")[2].strip() if names else processor
    pages = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    cores = os.cpu_count() or 1
    return {"processor": processor or "unknown", "cores": cores, "memory_gb": pages / 1e9}


def _same_game(path: Path, theirs: str | None, game: str) -> None:
    if game and theirs not in (None, game):
        raise UserError(
            f"{path}: played on game {theirs}, the matches on {game}; delete it and run "
            "`snakemake evaluation` again"
        )


def _experiments(files: _Files) -> dict[str, Experiment]:
    """Both of the paper's, and search alone where it was played."""
    experiments = {}
    for name in (*KINDS, "search"):
        file = f"evaluation/experiment/{name}.json"
        if name in KINDS or (files.folder / file).exists():
            path = files.there(file, "experiments")
            experiments[name] = read_experiment(path)
            _same_game(path, experiments[name].best.result.protocol.game, files.game)
    return experiments


def _rounds(files: _Files, game: dict[str, Any]) -> list[dict[str, Any]]:
    """The quality of the buckets; none in the small games, whose buckets are given."""
    rounds = []
    for name in ROUNDS[: len(game["rounds"])] if game["cards"] == "holdem" else ():
        picture = files.there(f"abstraction/quality_{name}.png", "abstraction")
        report = files.read("abstraction/quality_*.json", name)
        rounds.append({"report": report, "picture": picture.read_bytes()})
    return rounds


def more_measurements(folder: Path, game: str) -> list[dict[str, Any]]:
    """The results of :data:`MEASUREMENTS` that have no section of their own."""
    results = []
    for name, each in MEASUREMENTS.items():
        path = folder / each.file
        if not each.section and path.exists():
            kind = RecordKind("a measurement", f"sixmax {name}", MeasuredForm)
            results.append(read_record(path, kind))
            _same_game(path, results[-1]["game"], game)
    return results
