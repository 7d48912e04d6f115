"""The settings, versions and digests that the training is a function of."""

import json
from collections.abc import Iterator
from typing import Any

from sixmax.report.gather import Inputs

TITLE = "Provenance"


def context(inputs: Inputs) -> dict[str, Any]:
    """Values of the template."""
    return {"settings": settings(inputs)}


def settings(inputs: Inputs) -> list[tuple[str, list[tuple[str, str]]]]:
    """The settings that the training is a function of: (section, [(key, value)])."""
    loose, sections = [], []
    for key, value in inputs.settings.items():
        if isinstance(value, dict):
            sections.append((key, list(_flat(value, ""))))
        else:
            loose.append((key, json.dumps(value)))
    return [("run", loose), *sections]


def _flat(values: dict[str, Any], before: str) -> Iterator[tuple[str, str]]:
    for key, value in values.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{before}{key}.")
        elif isinstance(value, list) and value and isinstance(value[0], dict):
            for i, item in enumerate(value):
                yield f"{before}{key}[{i}]", json.dumps(item)[1:-1].replace('"', "")
        else:
            yield f"{before}{key}", value if isinstance(value, str) else json.dumps(value)
