"""Digests of a folder of results: every array, and every field of every JSON file.

Times, dates, versions, commits and digests of code are left out, and reports, whose words speak of
times.
"""

import hashlib
import json
from pathlib import Path
from typing import Any

VOLATILE = {"seconds", "threads", "version", "code", "date", "commit"}


def digests(folder: Path) -> dict[str, str]:
    """A digest by "tiny/blueprint/tree.zarr: node", and by "tiny/plan/plan.json: total"."""
    result = {}
    for meta in folder.rglob("*.zarr/zarr.json"):
        name = meta.parent.relative_to(folder).as_posix()
        arrays = json.loads(meta.read_text())["attributes"]["digests"]
        result |= {f"{name}: {array}": digest[:16] for array, digest in arrays.items()}
    for file in folder.rglob("*.json"):
        if ".zarr" not in str(file.parent) and file.parent.name != "report":
            values = json.loads(file.read_text())
            fields = values if isinstance(values, dict) else {"": values}
            name = file.relative_to(folder).as_posix()
            result |= {
                f"{name}: {field}": _fingerprint(value)
                for field, value in fields.items()
                if field not in VOLATILE
            }
    return dict(sorted(result.items()))


def differences(expected: dict[str, str], actual: dict[str, str]) -> list[str]:
    """A line for each array or field that is missing, changed, or was never recorded."""
    return [
        f"{name}: {_difference(name, expected, actual)}"
        for name in sorted(expected | actual)
        if actual.get(name) != expected.get(name)
    ]


def _difference(name: str, expected: dict[str, str], actual: dict[str, str]) -> str:
    if name not in actual:
        return "missing"
    return "changed" if name in expected else "not recorded"


def _fingerprint(value: Any) -> str:
    return hashlib.sha256(json.dumps(_kept(value), sort_keys=True).encode()).hexdigest()[:16]


def _kept(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _kept(each) for name, each in value.items() if name not in VOLATILE}
    return [_kept(each) for each in value] if isinstance(value, list) else value
