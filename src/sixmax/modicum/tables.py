"""Figure 2 of the Modicum paper from the measured cells, and its checks."""

from pathlib import Path
from typing import Any

from sixmax.flop_games.checks import CHECKED, every, opened
from sixmax.modicum.config import REFERENCES, FigureConfig
from sixmax.modicum.stage import CELL
from sixmax.stage import stage
from sixmax.store.records import read, write

LEAST = 1.0  # mbb/hand: the equilibrium without the bet is below
NEAR = 1.25  # the last number of self-generated values, over the answer in the abstraction


@stage
def gather(config: FigureConfig, folder: Path, out: Path) -> dict[str, Any]:
    """Read the cells of ``config`` below ``folder``, and write figure and checks as JSON.

    Raises UserError for an open check that there is not.
    """
    cells = {name: read(folder / f"{name}.json", CELL) for name in config.cells()}
    rows = []
    for seed in config.seeds:
        known = cells[f"{seed}/in-abstraction"]
        lost = {
            name.split("/")[1]: cell["wins"] - known["value"]
            for name, cell in cells.items() if name.startswith(f"{seed}/")
        }  # fmt: skip
        rows.append({
            "seed": seed,
            "exploitability": lost,
            "value": known["value"],
            "bracket": [known["least"], known["wins"]],
            "equilibrium": cells[f"{seed}/translation"]["equilibrium"],
            "nodes": known["nodes"],
        })  # fmt: skip
    record = {
        "unit": "mbb/hand", "config": config.model_dump(mode="json"), "rows": rows,
        "checks": opened(checks(config, rows), config.open),
    }  # fmt: skip
    write(out, CHECKED, record)
    return record


def checks(config: FigureConfig, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The checks of the figure: name, passed and evidence of each."""
    below = [(r["equilibrium"] - LEAST, f"{r['equilibrium']:.2f} ({_at(r)})") for r in rows]
    name = f"The equilibrium without the bet is below {LEAST:g} mbb/hand"
    results = [every(name, below)]
    played = {maker: numbers for maker, numbers in config.values.items() if maker != "own"}
    for maker, numbers in played.items():
        one = [_beside(r, "translation", f"{maker}-{n}") for n in numbers if n == 1 for r in rows]
        more = [_beside(r, f"{maker}-{n}", "translation") for n in numbers if n > 1 for r in rows]
        if one:
            results.append(every(f"One value is worse than translation ({maker})", one))
        if more:
            results.append(every(f"Two values and more are better ({maker})", more))
    own = config.values.get("own", [])
    if len(own) > 1:
        fewer = [_beside(r, f"own-{own[-1]}", f"own-{own[0]}") for r in rows]
        results.append(every("More values of the bet's own leaves are better", fewer))
    most = f"self-{config.values['self'][-1]}" if "self" in config.values else ""
    if most:
        near = [
            (
                r["exploitability"][most] - NEAR * r["exploitability"]["in-abstraction"],
                f"{r['exploitability'][most]:.2f}, in the abstraction "
                f"{r['exploitability']['in-abstraction']:.2f} ({_at(r)})",
            )
            for r in rows
        ]  # fmt: skip
        share = round(100 * (NEAR - 1))
        results.append(every(f"{most} is within {share} % of the in-abstraction answer", near))
    return results


def _beside(row: dict[str, Any], less: str, more: str) -> tuple[float, str]:
    """The excess of ``less`` over ``more``, which it should be below."""
    low, high = (row["exploitability"][name] for name in (less, more))
    return low - high, f"{less} {low:.2f}, {more} {high:.2f} ({_at(row)})"


def _at(row: dict[str, Any]) -> str:
    return f"seed {row['seed']}"


def answers(config: dict[str, Any]) -> list[str]:
    """The answers of a figure's ``config``, in the order of its table."""
    return [*REFERENCES, *(f"{m}-{n}" for m, numbers in config["values"].items() for n in numbers)]
