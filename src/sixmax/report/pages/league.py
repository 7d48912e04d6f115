"""The page of a league: a table of win rates by entrant and opponent, and a figure of them."""

from pathlib import Path
from typing import Any

from sixmax.files import write_text
from sixmax.report import svg, words
from sixmax.report.template import template


def make(record: dict[str, Any], out: Path) -> None:
    """Write the page of ``record`` (:func:`sixmax.evaluation.match.league.gather`)."""
    write_text(out, render(record))


def render(record: dict[str, Any]) -> str:
    """The page as HTML: a function of the ``record`` alone."""
    matches = {(row["a"], row["b"]): row for row in record["matches"]}
    return template("pages/league.html.j2").render(
        protocol=record["protocol"],
        names=_ranked(record["entrants"], matches),
        matches=matches,
        side=words.side,
        figure=_figure(record["entrants"], matches),
    )


def _ranked(names: list[str], matches: dict[tuple[str, str], dict[str, Any]]) -> list[str]:
    """The best first, by its mean over those it was played against."""

    def mean(name: str) -> float:
        own = [row["mean"] for (a, _), row in matches.items() if a == name]
        return sum(own) / max(len(own), 1)

    return sorted(names, key=mean, reverse=True)


def _figure(names: list[str], matches: dict[tuple[str, str], dict[str, Any]]) -> str:
    """Every match: estimate and interval, the matches of one entrant together."""
    rows = [matches[a, b] for a in _ranked(names, matches) for b in names if (a, b) in matches]
    with svg.pyplot() as plt:
        figure, axes = plt.subplots(figsize=(14.2, 1.5 + 0.42 * len(rows)), layout="constrained")
        axes.axvline(0, color=svg.MUTED, lw=1.2)
        for i, row in enumerate(rows):
            svg.estimate(axes, i, row["mean"], row["interval"])
        axes.set_yticks(range(len(rows)), [f"{row['a']} vs {row['b']}" for row in rows])
        axes.set_ylim(len(rows) - 0.4, -0.6)
        axes.grid(visible=False, axis="y")
        axes.set_xlabel("mbb/game, 95 % interval")
        axes.set_title("Win rate of one against copies of another")
        return svg.inline(plt, figure, "league", "Win rate with interval in every match")
