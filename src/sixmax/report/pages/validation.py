"""The page of the validation: every game with a known answer, and its measurements."""

from pathlib import Path
from typing import Annotated, Any

import numpy as np

from sixmax.base import options
from sixmax.base.files import write_text
from sixmax.games import GAMES
from sixmax.games.game import ALL, judged_by
from sixmax.report import svg, words
from sixmax.report.template import template
from sixmax.studies.validate import known_numbers
from sixmax.studies.validate.config import SAMPLED
from sixmax.studies.validate.known_numbers import KnownNumber, name_of

_STYLE = {
    "cfr": (svg.BLUE, "o"),
    "cfr+": (svg.SKY, "s"),
    "linear": (svg.GREEN, "^"),
    "dcfr": (svg.PURPLE, "v"),
    "pcfr+": (svg.ORANGE, "*"),
    "mccfr": (svg.ORANGE, "D"),
    "blueprint": (svg.INK, "P"),
    "libratus": (svg.GREEN, "h"),
    "coarse": (svg.INK, "X"),
    "search1": (svg.ORANGE, "<"),
    "search4": (svg.PURPLE, ">"),
}
_OTHER = (svg.INK, "o")  # of a method that has no style of its own


def render(rows: list[KnownNumber], curves: list[dict[str, Any]]) -> str:
    """The page as HTML: a function of the table's ``rows`` and the ``curves`` alone."""
    parts = [
        _part([c for c in curves if name_of(c) == name], [r for r in rows if r.game == name])
        for name in dict.fromkeys(name_of(curve) for curve in curves)
    ]
    return template("pages/validation.html.j2").render(
        parts=parts, rows=rows, missed=[row for row in rows if not row.met], bound=_bound,
        digits=known_numbers.digits,
        methods=[m for m in ALL if any(curve["method"] == m for curve in curves)],
        titles={part["name"]: part["title"] for part in parts},
    )  # fmt: skip


def _bound(row: KnownNumber) -> str:
    """The distance allowed from the known value: ≤ 0.03 or ± 0.00005."""
    if row.low == 0:
        return f"≤ {words.score(row.high)}"
    return f"± {words.score((row.high - row.low) / 2, 2)}"


def _part(curves: list[dict[str, Any]], rows: list[KnownNumber]) -> dict[str, Any]:
    """One game on the page; ``quantity``: that by which it is judged; ``uniform``: untrained."""
    first, quantity = curves[0], judged_by(name_of(curves[0]))
    uniform = first["uniform"]["nash_conv"] / known_numbers.parts(quantity)
    return {
        "name": name_of(first), "quantity": quantity, "size": first["size"], "uniform": uniform,
        "title": f"{GAMES[first['game']].title}, {words.small(first['seats'])} players",
        "figure": convergence(curves, rows), "rows": rows,
        "sampled": [curve for curve in curves if curve["method"] in SAMPLED],
        "ends": known_numbers.last_scores(curves),
    }  # fmt: skip


def convergence(curves: list[dict[str, Any]], rows: list[KnownNumber]) -> str:
    """Every method on one game as an inline svg element; ``rows`` are the game's known numbers.

    Logarithmic both ways. A line is the mean over the seeds, the shade around it all of them; open
    circles are the numbers of others, with a bar where these are a range.
    """
    name, quantity = name_of(curves[0]), judged_by(name_of(curves[0]))
    half = known_numbers.parts(quantity)
    with svg.pyplot() as plt:
        figure, axes = plt.subplots(figsize=(14.2, 6.2))
        axes.set_xscale("log")
        axes.set_yscale("log")
        ends = [_line(axes, curve, half) for curve in curves]
        for row in rows:
            if row.quantity == quantity:
                _known(axes, row)
        untrained = curves[0]["uniform"]["nash_conv"] / half
        axes.axhline(untrained, color=svg.MUTED, lw=1.2, ls="--")
        least, last = axes.get_xlim()[0], max(x for x, _, _, _ in ends)
        axes.text(last, untrained * 1.12, "uniform strategy", color=svg.MUTED, ha="right")
        axes.set_xlim(least, last * 1.3)
        axes.set_ylim(top=untrained * 2)
        _name_ends(axes, ends)
        axes.xaxis.set_major_formatter(lambda value, _: words.count(value))
        axes.yaxis.set_major_formatter(lambda value, _: words.threshold(value))
        axes.minorticks_off()
        axes.set_xlabel("iterations")
        axes.set_title(f"{quantity[:1].upper()}{quantity[1:]}, chips a game")
        return svg.inline(plt, figure, name, f"{quantity} by method over iterations")


def _line(axes: Any, curve: dict[str, Any], half: int) -> tuple[float, float, str, str]:
    """Draw one method; where it ends, its name and colour."""
    colour, marker = _STYLE.get(curve["method"], _OTHER)
    runs = np.array([run["nash_conv"] for run in curve["runs"]]) / half
    x, y = curve["iterations"], runs.mean(axis=0)
    if len(runs) > 1:
        axes.fill_between(x, runs.min(axis=0), runs.max(axis=0), color=colour, alpha=0.18, lw=0)
    axes.plot(x, y, color=colour, marker=marker, ms=5)
    return x[-1], y[-1], words.method(curve["method"]), colour


def _known(axes: Any, row: KnownNumber) -> None:
    """The number of others: an open circle, or a bar with the range of their seeds."""
    if row.known == "–" or row.known.startswith("<"):
        return
    if "–" in row.known:
        low, high = (float(number) for number in row.known.split("–"))
        axes.plot([row.iterations] * 2, [low, high], color=svg.INK, lw=1.4, marker="_", ms=11)
    else:
        known = float(row.known.removeprefix("≈ "))
        axes.plot([row.iterations], [known], "o", ms=11, mfc="none", mec=svg.INK, mew=1.3)


def _name_ends(axes: Any, ends: list[tuple[float, float, str, str]]) -> None:
    """Each method beside the end of its line, moved apart where names would overlap."""
    low, high = np.log(axes.get_ylim())
    gap, taken = (high - low) * 0.05, []
    for x, y, name, colour in sorted(ends, key=lambda end: end[1]):
        at = np.log(y)
        while any(abs(at - height) < gap and abs(np.log(x / w)) < 3 for w, height in taken):
            at += gap / 4
        taken.append((x, at))
        axes.annotate(
            name, (x, y), (x * 1.12, np.exp(at)), color=colour, va="center", fontweight="bold",
            annotation_clip=False,
        )  # fmt: skip


def answers(
    curves: options.Files, out: options.Out, text: options.Text,
    page: Annotated[Path, options.Option("The page with table and curves.")],
) -> None:  # fmt: skip
    """Gather curves of small games beside the known answers.

    CURVES are files of `sixmax measure`. Missed bounds appear in the table like all others; `sixmax
    stage verdict` fails on them.
    """
    records = known_numbers.read_curves(curves)
    rows = known_numbers.rows(records)
    known_numbers.write_table(rows, out, text)
    write_text(page, render(rows, records))
