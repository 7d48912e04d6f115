"""The sections of a run's page, in its order.

A section is a module of this folder and the template of the same name. The module has a ``TITLE``
for the navigation (empty for none) and ``context(inputs)``, the values of its template; None leaves
the section out. To add one, write both files and put the module into SECTIONS.
"""

from types import SimpleNamespace

from sixmax.report.sections import (
    abstraction,
    aivat,
    bounds,
    cost,
    experiments,
    matches,
    measurements,
    pluribus,
    provenance,
    ranges,
    search,
    training,
)

# A template that needs no more than the inputs of the page.
continuations = SimpleNamespace(
    __name__="continuations", TITLE="Continuations", context=lambda inputs: {}
)
SECTIONS = (
    ranges, matches, aivat, search, training, experiments, bounds, pluribus, measurements,
    abstraction, continuations, cost, provenance,
)  # fmt: skip
