"""The sections of a run's page: a function and a template each.

A new one is a function that gives its values, a template here, and a row of SECTIONS.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

from sixmax.report.gather import Inputs
from sixmax.report.sections import estimates, experiments, pluribus, ranges, training


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
