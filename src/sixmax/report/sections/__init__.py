"""The sections of a run's page, in its order.

A section is a module of this folder and the template of the same name. The module has a ``TITLE``
for the navigation (empty for none) and ``context(inputs)``, the values of its template; None leaves
the section out. To add one, write both files and put the module into SECTIONS. A template that
needs no more than the inputs of the page has no module, but a line here.
"""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

from sixmax.report.gather import Inputs
from sixmax.report.sections import (
    aivat,
    bounds,
    cost,
    experiments,
    matches,
    pluribus,
    provenance,
    ranges,
    search,
    training,
)


def _plain(name: str, title: str, wanted: Callable[[Inputs], Any]) -> SimpleNamespace:
    """A section without a module."""
    return SimpleNamespace(
        __name__=name, TITLE=title, context=lambda inputs: {} if wanted(inputs) else None
    )


abstraction = _plain("abstraction", "Abstraction", lambda inputs: inputs.rounds)
continuations = _plain("continuations", "Continuations", lambda inputs: True)
measurements = _plain("measurements", "More measurements", lambda inputs: inputs.measurements)
SECTIONS = (
    ranges, matches, aivat, search, training, experiments, bounds, pluribus, measurements,
    abstraction, continuations, cost, provenance,
)  # fmt: skip
