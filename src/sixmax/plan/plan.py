"""The cost of a run, as a table and as JSON."""

from pathlib import Path
from typing import Annotated, Any

from sixmax.base import options
from sixmax.base.errors import UserError
from sixmax.base.files import write_json
from sixmax.betting.tree_count import count
from sixmax.config import Config, check, load
from sixmax.plan import rates
from sixmax.plan.rates import PlanLine, share_of_default
from sixmax.plan.search import search_seconds
from sixmax.plan.stages import moved_gb, stages
from sixmax.scores.power import MEASURED, POWER, smallest_edge

MOST_SHOWN = 8  # machines: docs/guide/cluster.md has the curve


def edges(config: Config) -> str:
    """The edges that the experiments of ``config`` can see, by variances of `default`."""
    deals = config.evaluation.experiments.deals
    seen = [
        f"{smallest_edge(MEASURED[f'{kind}, duplicate'].deviation, deals):.0f} mbb/game in `{kind}`"
        for kind in ("alone", "copies")
    ]
    return (
        f"experiments: {deals:,} deals see an edge of {' and '.join(seen)} with "
        f"probability {POWER:g}; `sixmax hands EDGE` prints the hands that another needs"
    )


def planned(config: Config) -> tuple[str, dict[str, Any]]:
    """The plan of ``config``: its table as text, and its record for JSON."""
    tree = count(config.game)
    lines = stages(config, tree)
    total = PlanLine(
        "all", "", 0, max(s.memory_gb for s in lines), sum(s.disk_gb for s in lines),
        sum(s.seconds / s.at_once for s in lines),
    )  # fmt: skip
    moved = moved_gb(config, tree)
    record = {"run": config.run, "stages": [s._asdict() for s in lines], "total": total._asdict()}
    if moved:
        record["moved_gb"] = moved  # of several machines
    text = "\n".join([_table(config, lines, total), *_machines(config, moved), edges(config)])
    return text, record


def _machines(config: Config, moved: float) -> list[str]:
    """The bytes that several machines move; a warning where more were asked for than help."""
    section = config.blueprint
    if section.shards == 1:
        return []
    lines = [
        f"{section.shards} shards: each merge moves {_size(moved / section.intervals)} through the "
        f"folder that the machines share, {_size(moved)} in all"
    ]
    if section.shards > MOST_SHOWN:
        lines.append(
            f"WARNING: {section.shards} shards; more than {MOST_SHOWN} were never shown to help "
            "(docs/guide/cluster.md)"
        )
    return lines


def _table(config: Config, lines: list[PlanLine], total: PlanLine) -> str:
    rows = [f"{'stage':14}{'rows':>17}  {'of':16}{'memory':>10}{'disk':>10}{'time':>10}"]
    for s in [*lines, total]:
        shown = f"{s.rows:,}" if s.rows else ""
        rows.append(
            f"{s.stage:14}{shown:>17}  {s.what:16}{_size(s.memory_gb):>10}{_size(s.disk_gb):>10}"
            f"{_duration(s.seconds):>10}"
        )
    heading = (
        f"{config.run}: estimates for {config.machine.threads} threads at {config.machine.speed:g} "
        "of the speed of an EPYC Zen 4 (machine.speed)"
    )
    if config.blueprint.shards > 1:
        heading += f", {config.blueprint.shards} shards on as many machines"
    note = "time: of a stage's jobs added up; of all: by the clock, jobs side by side"
    return "\n".join([heading, *rows, note, _decision(config)])


def _decision(config: Config) -> str:
    """The cost of a search in play or advice."""
    threads, speed = config.machine.threads, config.machine.speed
    full, fast = (search_seconds(config, name, threads) / speed for name in ("full", "fast"))
    line = f"a search takes {_brief(full, 'about ')}, in the fast setting {_brief(fast)}"
    if config.search.buckets and config.search.flops != "all":
        more = rates.FLOP_S * share_of_default(config) / speed
        line += f"; the first on a flop {more:.1f} s more, for its buckets"
    return line


def _brief(seconds: float, about: str = "") -> str:
    return f"{about}{seconds:.1f} s" if seconds >= 0.05 else "less than 0.1 s"


def _size(gigabytes: float) -> str:
    return f"{gigabytes / 1000:.2f} TB" if gigabytes >= 1000 else f"{gigabytes:.2f} GB"


def _duration(seconds: float) -> str:
    for unit, length in (("d", 86400), ("h", 3600), ("min", 60)):
        if seconds >= 2 * length:
            return f"{seconds / length:.1f} {unit}"
    return f"{seconds:.0f} s"


@options.stage
def plan(
    presets: options.Files | None = None,
    values: Annotated[dict, options.Option("A config as JSON, in place of files.", "--config")]
    | None = None,
    out: Annotated[Path, options.Option("The plan, as JSON.")] | None = None,
) -> str:  # fmt: skip
    """Predict rows, memory, disk and time of every stage of a config.

    PRESETS are config files; a later file overrides the keys that it names:

    \b
    sixmax plan config/default.yaml config/overnight.yaml
    """
    if (values is None) == (not presets):
        raise UserError("plan: give config files or --config, one of the two")
    text, record = planned(check(values) if values is not None else load(*presets or []))
    if out is not None:
        write_json(out, record)
    return text
