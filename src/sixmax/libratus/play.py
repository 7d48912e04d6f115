"""Table S1's way: forms of play in the place of the blueprint, from the turn or the river on."""

from pathlib import Path
from typing import Any

from sixmax.evaluation.search_gain.merge import COST, GAIN, cost_file
from sixmax.store.records import read

FORMS = ("purified", "on-tree", "nested")  # from rules/search_gain.smk
ROUNDS = ("turn", "river")


def table(folder: Path) -> list[dict[str, Any]]:
    """A row for each form and round, from the results of `sixmax gain` in ``folder``.

    ``gain`` is of the searched rounds together, with interval and count, in mbb/game.
    """
    rows = []
    for form in FORMS:
        for name in ROUNDS:
            path = folder / f"{form}_{name}.json"
            result, cost = read(path, GAIN), read(cost_file(path), COST)
            rows.append({
                "form": form, "from": name, "gain": result["gain"], "hands": result["hands"],
                "searches": result["searches"], "seconds": cost["seconds"],
                "setting": result["setting"],
            })  # fmt: skip
    return rows
