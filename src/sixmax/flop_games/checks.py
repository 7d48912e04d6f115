"""Checks of the tables of a paper: a claim, whether it holds, and the evidence."""

from pathlib import Path
from typing import Any

from sixmax.errors import UserError, one_of
from sixmax.store.records import keys, read

CHECKED = keys("the tables of a paper", "snakemake libratus or modicum", "checks")


def every(
    claim: str, excess: list[tuple[float, str]], allowed: float = 0.0, blur: float = 0.0
) -> dict[str, Any]:
    """A claim about every cell: none exceeds ``allowed``; the worst is the evidence.

    Where the worst is nearer to ``allowed`` than ``blur``, the error of the numbers, the claim is
    ``undecided``.
    """
    worst, words = max(_some(claim, excess))
    evidence = f"at worst {words}" if len(excess) > 1 else words
    undecided = abs(worst - allowed) < blur
    return {"name": claim, "passed": worst <= allowed, "undecided": undecided, "evidence": evidence}


def somewhere(claim: str, excess: list[tuple[float, str]]) -> dict[str, Any]:
    """A claim about one cell at least: it is below 0; the best is the evidence."""
    best, words = min(_some(claim, excess))
    return {"name": claim, "passed": best < 0, "evidence": f"at best {words}"}


def _some(claim: str, excess: list[tuple[float, str]]) -> list[tuple[float, str]]:
    if not excess:
        raise UserError(f"{claim!r}: no cell to judge; measure one")
    return excess


def opened(results: list[dict[str, Any]], names: list[str]) -> list[dict[str, Any]]:
    """``results`` of checks, with ``open`` where ``names`` has them: they are known to fail.

    Raises UserError for the name of no check.
    """
    known = [check["name"] for check in results]
    for name in names:
        if name not in known:
            raise UserError(f"open: {name!r} is no check; {one_of(name, known)}")
    return [check | {"open": check["name"] in names} for check in results]


def missed(path: Path) -> tuple[list[str], str]:
    """A line for each check of the tables in ``path`` that is not as expected; and all in words.

    An open check that holds is one of them, so that its name is taken away. An undecided one is as
    expected, open or not.
    """
    results, lines = read(path, CHECKED)["checks"], []
    undecided = [check for check in results if check.get("undecided")]
    decided = [check for check in results if not check.get("undecided")]
    for check in decided:
        if check["passed"] == check.get("open", False):
            now = "it holds now; take it out of `open` in the config"
            lines.append(f"{check['name']}: {now if check['passed'] else check['evidence']}")
    holding = sum(check["passed"] for check in decided)
    if holding == len(results):
        return lines, f"all {holding} checks hold"
    count = f"{holding} of {len(results)} checks hold"
    if undecided:
        count += f"; undecided: {_words(undecided)}"
    if failing := [check for check in decided if check.get("open")]:
        count += f"; these do not, as known: {_words(failing)}"
    return lines, count


def _words(results: list[dict[str, Any]]) -> str:
    return "; ".join(f"{check['name']}: {check['evidence']}" for check in results)
