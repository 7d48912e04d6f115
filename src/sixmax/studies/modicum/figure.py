"""Figure 2 of the Modicum paper from the measured cells, and its checks."""

from pathlib import Path
from typing import Any

from sixmax.base import options
from sixmax.store import records
from sixmax.studies.checks import CHECKED, beside, every, opened
from sixmax.studies.modicum.config import FigureConfig, FigureGame, Kind
from sixmax.studies.modicum.stage import CELLS

LEAST = 1.0  # mbb/hand: the equilibrium without the bet is below
# The most self-generated values, over the answer in the abstraction: the paper's picture, and ours.
NEAR = (1.25, 2.0)


@options.stage
def gather(config: FigureConfig, folder: Path, out: Path) -> dict[str, Any]:
    """Read the cells of ``config`` below ``folder``, and write figure and checks as JSON.

    Raises UserError for an open check that there is not.
    """
    rows = [_row(name, each, folder / name) for name, each in config.games.items()]
    record = {
        "unit": "mbb/hand", "config": config.model_dump(mode="json"), "rows": rows,
        "checks": opened(checks(config, rows), config.open),
    }  # fmt: skip
    records.write(out, CHECKED, record)
    return record


def _row(name: str, game: FigureGame, folder: Path) -> dict[str, Any]:
    """The figure of a ``game``, from its cells in ``folder``."""
    files = {name: records.read(folder / f"{name}.json", CELLS) for name in game.files()}
    cells = {a: cell for each in files.values() for a, cell in each["answers"].items()}
    records.check(cells, records.keys(*CELLS[:2], *game.answers()), str(folder))
    known, of = cells["in-abstraction"], files["translation"]
    return {
        "game": name,
        "exploitability": {a: cells[a]["wins"] - known["value"] for a in game.answers()},
        "value": known["value"],
        "bracket": [known["least"], known["wins"]],
        **{key: of[key] for key in ("equilibrium", "nodes", "flops")},
    }


def checks(config: FigureConfig, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The checks of every game: name, passed and evidence of each.

    Another equilibrium of the same exploitability gives other numbers. So a difference between
    answers is shown where it is larger than the exploitability of the equilibrium without the bet:
    a rule of thumb, no bound.
    """
    return [
        check | {"name": f"{row['game']}: {check['name']}"}
        for row in rows
        for check in _of_game(config.games[row["game"]].values, row)
    ]


def _of_game(values: dict[Kind, list[int]], row: dict[str, Any]) -> list[dict[str, Any]]:
    lost, blur = row["exploitability"], row["equilibrium"]
    off = blur - LEAST, f"{blur:.2f}"
    results = [every(f"the equilibrium without the bet is below {LEAST:g} mbb/hand", [off])]
    for kind in ("self", "alone", "bias"):
        names = [f"{kind}-{n}" for n in values.get(kind, [])]
        one = [beside(lost, "translation", name, 2) for name in names if name == f"{kind}-1"]
        more = [beside(lost, name, "translation", 2) for name in names if name != f"{kind}-1"]
        if one:
            results.append(every(f"one value is worse than translation ({kind})", one, -blur))
        if more:
            results.append(every(f"two values and more are better ({kind})", more, -blur))
        if one and more and kind != "bias":
            fewer = [beside(lost, name, f"{kind}-1", 2) for name in names[1:]]
            results.append(every(f"two values and more are better than one ({kind})", fewer, -blur))
    own = values.get("own", [])
    if len(own) > 1:
        fewer = [beside(lost, f"own-{own[-1]}", f"own-{own[0]}", 2)]
        results.append(every("more values of the bet's own leaves are better", fewer, -blur))
    if "self" in values:
        most = f"self-{values['self'][-1]}"
        for times in NEAR:
            name = f"{most} loses at most {times:g} times as much as the in-abstraction answer"
            results.append(every(name, [beside(lost, most, "in-abstraction", 2, times=times)]))
    return results
