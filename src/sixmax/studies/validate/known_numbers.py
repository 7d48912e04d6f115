"""Measured beside known: a row and a check for each number."""

from pathlib import Path
from typing import Any, NamedTuple

from sixmax.base import options
from sixmax.base.files import write_text
from sixmax.games import GAMES
from sixmax.games.game import ALL, KnownAnswer, judged_by
from sixmax.store.records import read, write
from sixmax.studies.checks import CHECKED, check
from sixmax.studies.validate.config import CURVE

HEADS = (
    "game", "method", "iterations", "quantity", "measured", "known", "met when", "uniform", "met",
    "source",
)  # fmt: skip


class KnownNumber(NamedTuple):
    """One number that is known, and ours; chips a game.

    ``measured`` is the mean of the ``seeds`` runs, ``least`` and ``most`` are the extreme ones.
    """

    game: str
    method: str
    iterations: int
    quantity: str
    measured: float
    least: float
    most: float
    seeds: int
    known: str
    low: float
    high: float
    uniform: float  # score of the untrained strategy
    met: bool
    source: str


def name_of(curve: dict[str, Any]) -> str:
    """The game of a record of :func:`sixmax.studies.validate.stage.measure`: kuhn, kuhn3, …"""
    return curve["game"] if curve["seats"] == 2 else f"{curve['game']}{curve['seats']}"


def read_curves(files: list[Path]) -> list[dict[str, Any]]:
    """The records in ``files``, by game and method. Raises UserError for other files."""
    curves = [read(file, CURVE) for file in files]
    return sorted(curves, key=lambda c: (name_of(c), ALL.index(c["method"])))


def rows(curves: list[dict[str, Any]]) -> list[KnownNumber]:
    """A row for each known number that ``curves`` have an answer to, in the order of the games."""
    by_method = {(name_of(curve), curve["method"]): curve for curve in curves}
    untrained = {name_of(curve): curve for curve in curves}
    table = []
    for answer in (a for game in GAMES.values() for a in game.answers()):
        if answer.method == "uniform" and answer.game in untrained:
            curve = untrained[answer.game]
            table.append(_row(answer, curve, [_quantity(curve["uniform"], answer)]))
        curve = by_method.get((answer.game, answer.method))
        if curve and answer.iterations in curve["iterations"]:
            at = curve["iterations"].index(answer.iterations)
            runs = [{key: run[key][at] for key in run} for run in curve["runs"]]
            row = _row(answer, curve, [_quantity(run, answer) for run in runs])
            rival = by_method.get((answer.game, answer.below))
            if rival:
                bound = last_scores([rival])[0][2]
                row = row._replace(high=bound, met=row.measured < bound)
            if rival or not answer.below:
                table.append(row)
    return table


def parts(quantity: str) -> int:
    """NashConv in so many parts is ``quantity``: exploitability is a half of it."""
    return 2 if quantity == "exploitability" else 1


def _quantity(numbers: dict[str, float], answer: KnownAnswer) -> float:
    if answer.quantity == "value":
        return numbers["value"]
    return numbers["nash_conv"] / parts(answer.quantity)


def _row(answer: KnownAnswer, curve: dict[str, Any], numbers: list[float]) -> KnownNumber:
    mean = sum(numbers) / len(numbers)
    return KnownNumber(
        answer.game, answer.method, answer.iterations, answer.quantity, mean, min(numbers),
        max(numbers), len(numbers), answer.known, answer.low, answer.high,
        _quantity(curve["uniform"], answer), answer.low <= mean <= answer.high,
        answer.source,
    )  # fmt: skip


def last_scores(curves: list[dict[str, Any]]) -> list[tuple[dict[str, Any], str, float]]:
    """(curve, quantity, mean score after its last iteration) of every curve."""
    scores = []
    for curve in curves:
        quantity = judged_by(name_of(curve))
        ends = [run["nash_conv"][-1] for run in curve["runs"]]
        scores.append((curve, quantity, sum(ends) / len(ends) / parts(quantity)))
    return scores


def met_when(row: KnownNumber) -> str:
    """The bound in words."""
    return f"≤ {row.high:.3g}" if row.low == 0 else f"± {(row.high - row.low) / 2:.2g}"


def digits(row: KnownNumber) -> int:
    """The digits to show of a measured number: all that are known of the uniform strategy."""
    return 8 if row.method == "uniform" else 4


def cells(row: KnownNumber) -> list[str]:
    """A row as words, in the order of :data:`HEADS`."""
    measured = f"{row.measured:.{digits(row)}g}"
    spread = f" ({row.least:.3g}–{row.most:.3g})" if row.seeds > 1 else ""
    return [
        row.game, row.method, f"{row.iterations:,}", row.quantity, measured + spread,
        row.known, met_when(row), f"{row.uniform:.4g}", "yes" if row.met else "NO", row.source,
    ]  # fmt: skip


@options.stage
def write_table(answers: list[KnownNumber], out: Path, text: Path) -> None:
    """The rows and their checks as JSON, and as a table to read, which is Markdown too."""
    table = [list(HEADS), *(cells(row) for row in answers)]
    widths = [max(len(line[i]) for line in table) for i in range(len(HEADS))]
    table.insert(1, ["-" * width for width in widths])
    lines = [" | ".join(c.ljust(w) for c, w in zip(line, widths, strict=True)) for line in table]
    write_text(text, "".join(f"| {line} |\n" for line in lines))
    record = {"rows": [row._asdict() for row in answers], "checks": [_check(r) for r in answers]}
    write(out, CHECKED, {"unit": "chips a game", **record})


def _check(row: KnownNumber) -> dict[str, Any]:
    known = "" if row.low == 0 else f"{row.known} "
    evidence = (
        f"{row.quantity} {row.measured:.4g}, wanted {known}{met_when(row)} ({row.source}); "
        f"uniform: {row.uniform:.4g}"
    )
    return check(f"{row.game}, {row.method} after {row.iterations:,}", row.met, evidence)
