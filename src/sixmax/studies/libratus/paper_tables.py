"""The Libratus tables from all measured cells, and their checks."""

from pathlib import Path
from typing import Any, NamedTuple

from sixmax.base import options
from sixmax.evaluation.records import GAIN
from sixmax.scores.job_parts import COST, cost_file
from sixmax.search.players import PLAYERS
from sixmax.store.records import read, write
from sixmax.studies import examples
from sixmax.studies.checks import CHECKED, beside, check, every, somewhere
from sixmax.studies.libratus.config import ANSWERED, OFF_TREE, TablesConfig
from sixmax.studies.libratus.stage import CELL
from sixmax.studies.libratus.subgames import ANSWERS, BOUNDED

# Tables 1 and 2 of the paper, mbb/hand: none, unsafe, safe; translation, unsafe, safe.
PRINTED = {"small": (91.3, 5.51, 22.6), "large": (41.3, 397.0, 9.84), OFF_TREE: (1465, 148, 119)}
COIN_LOSS, COIN_SLACK = 0.25, 5e-4  # chips; by unsafe solving
LEAST_RATIO = 5.0  # translation over nested solving; the paper: 12


class FormOfPlay(NamedTuple):
    """An agent of `sixmax gain`, and what it changes of the run's ``search`` section."""

    agent: str
    search: dict[str, Any]


# Table S1, by the paper's player: play in the place of the blueprint, from turn or river on.
ON_TREE = {"rounds": [], "bets": [], "player": PLAYERS["libratus-unshifted"]}
FORMS = {
    "purified": FormOfPlay("blueprint-purified", {}),
    "on-tree": FormOfPlay("search", ON_TREE),
    "nested": FormOfPlay("search", {"player": PLAYERS["libratus-believing"]}),
}
ROUNDS = {"turn": 2, "river": 3}
NAMES = [f"{form}_{name}" for form in FORMS for name in ROUNDS]  # of the results


@options.stage
def gather(
    config: TablesConfig, folder: Path, out: Path, run: Path | None = None
) -> dict[str, Any]:
    """Read the cells of ``config`` below ``folder``, and write tables and checks as JSON.

    Table S1 is of ``run``, results/{run}; None: that table is not measured.
    """
    cells = {name: read(folder / f"{name}.json", CELL)["exploitability"] for name in config.cells()}
    table1 = [
        {
            "game": name, "seed": seed, "buckets": buckets,
            "exploitability": {
                technique: cells[f"{name}/{seed}/{buckets}/{technique}"]
                for technique in config.solved
            },
        }
        for name, seed, buckets in config.blueprints()
    ]  # fmt: skip
    table2 = [
        {"seed": seed, "exploitability": {a: cells[f"{OFF_TREE}/{seed}/0/{a}"] for a in ANSWERED}}
        for seed in config.off_tree.seeds
    ]
    coin, play_table = examples.guesses(), table_s1(run) if run else []
    record = {
        "unit": "mbb/hand", "config": config.model_dump(mode="json"), "printed": PRINTED,
        "table1": table1, "table2": table2, "table_s1": play_table, "run": run.name if run else "",
        "coin_toss": coin,
        "checks": checks(table1, table2) + _coin_checks(coin) + _play_checks(play_table),
    }  # fmt: skip
    write(out, CHECKED, record)
    return record


def table_s1(run: Path) -> list[dict[str, Any]]:
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


def checks(table1: list[dict[str, Any]], table2: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The checks of the tables: name, passed and evidence of each."""
    safe, below, above = [], [], []
    for row in table1:
        at = f" ({row['game']}, {row['buckets']:,} buckets, seed {row['seed']})"
        lost = row["exploitability"]
        bounded = {name: lost[name] for name in BOUNDED if name in lost}
        safe += [beside(lost, name, "none", 1, at) for name in bounded]
        below.append(beside(lost | {"safe": min(bounded.values())}, "unsafe", "safe", 1, at))
        gain, words = beside(lost, "unsafe", "none", 1, at)
        above.append((-gain, words))
    results = [
        # The guarantee is of exact solutions: the tables of the config have iterations enough.
        every("Safe solving with bounds is never worse than no solving", safe),
        somewhere("Unsafe solving is below safe solving somewhere", below),
        somewhere("Unsafe solving is above no solving somewhere", above),
    ]
    for name in (a for a in ANSWERS if a != "translation"):
        ratios = [
            (LEAST_RATIO - r["translation"] / r[name], f"{r['translation']:.0f} / {r[name]:.1f}")
            for r in (row["exploitability"] for row in table2)
        ]
        bound = f"1/{LEAST_RATIO:g} of the loss of translation"
        claim = f"Nested solving ({name}) loses at most {bound}"
        results.append(every(claim, ratios))
    return results


def _coin_checks(coin: dict[str, dict[str, float]]) -> list[dict[str, Any]]:
    """Unsafe solving loses a quarter of a chip, safe solving nothing."""
    lost = {name: (row["loss"], f"{name} {row['loss']:.4f}") for name, row in coin.items()}
    loss, words = lost.pop("unsafe")
    return [
        every("Coin toss: unsafe solving loses .25", [(abs(loss - COIN_LOSS), words)], COIN_SLACK),
        every("Coin toss: safe solving loses nothing", list(lost.values()), COIN_SLACK),
    ]


def _play_checks(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Nested solving wins over the blueprint on turn and river: intervals above zero.

    Of the turn its own part counts, not that of the rivers that follow.
    """
    results = []
    for row in (row for row in rows if row["form"] == "nested"):
        gain = row["gain"][row["from"]]
        low, high = gain["interval"]
        claim = f"Nested solving on the {row['from']} wins over the blueprint"
        won = f"{gain['mean']:+.1f} ({low:+.1f} to {high:+.1f}) mbb/game, {row['hands']:,} hands"
        results.append(check(claim, low > 0, won))
    return results
