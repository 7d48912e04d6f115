"""The page about a run: its sections, drawn one by one and written in one step.

A new section is a function that gives its values, a template in `sections`, and a row of SECTIONS.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, NamedTuple

from markupsafe import Markup

from sixmax.base import options
from sixmax.base.files import write_json, write_text
from sixmax.base.progress import say
from sixmax.cards.deck import ROUNDS
from sixmax.report import checks
from sixmax.report.gather import Inputs, gather
from sixmax.report.sections import estimates, experiments, pluribus, ranges, training
from sixmax.report.template import template


class PageSection(NamedTuple):
    """A section: its template is ``sections/{name}.html.j2``.

    ``values`` gives those of the template beside the inputs, or None to leave the section out.
    """

    name: str
    title: str  # empty for none
    values: Callable[[Inputs], dict[str, Any] | None] = lambda inputs: {}


SECTIONS = (  # in the order of the page
    PageSection("ranges", "Ranges", ranges.context),
    PageSection("matches", "Matches", estimates.matches),
    PageSection("aivat", "", estimates.aivat),  # part of the matches
    PageSection("search", "Search", estimates.search),
    PageSection("training", "Over training", training.context),
    PageSection("experiments", "Experiments", experiments.context),
    PageSection("bounds", "", estimates.bounds),  # part of the experiments
    PageSection("pluribus", "Beside Pluribus", pluribus.context),
    PageSection(
        "measurements", "More measurements", lambda inputs: {} if inputs.measurements else None
    ),
    PageSection("abstraction", "Abstraction", lambda inputs: {} if inputs.rounds else None),
    PageSection("continuations", "Continuations"),
    PageSection("cost", "Cost"),
    PageSection("provenance", "Provenance", training.provenance),
)


def render(inputs: Inputs) -> str:
    """The page as HTML: a function of ``inputs`` alone."""
    game = inputs.settings["game"]
    shared = {
        "inputs": inputs, "game": game, "seats": len(game["stacks"]), "bb": inputs.big_blind,
        "bias": inputs.check["bias"], "last": inputs.history[-1],
        "protocol": inputs.matches["protocol"], "round_names": ROUNDS,
    }  # fmt: skip
    sections = []
    for name, title, values_of in SECTIONS:
        values = values_of(inputs)
        if values is not None:
            html = template(f"sections/{name}.html.j2").render(**shared, **values)
            sections.append({"id": name.replace("_", "-"), "title": title, "html": Markup(html)})
    results = checks.checks(inputs)
    return template().render(
        **shared, sections=sections, checks=results, outcome=checks.in_words(results),
        total_seconds=inputs.costs[-1].seconds,
    )  # fmt: skip


@options.stage
def make(
    folder: options.Unpacked,
    out: Annotated[Path, options.Option("The page to write.")],
    verdicts: Annotated[
        Path, options.Option("Its checks as a list: name, passed, evidence; JSON.", "--checks")
    ]
    | None = None,
) -> None:  # fmt: skip
    """Write one page about a run.

    \b
    sixmax report --run results/default --out report.html

    Raises UserError naming the file that is missing and the stage that makes it.
    """
    inputs = gather(folder)
    write_text(out, render(inputs))
    if verdicts is not None:
        write_json(verdicts, checks.as_values(checks.checks(inputs)))
    say(f"report: {out}")
