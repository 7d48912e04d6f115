"""The pages of two papers' tables: Libratus's techniques, Modicum's values at a leaf."""

from pathlib import Path
from typing import Annotated, Any

from sixmax.base import options
from sixmax.base.files import write_text
from sixmax.base.options import Option
from sixmax.games.rock_paper_scissors import exploitability
from sixmax.report import svg
from sixmax.report.template import template
from sixmax.studies.examples import by_continuations
from sixmax.studies.libratus import paper_tables as libratus_tables
from sixmax.studies.libratus.config import TablesConfig
from sixmax.studies.modicum import figure
from sixmax.studies.modicum.config import FigureConfig

_TECHNIQUES = {"none": svg.MUTED, "unsafe": svg.ORANGE}
_LABELS = {"resolve": "safe, by bounds", "resolve-estimate": "safe, by estimates"}
_NAMES = {
    "self": "self-generated values, flops together",
    "alone": "self-generated values, each flop alone",
    "bias": "values by bias",
    "own": "values of the bet’s own leaves",
}
_LINES = {"translation": svg.ORANGE, "to-the-end": svg.MUTED, "in-abstraction": svg.GREEN}
_COLOURS = {"self": svg.BLUE, "alone": svg.INK, "bias": svg.PURPLE, "own": svg.SKY}


def libratus_page(record: dict[str, Any]) -> str:
    """The page of ``record`` (:func:`sixmax.studies.libratus.paper_tables.gather`) as HTML."""
    return template("pages/libratus.html.j2").render(
        **record,
        columns=["none", *record["config"]["techniques"]],
        answers=list(record["table2"][0]["exploitability"]),
        figure=_dots(record["table1"]),
    )


def _dots(rows: list[dict[str, Any]]) -> str:
    """Every cell: a dot, on a logarithmic scale."""
    with svg.pyplot() as plt:
        drawn, axes = plt.subplots(figsize=(14.2, 1.6 + 0.42 * len(rows)))
        for name in rows[0]["exploitability"]:
            values = [row["exploitability"][name] for row in rows]
            safe = name not in _TECHNIQUES
            axes.plot(
                values, range(len(rows)), "o" if safe else "D", ms=6 if safe else 8,
                mfc="none" if "estimate" in name else None,
                color=_TECHNIQUES.get(name, svg.GREEN), alpha=0.75, ls="",
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

    FOLDER has the cells, which `snakemake libratus` measures first.

    \b
    sixmax stage libratus results/libratus --config "$(cat c.json)" --out tables.json \\
        --page index.html
    """
    write_text(page, libratus_page(libratus_tables.gather(config, folder, out, run)))


def modicum_page(record: dict[str, Any]) -> str:
    """The page of ``record`` (:func:`sixmax.studies.modicum.figure.gather`) as HTML."""
    answers = (answer for row in record["rows"] for answer in row["exploitability"])
    return template("pages/modicum.html.j2").render(
        **record, columns=list(dict.fromkeys(answers)), figure=_curves(record)
    )


def _curves(record: dict[str, Any]) -> str:
    """A panel for each game: the curves of the makers between the answers without values."""
    rows, games = record["rows"], record["config"]["games"]
    with svg.pyplot() as plt:
        drawn, panels = plt.subplots(1, len(rows), figsize=(14.2, 5.6), squeeze=False)
        for axes, row in zip(panels[0], rows, strict=True):
            lost, values = row["exploitability"], games[row["game"]]["values"]
            for name, colour in _LINES.items():
                axes.axhline(lost[name], color=colour, ls="--", label=name.replace("-", " "))
            for maker, numbers in values.items():
                curve = [lost[f"{maker}-{n}"] for n in numbers]
                axes.plot(numbers, curve, "o-", color=_COLOURS[maker], label=_NAMES[maker])
            axes.set_xscale("log", base=2)
            axes.set_xticks(sorted({n for each in values.values() for n in each}))
            axes.xaxis.set_major_formatter("{x:g}")
            axes.set_ylim(bottom=0)
            axes.set_xlabel("values at a leaf")
            axes.set_title(f"{row['game'].replace('-', ' ')}: {row['flops']:,} flops")
        panels[0][0].set_ylabel("exploitability, mbb/hand")
        panels[0][0].legend(loc="upper right")
        return svg.inline(plt, drawn, "modicum", "Exploitability by the number of values at a leaf")


def draw_rps(out: Annotated[Path, Option("The picture, SVG.")]) -> None:
    """Draw why a leaf needs several values.

    \b
    sixmax stage rps-picture --out docs/guide/multi-valued-states.svg
    """
    import matplotlib

    matplotlib.use("svg")
    import matplotlib.pyplot as plt

    solved = by_continuations()
    style = {"svg.fonttype": "none", "svg.hashsalt": "sixmax", "font.size": 12}
    with plt.rc_context(style):
        drawn, (left, right) = plt.subplots(1, 2, figsize=(10, 3.6), layout="constrained")
        below = [0.0] * len(solved)
        for i, name in enumerate(("rock", "paper", "scissors")):
            share = [float(strategy[i]) for strategy in solved.values()]
            left.barh(list(solved), share, left=below, label=name)
            below = [a + b for a, b in zip(below, share, strict=True)]
        left.set_xlabel("the first player’s strategy")
        left.legend(loc="upper center", ncols=3, bbox_to_anchor=(0.5, 1.18), frameon=False)
        lost = [exploitability(strategy) for strategy in solved.values()]
        bars = right.barh(list(solved), lost, color="grey")
        right.bar_label(bars, [f"{x:.3f}" for x in lost], padding=3)
        right.set_xlim(0, 1.9)
        right.set_yticks([])
        right.set_xlabel("points that a best response wins")
        for axes in (left, right):
            axes.invert_yaxis()
            axes.spines[["top", "right"]].set_visible(False)
        out.parent.mkdir(parents=True, exist_ok=True)
        drawn.savefig(out, format="svg", metadata={"Date": None})
        plt.close(drawn)


def modicum(
    folder: options.File,
    config: Annotated[FigureConfig, Option("config/tables/modicum.yaml, as JSON.")],
    out: options.Out,
    page: Annotated[Path, Option("The page with the figure.")],
) -> None:  # fmt: skip
    """Gather figure 2 of the Modicum paper.

    FOLDER has the cells, which `snakemake modicum` measures first.

    \b
    sixmax stage modicum results/modicum --config "$(cat c.json)" --out tables.json \\
        --page index.html
    """
    write_text(page, modicum_page(figure.gather(config, folder, out)))
