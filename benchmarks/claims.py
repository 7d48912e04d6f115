"""The results of the README: measured by its own commands, kept, printed as a table.

    python -m benchmarks.claims           # measure again (two minutes), print, put into the README
    python -m benchmarks.claims --kept    # print what is kept

What takes longer than two minutes is read from records: the card of a packed run, the table of
`make bench`, the record of `benchmarks/machines.py`. No value is typed in.
"""

import datetime
import json
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import click

import sixmax as sx
from benchmarks import machines, table
from benchmarks.measure import short
from sixmax.base.files import write_json, write_text
from sixmax.blueprint.run import open_run
from sixmax.pack.card import card
from sixmax.report.words import between, count, signed

ROOT = Path(__file__).parents[1]
KEPT = Path(__file__).with_suffix(".json")
MARK = "claims"
SIX, TWO = "starter.sixmax", "hunl.sixmax"
SEATS = ("", "f", "f f", "f f f")  # the betting before the first four seats
KUHN = 'sx.solve(sx.games.kuhn(), method="cfr+", iterations=1000).exploitability'


class Claim(NamedTuple):
    """A row of the table.

    ``measure`` gives what is kept under ``name``; None where another record has it. ``value`` makes
    the text and the day of what is kept.
    """

    name: str
    claim: str
    command: str
    measure: Callable[[str], dict[str, Any]] | None
    value: Callable[[dict[str, Any]], tuple[str, str]]


def by_command(command: str) -> dict[str, Any]:
    """The result that ``command`` writes."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "out.json"
        start = [sys.executable, "-c", "from sixmax.cli import main; main()"]
        words = [*start, *command.split()[1:], "--out", str(out)]
        subprocess.run(words, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
        record = json.loads(out.read_text())
    result = record.get("as_dealt", record)  # of a local best response, which has two payoffs
    return {name: result[name] for name in ("mean", "interval", "hands")}


def _first_in(command: str) -> dict[str, Any]:
    run = sx.open(ROOT / SIX)
    folds = [run.at(betting).strategy().total[0] for betting in SEATS]
    return {"shares": [float(1 - fold) for fold in folds]}


def _solve_kuhn(command: str) -> dict[str, Any]:
    solved = sx.solve(sx.games.kuhn(), method="cfr+", iterations=1000)
    return {"exploitability": float(solved.exploitability)}


def measured(kept: dict[str, Any]) -> tuple[str, str]:
    """A mean with its interval and count."""
    ends = between(kept["interval"], 0)
    return f"{signed(kept['mean'], 0)} ({ends}), {count(kept['hands'])} hands", kept["day"]


def _raises(kept: dict[str, Any]) -> tuple[str, str]:
    return " / ".join(f"{100 * share:.1f}" for share in kept["shares"]) + " %", kept["day"]


def _kuhn(kept: dict[str, Any]) -> tuple[str, str]:
    return f"{kept['exploitability']:.2e} chips", kept["day"]


def _search(kept: dict[str, Any]) -> tuple[str, str]:
    told = card(open_run(ROOT / SIX), "starter")
    return measured(told["search"] | {"day": told["training"]["ended"]})


def _machines(kept: dict[str, Any]) -> tuple[str, str]:
    points = json.loads(machines.OUT.read_text())
    four = next(p for p in points if (p["game"], p["machines"], p["times"]) == ("default", 4, 1))
    (mean, *interval), _ = four["against 1 x 1"]
    return f"{signed(mean, 0)} ({between(interval, 0)})", four["day"]


def _speed(kept: dict[str, Any]) -> tuple[str, str]:
    record = table.Record(table.load(ROOT / table.PUBLISHED))
    line = record.line("traversal", "default, trained table, as configured, 2 cores")
    return f"{short(line.median)} a second ({line.spread})", line.when


def _match(name: str, players: str, claim: str, deals: int) -> Claim:
    run = {"six": SIX, "two": TWO}[players]
    command = f"sixmax match blueprint {name} --run {run} --deals {deals} --seed 1"
    return Claim(f"{name} of {players}", claim, command, by_command, measured)


CLAIMS = (
    _match("random", "six", "six players: blueprint among five of `random`", 400_000),
    _match("call", "six", "six players: blueprint among five of `call`", 400_000),
    _match("rule", "six", "six players: blueprint among five of `rule`", 400_000),
    Claim("search", "six players: gain of search", f"sixmax show {SIX}", None, _search),
    Claim("raises", "six players: first-in raises, UTG to button", f"sixmax strategy --run {SIX}",
          _first_in, _raises),
    Claim("machines", "six players: trained on four machines, among five of one",
          "python -m benchmarks.machines default --run results/default", None, _machines),
    _match("rule", "two", "two players: blueprint against `rule`", 500_000),
    Claim("bound", "two players: local best response (`fcpa`) against blueprint",
          f"sixmax lbr fcpa --run {TWO} --deals 2000 --seed 1", by_command, measured),
    Claim("kuhn", "Kuhn, CFR+: exploitability", KUHN, _solve_kuhn, _kuhn),
    Claim("speed", "training, two cores: decision nodes", "make bench", None, _speed),
)  # fmt: skip


def measure(claim: Claim) -> dict[str, Any]:
    """What ``claim`` is today, with the day."""
    return claim.measure(claim.command) | {"day": datetime.date.today().isoformat()}


def rows(kept: dict[str, Any]) -> list[tuple[str, str, str, str]]:
    """Claim, value, command and day of every row."""
    result = []
    for claim in CLAIMS:
        value, day = claim.value(kept.get(claim.name, {}))
        result.append((claim.claim, value, claim.command, day))
    return result


def markdown(kept: dict[str, Any]) -> str:
    lines = ["| claim | value | command | date |", "|---|---|---|---|"]
    for claim, value, command, day in rows(kept):
        lines.append(f"| {claim} | {value} | `{command}` | {day} |")
    return "\n".join(lines)


@click.command()
@click.option("--kept", "only", is_flag=True, help="Print what is kept; measure nothing.")
def main(only: bool) -> None:
    """Measure the results of the README, keep them, print them, put them into its table."""
    if not only:
        new = {claim.name: measure(claim) for claim in CLAIMS if claim.measure}
        write_json(KEPT, new)
        page = ROOT / "README.md"
        inside = markdown(new)
        write_text(page, table.between_marks(page.read_text(), MARK, inside))
    for row in rows(json.loads(KEPT.read_text())):
        click.echo("\n    ".join(row))


if __name__ == "__main__":
    main()
