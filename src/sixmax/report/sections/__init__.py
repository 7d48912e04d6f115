"""The sections of a run's page, in its order.

A section has a title for the navigation, a function that gives the values of its template, and the
template ``{name}.html.j2`` of this folder. To add one, write both and a row of SECTIONS.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

from sixmax.report.gather import Inputs
from sixmax.report.sections import estimates, experiments, pluribus, ranges, training


class Section(NamedTuple):
    """``values`` gives those of the template beside the inputs; None leaves the section out."""

    name: str
    title: str  # empty for none
    values: Callable[[Inputs], dict[str, Any] | None] = lambda inputs: {}


SECTIONS = (
    Section("ranges", "Ranges", ranges.context),
    Section("matches", "Matches", estimates.matches),
    Section("aivat", "", estimates.aivat),  # part of the matches
    Section("search", "Search", estimates.search),
    Section("training", "Over training", training.context),
    Section("experiments", "Experiments", experiments.context),
    Section("bounds", "", estimates.bounds),  # part of the experiments
    Section("pluribus", "Beside Pluribus", pluribus.context),
    Section(
        "measurements", "More measurements", lambda inputs: {} if inputs.measurements else None
    ),
    Section("abstraction", "Abstraction", lambda inputs: {} if inputs.rounds else None),
    Section("continuations", "Continuations"),
    Section("cost", "Cost"),
    Section("provenance", "Provenance", training.provenance),
)
