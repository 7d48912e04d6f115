"""The tables of all measured cells, and their checks."""

from pathlib import Path
from typing import Any

from sixmax.base.stage import stage
from sixmax.store.records import read, write
from sixmax.studies.flop_games.checks import CHECKED, every, somewhere
from sixmax.studies.libratus import coin_toss, play
from sixmax.studies.libratus.config import OFF_TREE, TablesConfig
from sixmax.studies.libratus.off_tree import ANSWERS
from sixmax.studies.libratus.stage import CELL
from sixmax.studies.libratus.subgames import BOUNDED

# Tables 1 and 2 of the paper, mbb/hand: none, unsafe, safe; translation, unsafe, safe.
PRINTED = {"small": (91.3, 5.51, 22.6), "large": (41.3, 397.0, 9.84), OFF_TREE: (1465, 148, 119)}
COIN_LOSS, COIN_SLACK = 0.25, 5e-4  # chips; by unsafe solving
LEAST_RATIO = 5.0  # translation over nested solving; the paper: 12


@stage
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
                for technique in ("none", *config.techniques)
            },
        }
        for name, game in config.games.items() for seed in game.seeds for buckets in game.buckets
    ]  # fmt: skip
    table2 = [
        {
            "seed": seed,
            "exploitability": {a: cells[f"{OFF_TREE}/{seed}/0/{a}"] for a in ("none", *ANSWERS)},
        }
        for seed in config.off_tree.seeds
    ]
    coin, play_table = coin_toss.table(), play.table(run) if run else []
    record = {
        "unit": "mbb/hand", "config": config.model_dump(mode="json"), "printed": PRINTED,
        "table1": table1, "table2": table2, "table_s1": play_table, "run": run.name if run else "",
        "coin_toss": coin,
        "checks": checks(table1, table2) + _coin_checks(coin) + _play_checks(play_table),
    }  # fmt: skip
    write(out, CHECKED, record)
    return record


def checks(table1: list[dict[str, Any]], table2: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The checks of the tables: name, passed and evidence of each."""
    rows = [(f"{r['game']}, {r['buckets']:,} buckets, seed {r['seed']}", r["exploitability"])
            for r in table1]  # fmt: skip
    safe = [
        (row[name] - row["none"], f"{name} {row[name]:.1f}, none {row['none']:.1f} ({at})")
        for at, row in rows for name in BOUNDED if name in row
    ]  # fmt: skip
    # The guarantee is of exact solutions: the tables of the config have iterations enough.
    results = [every("Safe solving with bounds is never worse than no solving", safe)]
    unsafe = [(at, row) for at, row in rows if "unsafe" in row]
    below = []
    for at, row in unsafe:
        if safest := [row[name] for name in BOUNDED if name in row]:
            words = f"unsafe {row['unsafe']:.1f}, safe {min(safest):.1f} ({at})"
            below.append((row["unsafe"] - min(safest), words))
    above = [
        (row["none"] - row["unsafe"], f"unsafe {row['unsafe']:.1f}, none {row['none']:.1f} ({at})")
        for at, row in unsafe
    ]
    results.append(somewhere("Unsafe solving is below safe solving somewhere", below))
    results.append(somewhere("Unsafe solving is above no solving somewhere", above))
    for name in (a for a in ANSWERS if a != "translation"):
        ratios = [
            (LEAST_RATIO - r["translation"] / r[name], f"{r['translation']:.0f} / {r[name]:.1f}")
            for r in (row["exploitability"] for row in table2)
        ]
        claim = (
            f"Nested solving ({name}) loses at most 1/{LEAST_RATIO:g} of the loss of translation"
        )
        results.append(every(claim, ratios, 0.0))
    return results


def _coin_checks(coin: dict[str, dict[str, float]]) -> list[dict[str, Any]]:
    """Unsafe solving loses a quarter of a chip, safe solving nothing."""
    unsafe = coin["unsafe"]["loss"]
    safe = [(row["loss"], f"{name} {row['loss']:.4f}") for name, row in coin.items()
            if name != "unsafe"]  # fmt: skip
    off = (abs(unsafe - COIN_LOSS), f"unsafe {unsafe:.4f}")
    return [
        every("Coin toss: unsafe solving loses .25", [off], COIN_SLACK),
        every("Coin toss: safe solving loses nothing", safe, COIN_SLACK),
    ]


def _play_checks(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Nested solving wins over the blueprint on turn and river: intervals above zero.

    Of the turn its own part counts, not that of the rivers that follow.
    """
    results = []
    for row in rows:
        if row["form"] == "nested":
            name = row["from"]
            low, high = row["gain"][name]["interval"]
            words = f"{row['gain'][name]['mean']:+.1f} ({low:+.1f} to {high:+.1f}) mbb/game"
            claim = f"Nested solving on the {name} wins over the blueprint"
            evidence = f"{words}, {row['hands']:,} hands"
            results.append({"name": claim, "passed": low > 0, "evidence": evidence})
    return results
