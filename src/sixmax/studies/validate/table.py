"""Measured beside known: a row for each number, and the bounds that are missed."""

from pathlib import Path
from typing import Any, NamedTuple

from sixmax.base import options
from sixmax.base.errors import UserError
from sixmax.base.files import write_text
from sixmax.base.stage import stage
from sixmax.games import GAMES
from sixmax.games.game import KnownAnswer, judged_by
from sixmax.store.records import Form, RecordKind, foreign, read, write
from sixmax.studies.judge import judge
from sixmax.studies.validate.config import METHODS
from sixmax.studies.validate.records import CURVE

_HEADS = ("game", "method", "iterations", "quantity", "measured", "known", "met when", "uniform")
HEADS = (*_HEADS, "met", "source")


class _TableForm(Form):
    rows: list[dict[str, Any]]


TABLE = RecordKind("a table of known answers", "sixmax stage answers", _TableForm)


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
    return sorted(curves, key=lambda c: (name_of(c), METHODS.index(c["method"])))


def rows(curves: list[dict[str, Any]]) -> list[KnownNumber]:
    """A row for each known number that ``curves`` have an answer to, in the order of the games."""
    by_method = {(name_of(curve), curve["method"]): curve for curve in curves}
    untrained = {name_of(curve): curve for curve in curves}
    table = []
    for answer in (a for game in GAMES.values() for a in game.answers()):
        if answer.method == "uniform" and answer.game in untrained:
            curve = untrained[answer.game]
            table.append(_row(answer, curve, [_quantity(curve["uniform"], answer, curve)]))
        curve = by_method.get((answer.game, answer.method))
        if curve and answer.iterations in curve["iterations"]:
            at = curve["iterations"].index(answer.iterations)
            runs = [{key: run[key][at] for key in run} for run in curve["runs"]]
            row = _row(answer, curve, [_quantity(run, answer, curve) for run in runs])
            rival = by_method.get((answer.game, answer.below))
            if rival:
                row = _below(row, last_scores([rival])[0][2])
            if rival or not answer.below:
                table.append(row)
    return table


def _below(row: KnownNumber, bound: float) -> KnownNumber:
    """``row`` with the score of another method as its bound."""
    return row._replace(high=bound, met=row.measured < bound)


def _quantity(numbers: dict[str, float], answer: KnownAnswer, curve: dict[str, Any]) -> float:
    if answer.quantity == "value":
        return numbers["value"]
    return numbers["nash_conv"] / (2 if answer.quantity == "exploitability" else 1)


def _row(answer: KnownAnswer, curve: dict[str, Any], numbers: list[float]) -> KnownNumber:
    mean = sum(numbers) / len(numbers)
    return KnownNumber(
        answer.game, answer.method, answer.iterations, answer.quantity, mean, min(numbers),
        max(numbers), len(numbers), answer.known, answer.low, answer.high,
        _quantity(curve["uniform"], answer, curve), answer.low <= mean <= answer.high,
        answer.source,
    )  # fmt: skip


def last_scores(curves: list[dict[str, Any]]) -> list[tuple[dict[str, Any], str, float]]:
    """(curve, quantity, mean score after its last iteration) of every curve."""
    scores = []
    for curve in curves:
        quantity = judged_by(name_of(curve))
        ends = [run["nash_conv"][-1] for run in curve["runs"]]
        half = 2 if quantity == "exploitability" else 1
        scores.append((curve, quantity, sum(ends) / len(ends) / half))
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


@stage
def write_table(answers: list[KnownNumber], out: Path, text: Path) -> None:
    """The rows as JSON, and as a table to read, which is Markdown too."""
    table = [list(HEADS), *(cells(row) for row in answers)]
    widths = [max(len(line[i]) for line in table) for i in range(len(HEADS))]
    table.insert(1, ["-" * width for width in widths])
    lines = [" | ".join(c.ljust(w) for c, w in zip(line, widths, strict=True)) for line in table]
    write_text(text, "".join(f"| {line} |\n" for line in lines))
    write(out, TABLE, {"unit": "chips a game", "rows": [row._asdict() for row in answers]})


def missed(table: Path) -> tuple[list[str], int]:
    """A line for each bound in the JSON ``table`` that is missed, and the number of all bounds.

    Raises UserError where ``table`` is none or has no bound: nothing measured is nothing met.
    """
    values = read(table, TABLE)
    try:
        answers = [KnownNumber(**row) for row in values["rows"]]
    except TypeError as error:
        raise foreign(table, TABLE, str(error)) from None
    if not answers:
        raise UserError(f"{table}: no row; wanted at least one game whose answer is known")
    return [_line(row) for row in answers if not row.met], len(answers)


def _line(row: KnownNumber) -> str:
    known = "" if row.low == 0 else f"{row.known} "
    return (
        f"{row.game}, {row.method} after {row.iterations:,}: {row.quantity} {row.measured:.4g}, "
        f"wanted {known}{met_when(row)} ({row.source}); uniform: {row.uniform:.4g}"
    )


def verdict(table: options.File) -> int:
    """Fail if a bound of the validation is missed.

    \b
    sixmax stage verdict results/validate/table.json
    """
    lines, bounds = missed(table)
    return judge(lines, f"validate: all {bounds} bounds are met")
