"""Table S1: forms of play in the place of the blueprint, from the turn or the river on."""

from pathlib import Path
from typing import Any, NamedTuple

from sixmax.evaluation.records import GAIN
from sixmax.scores.job_parts import COST, cost_file
from sixmax.search.players import PLAYERS
from sixmax.store.records import read


class FormOfPlay(NamedTuple):
    """An agent of `sixmax gain`, and what it changes of the run's ``search`` section."""

    agent: str
    search: dict[str, Any]


ON_TREE = {"rounds": [], "bets": [], "player": PLAYERS["libratus-unshifted"]}
FORMS = {
    "purified": FormOfPlay("blueprint-purified", {}),
    "on-tree": FormOfPlay("search", ON_TREE),
    "nested": FormOfPlay("search", {}),
}
ROUNDS = {"turn": 2, "river": 3}
NAMES = [f"{form}_{name}" for form in FORMS for name in ROUNDS]  # of the results


def table(run: Path) -> list[dict[str, Any]]:
    """A row for each form and round, from the results of `sixmax gain` in the folder ``run``.

    ``gain`` is of each searched round, and of all, with interval, in mbb/game; ``seconds`` are
    those of a search on one core, None where there was none.
    """
    rows = []
    for name in NAMES:
        path = run / "evaluation" / "search" / "subgames" / f"{name}.json"
        result, cost = read(path, GAIN), read(cost_file(path), COST)
        form, _, first = name.partition("_")
        searched = result["searches"] if FORMS[form].agent == "search" else 0
        rows.append({
            "form": form, "from": first, "gain": result["gain"], "hands": result["hands"],
            "searches": searched, "seconds": cost["seconds"] / searched if searched else None,
            "setting": result["setting"],
        })  # fmt: skip
    return rows
