"""The strategies among which players choose at leaves: their size and correctness."""

from typing import Any

from sixmax.report.gather import Inputs

TITLE = "Continuations"


def context(inputs: Inputs) -> dict[str, Any]:
    """Values of the template."""
    return {"size": inputs.check["size"]}
