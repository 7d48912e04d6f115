"""The page of the Libratus tables: exploitability by game, blueprint and technique."""

from pathlib import Path
from typing import Annotated, Any

from sixmax.base import options
from sixmax.base.files import write_text
from sixmax.base.options import Option
from sixmax.report import svg
from sixmax.report.template import template
from sixmax.studies.libratus.config import TablesConfig
from sixmax.studies.libratus.tables import gather

_COLOURS = {"none": svg.MUTED, "unsafe": svg.ORANGE}
_LABELS = {"resolve": "safe, by bounds", "resolve-estimate": "safe, by estimates"}


def render(record: dict[str, Any]) -> str:
    """The page of ``record`` (:func:`sixmax.studies.libratus.tables.gather`) as HTML."""
    return template("pages/libratus.html.j2").render(
        **record,
        columns=["none", *record["config"]["techniques"]],
        answers=list(record["table2"][0]["exploitability"]),
        figure=_figure(record["table1"]),
    )


def _figure(rows: list[dict[str, Any]]) -> str:
    """Every cell: a dot, on a logarithmic scale."""
    with svg.pyplot() as plt:
        size = (14.2, 1.6 + 0.42 * len(rows))
        drawn, axes = plt.subplots(figsize=size, layout="constrained")
        for name in rows[0]["exploitability"]:
            values = [row["exploitability"][name] for row in rows]
            safe = name not in _COLOURS
            axes.plot(
                values, range(len(rows)), "o" if safe else "D", ms=6 if safe else 8,
                mfc="none" if "estimate" in name else None,
                color=_COLOURS.get(name, svg.GREEN), alpha=0.75, ls="",
                label=_LABELS.get(name, "" if safe else name),
            )  # fmt: skip
        axes.set_xscale("log")
        axes.xaxis.set_major_formatter("{x:g}")
        names = [f"{r['game']}, {r['buckets']:,} buckets, seed {r['seed']}" for r in rows]
        axes.set_yticks(range(len(rows)), names)
        axes.set_ylim(len(rows) - 0.4, -0.6)
        axes.set_xlabel("exploitability, mbb/hand")
        axes.legend(loc="lower right")
        return svg.inline(plt, drawn, "libratus", "Exploitability by technique in every cell")


def libratus(
    folder: options.File,
    config: Annotated[TablesConfig, Option("config/tables/libratus.yaml, as JSON.")],
    out: options.Out,
    page: Annotated[Path, Option("The page with the tables.")],
    run: Annotated[Path, Option("The run of Table S1. Default: no such table.")] | None = None,
) -> None:  # fmt: skip
    """Gather the tables of the Libratus paper.

    `snakemake libratus` measures the cells first.

    \b
    sixmax stage libratus results/libratus --config "$(cat c.json)" --out tables.json \\
        --page index.html
    """
    write_text(page, render(gather(config, folder, out, run)))
