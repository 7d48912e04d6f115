"""One page about a run: gathered, drawn, put into the template, written in one step."""

import base64
from pathlib import Path

from sixmax.files import write_text
from sixmax.report import bounds, checks, search, tables
from sixmax.report.charts import CELL, charts
from sixmax.report.gather import ROUNDS, Inputs, gather
from sixmax.report.template import template


def render(inputs: Inputs) -> str:
    """The page as HTML: a function of ``inputs`` alone."""
    from markupsafe import Markup

    from sixmax.report import aivat, experiments, pluribus
    from sixmax.report.figures import figures

    held = inputs.pluribus
    held_figures = pluribus.figures(held) if held else {}
    found, costs = checks.checks(inputs), tables.costs(inputs)
    return template().render(
        inputs=inputs,
        round_names=ROUNDS,
        checks=found,
        outcome=checks.in_words(found),
        charts=charts(inputs.first_in, inputs.big_blind),
        cell=CELL,
        held_figures={name: Markup(svg) for name, svg in held_figures.items()},
        held_rows=pluribus.rows(held) if held else [],
        held_never=pluribus.never(held) if held else {},
        held_search=pluribus.differences(held) if held else {},
        figures={
            name: Markup(svg)
            for name, svg in (figures(inputs) | experiments.courses(inputs)).items()
        },
        experiments=experiments.shown(inputs),
        edge=experiments.EDGE,
        matches=tables.matches(inputs),
        aivat=aivat.rows(inputs),
        aivat_columns=aivat.COLUMNS,
        over_training=tables.over_training(inputs),
        search=search.rows(inputs),
        bounds=bounds.rows(inputs),
        search_columns=search.columns(inputs),
        totals=tables.totals(inputs),
        costs=costs,
        total_cost=tables.total_cost(costs),
        settings=tables.settings(inputs),
        pictures=[base64.b64encode(r.picture).decode() for r in inputs.rounds],
    )


def make(folder: Path, out: Path) -> None:
    """Stage ``report``: write the page about the run in ``folder``.

    Raises UserError naming the file that is missing and the stage that makes it.
    """
    html = render(gather(folder))
    write_text(out, html)
