"""The buckets of each round: their sizes, their tightness, and pictures."""

import base64
from typing import Any

from sixmax.report.gather import Inputs

TITLE = "Abstraction"


def context(inputs: Inputs) -> dict[str, Any] | None:
    """Values of the template; None in the small games, whose buckets are given."""
    if not inputs.rounds:
        return None
    return {"pictures": [base64.b64encode(r.picture).decode() for r in inputs.rounds]}
