"""The page of a league: a table of win rates by entrant and opponent, and a figure of them."""

from typing import Any

from sixmax.base import options
from sixmax.base.files import write_text
from sixmax.evaluation.match.results import gather_league
from sixmax.report.forest import forest, tip
from sixmax.report.template import template


def render(record: dict[str, Any]) -> str:
    """The page of ``record`` (:func:`sixmax.evaluation.match.results.gather_league`) as HTML."""
    matches = {(row["a"], row["b"]): row for row in record["matches"]}
    names = _ranked(record["entrants"], matches)
    rows = [
        matches[a, b] | {"name": f"{a} vs {b}", "tip": tip(matches[a, b])}
        for a in names
        for b in record["entrants"]
        if (a, b) in matches
    ]
    return template("pages/league.html.j2").render(
        protocol=record["protocol"],
        names=names,
        matches=matches,
        figure=forest("Win rate of one against copies of another", "mbb/game, 95 % interval", rows),
    )


def _ranked(names: list[str], matches: dict[tuple[str, str], dict[str, Any]]) -> list[str]:
    """The best first, by its mean over those it was played against."""

    def mean(name: str) -> float:
        own = [row["mean"] for (a, _), row in matches.items() if a == name]
        return sum(own) / max(len(own), 1)

    return sorted(names, key=mean, reverse=True)


def league(
    results: options.Files, out: options.Out, text: options.Text, page: options.Page,
) -> None:  # fmt: skip
    """Gather the matches of several runs into a table and a page.

    RESULTS are files of `sixmax match --against`.

    \b
    sixmax stage league results/league/match/*.json --out table.json --text table.txt \\
        --page page.html
    """
    write_text(page, render(gather_league(results, out, text)))
