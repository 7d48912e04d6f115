"""Checks of a study's tables: a claim, whether it holds, and the evidence; their verdict."""

import sys
from pathlib import Path
from typing import Any

from sixmax.base import options
from sixmax.base.errors import UserError, one_of
from sixmax.store.records import keys, read

CHECKED = keys("the tables of a study", "snakemake validate, libratus or modicum", "checks")


def beside(
    lost: dict[str, float], less: str, more: str, digits: int, at: str = "", times: float = 1.0
) -> tuple[float, str]:
    """The excess of ``less`` over ``times`` ``more``, its wanted bound; and both in words.

    ``at`` says in words of which cell the numbers in ``lost`` are.
    """
    low, high = lost[less], lost[more]
    return low - times * high, f"{less} {low:.{digits}f}, {more} {high:.{digits}f}{at}"


def check(claim: str, shown: bool, evidence: str) -> dict[str, Any]:
    """A claim as plain values: name, passed and evidence."""
    return {"name": claim, "passed": bool(shown), "evidence": evidence}


def every(claim: str, excess: list[tuple[float, str]], allowed: float = 0.0) -> dict[str, Any]:
    """A claim about every cell: none exceeds ``allowed``; the worst is the evidence."""
    worst, words = max(_some(claim, excess))
    return check(claim, worst <= allowed, f"at worst {words}" if len(excess) > 1 else words)


def somewhere(claim: str, excess: list[tuple[float, str]]) -> dict[str, Any]:
    """A claim about one cell at least: it is below 0; the best is the evidence."""
    best, words = min(_some(claim, excess))
    return check(claim, best < 0, f"at best {words}")


def _some(claim: str, excess: list[tuple[float, str]]) -> list[tuple[float, str]]:
    if not excess:
        raise UserError(f"{claim!r}: no cell to judge; measure one")
    return excess


def opened(results: list[dict[str, Any]], names: list[str]) -> list[dict[str, Any]]:
    """``results`` of checks, with ``open`` where ``names`` has them: known to fail.

    Raises UserError for the name of no check.
    """
    known = [each["name"] for each in results]
    for name in names:
        if name not in known:
            raise UserError(f"open: {name!r} is no check; {one_of(name, known)}")
    return [each | {"open": each["name"] in names} for each in results]


def missed(path: Path) -> tuple[list[str], str]:
    """A line for each check of the tables in ``path`` that is not as expected; and all in words.

    An open check that holds is one of them, so that its name is taken away. Raises UserError where
    there is no check: nothing measured is nothing met.
    """
    results, lines = read(path, CHECKED)["checks"], []
    if not results:
        raise UserError(f"{path}: no check; wanted one result at least whose answer is known")
    still_open = [each for each in results if each.get("open")]
    for each in results:
        if each["passed"] == each.get("open", False):
            now = "it holds now; take it out of `open` in the config"
            lines.append(f"{each['name']}: {now if each['passed'] else each['evidence']}")
    count = f"all {len(results)} checks hold"
    if still_open:
        number = sum(each["passed"] for each in results)
        names = "; ".join(f"{each['name']}: {each['evidence']}" for each in still_open)
        count = f"{number} of {len(results)} checks hold; not shown, as known: {names}"
    return lines, count


def verdict(tables: options.File) -> int:
    """Fail if a check of a study does not hold.

    Checks that the config calls open are known to fail: one of them that holds is printed too.

    TABLES is the table.json of `snakemake validate`, or the tables.json of `snakemake libratus` or
    `snakemake modicum`: their last step.

    \b
    sixmax stage verdict results/libratus/tables.json
    """
    lines, count = missed(tables)
    for line in lines:
        print(f"missed: {line}", file=sys.stderr)
    if not lines:
        print(f"{tables.absolute().parent.name}: {count}")
    return int(bool(lines))
