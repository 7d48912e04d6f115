"""Results of matches together: read, checked, and written as a table to read."""

import re
from pathlib import Path
from typing import Annotated, Any

from sixmax.base import options
from sixmax.base.errors import UserError
from sixmax.base.files import write_json, write_text
from sixmax.base.options import argument
from sixmax.base.progress import say
from sixmax.evaluation.match.pairings import OPPONENT
from sixmax.evaluation.records import MATCHES
from sixmax.scores.statistics import RESULT, Protocol, Result, same_protocol
from sixmax.store.records import read, write

_SNAPSHOT = re.compile(r"snapshot-(\d+)")
HEAD = f"{'mbb/game':>9} {'SE':>7} {'95 % interval':>20} {'p':>8}"  # of :func:`columns`


@options.stage
def gather(
    files: Annotated[list[Path], argument("RESULTS...")],
    out: options.Out, text: options.Text,
) -> None:  # fmt: skip
    """Gather the results of matches into one table.

    RESULTS are files of `sixmax match`, or of `sixmax table`.

    \b
    sixmax stage matches results/default/evaluation/match/*.json --out table.json --text table.txt

    Raises UserError as :func:`read_together`.
    """
    shared, rows = read_together(files)
    own = ("mean", "standard_error", "level", "interval", "deals", "hands")
    over_training = [
        {"after_interval": int(snapshot[1]), **{key: row[key] for key in own}}
        for row in rows
        if (snapshot := _SNAPSHOT.fullmatch(row["a"])) and row["b"] == OPPONENT
    ]
    record = {
        "protocol": rows[0]["protocol"],
        "matches": [row for row in rows if not _SNAPSHOT.fullmatch(row["a"])],
        "over_training": {"opponent": OPPONENT, "snapshots": over_training},
    }
    write(out, MATCHES, record)
    _write_table(shared, rows, text)


@options.stage
def gather_league(files: list[Path], out: Path, text: Path) -> dict[str, Any]:
    """Write the results of a league in ``files`` as one table, and return its values.

    ``out`` is JSON, ``text`` is for people. Raises UserError as :func:`read_together`.
    """
    shared, rows = read_together(files)
    names = list(dict.fromkeys(name for row in rows for name in (row["a"], row["b"])))
    record = {"protocol": rows[0]["protocol"], "entrants": names, "matches": rows}
    write_json(out, record)
    _write_table(shared, rows, text)
    return record


def read_result(path: Path) -> Result:
    """The result of one match. Raises UserError where it is not one."""
    return Result.from_json(read(path, RESULT), str(path))


def read_together(files: list[Path]) -> tuple[Protocol, list[dict[str, Any]]]:
    """The protocol and the rows of the results in ``files``, as plain values.

    Raises UserError where they were not played by the same protocol, or a pairing occurs twice.
    """
    results = [read_result(file) for file in files]
    shared = same_protocol(results)
    each_once(files, results)
    return shared, [result.to_json() for result in results]


def each_once(files: list[Path], results: list[Result]) -> None:
    """Raise UserError where two of ``files`` hold results of the same agents.

    Results of two trainings, or of two seeds, would stand in one table without a word.
    """
    seen: dict[tuple[str, str], Path] = {}
    for file, result in zip(files, results, strict=True):
        if (first := seen.setdefault((result.a, result.b), file)) is not file:
            raise UserError(
                f"{result.a} vs {result.b} is in {first} and in {file}; wanted each pairing once"
            )


def columns(row: dict[str, Any]) -> str:
    """The figures of the result ``row``, under HEAD."""
    low, high = row["interval"]
    return (
        f"{row['mean']:+9.1f} {row['standard_error']:7.1f} "
        f"{f'{low:+.1f} to {high:+.1f}':>20} {row['p_one_tailed']:8.1e}"
    )


def _write_table(shared: Protocol, rows: list[dict[str, Any]], text: Path) -> None:
    """Write ``rows`` as aligned lines to ``text`` and the log, with the meaning of the numbers."""
    wide = max(24, *(len(row[name]) for row in rows for name in "ab"))
    lines = [
        f"{shared.unit}: thousandths of the big blind ({shared.big_blind} chips) a hand; "
        f"{shared.seats} seats",
        f"protocol: {shared.design}",
        f"payoff:   {shared.payoff}",
        f"sample:   {shared.sample}; 95 % intervals by Student's t; p: chance of a result this "
        "good if the true win rate were 0",
        "",
        f"{'agent':{wide}} {'against copies of':{wide}} {HEAD} {'deals':>10} {'hands':>11}",
    ]
    lines += [
        f"{row['a']:{wide}} {row['b']:{wide}} {columns(row)} {row['deals']:10,} {row['hands']:11,}"
        for row in rows
    ]
    lines = "\n".join(lines)
    write_text(text, lines + "\n")
    say(lines)
