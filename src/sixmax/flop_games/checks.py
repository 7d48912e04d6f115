"""Checks of the tables of a paper: a claim, whether it holds, and the evidence."""

from pathlib import Path
from typing import Any

from sixmax.errors import UserError
from sixmax.store.records import keys, read

CHECKED = keys("the tables of a paper", "snakemake libratus or modicum", "checks")


def every(claim: str, excess: list[tuple[float, str]], allowed: float = 0.0) -> dict[str, Any]:
    """A claim about every cell: none exceeds ``allowed``; the worst is the evidence."""
    worst, words = max(_some(claim, excess))
    return {"name": claim, "passed": worst <= allowed, "evidence": f"at worst {words}"}


def somewhere(claim: str, excess: list[tuple[float, str]]) -> dict[str, Any]:
    """A claim about one cell at least: it is below 0; the best is the evidence."""
    best, words = min(_some(claim, excess))
    return {"name": claim, "passed": best < 0, "evidence": f"at best {words}"}


def _some(claim: str, excess: list[tuple[float, str]]) -> list[tuple[float, str]]:
    if not excess:
        raise UserError(f"{claim!r}: no cell to judge; measure one")
    return excess


def missed(path: Path) -> tuple[list[str], int]:
    """A line for each check of the tables in ``path`` that fails, and the number of all."""
    results = read(path, CHECKED)["checks"]
    lines = [f"{c['name']}: {c['evidence']}" for c in results if not c["passed"]]
    return lines, len(results)
