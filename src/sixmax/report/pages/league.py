"""The page of a league: a table of win rates by entrant and opponent, and a figure of them."""

from pathlib import Path
from typing import Any

from sixmax.base import options
from sixmax.base.files import write_text
from sixmax.evaluation.match.league import gather
from sixmax.report import words
from sixmax.report.forest import Estimate, Forest, forest
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


def _figure(names: list[str], matches: dict[tuple[str, str], dict[str, Any]]) -> Forest:
    """Every match: estimate and interval, the matches of one entrant together."""
    pairs = [(a, b) for a in _ranked(names, matches) for b in names if (a, b) in matches]
    rows = [(f"{a} vs {b}", matches[a, b]) for a, b in pairs]
    estimates = [
        Estimate(name, row["mean"], row["interval"], f"SE {row['standard_error']:.1f}")
        for name, row in rows
    ]
    title = "Win rate of one against copies of another"
    return forest(title, "mbb/game, 95 % interval", estimates)


def league(
    results: options.Files, out: options.Out, text: options.Text, page: options.Page,
) -> None:  # fmt: skip
    """Gather the matches of several runs into a table and a page.

    \b
    sixmax stage league results/league/match/*.json --out table.json --text table.txt \\
        --page page.html
    """
    make(gather(results, out, text), page)
