"""The gain of search over its own blueprint, and its cost: checks, a table, a figure."""

from typing import Any

from sixmax.report import words
from sixmax.report.forest import Forest, forest, tip
from sixmax.report.gather import ROUNDS, Inputs

TITLE = "Search"
SLOWEST = 20.0  # seconds a hand on two cores, on average: Pluribus played at that pace
_WHAT = {name: f"of it, on the {name}" for name in ROUNDS}
_PLAYED = "hands that were played, every deal from each seat"
_SCORED = "the same hands with less luck, by AIVAT"
_WHAT["all"] = "search in every round from the {first} on"


def context(inputs: Inputs) -> dict[str, Any] | None:
    """Values of the template; None where search was not measured."""
    if not inputs.search:
        return None
    gain, table = inputs.search.get("gain", {}), rows(inputs)
    return {
        "rows": table, "figure": figure(table),
        "more": gain.get("more", {}),  # the last iterate less the average
        "on_flops": on_flops(gain),
    }  # fmt: skip


def rows(inputs: Inputs) -> list[dict[str, Any]]:
    """The gain in expectation, whole and by round, then the win rate in played hands."""
    table = []
    if gain := inputs.search.get("gain"):
        for name, row in gain["gain"].items():
            what = _WHAT[name].format(first=ROUNDS[gain["first"]])
            table.append(row | {"name": what, "hands": gain["hands"]})
    if duel := inputs.search.get("duel"):
        table.append(duel | {"name": _PLAYED})
        if scored := duel.get("aivat"):
            table.append(scored | {"name": _SCORED, "hands": duel["hands"]})
    return table


def claims(inputs: Inputs) -> list[tuple[str, bool, str]]:
    """Claim, whether it is shown, evidence: as :class:`sixmax.report.checks.Check` wants them."""
    results = []
    if gain := inputs.search.get("gain"):
        row, copies = gain["gain"]["all"], words.copies(inputs.matches["protocol"]["seats"])
        each = gain["seconds"] / max(gain["searches"], 1)
        evidence = (
            f"{words.signed(row['mean'])} mbb/game in expectation over private hands, "
            f"{100 * row['level']:g} % interval {words.between(row['interval'])} "
            f"({words.count(gain['hands'])} hands{on_flops(gain)}, "
            f"{words.count(gain['searches'])} searches of "
            f"{each:.2f} s, {gain['setting']} setting)"
        )
        form = words.agent(gain["config"].get("blueprint", "blueprint"), 1)
        claim = f"Search beats {copies} of its own {form}"
        results.append((claim, row["interval"][0] > 0, evidence))
        results += _each_round(gain["gain"])
    if duel := inputs.search.get("duel"):
        pace = duel["seconds"] / duel["hands"]
        evidence = f"{pace:.2f} s a hand over {words.count(duel['hands'])} hands"
        claim = f"Search plays a hand in {SLOWEST:g} seconds on average"
        results.append((claim, pace <= SLOWEST, evidence))
    return results


def _each_round(gain: dict[str, Any]) -> list[tuple[str, bool, str]]:
    """The claim that no round loses, where there are several."""
    rounds = {name: row["interval"] for name, row in gain.items() if name != "all"}
    if len(rounds) < 2:
        return []
    parts = [
        f"{name} {words.signed(gain[name]['mean'])} ({words.between(interval)})"
        for name, interval in rounds.items()
    ]
    unharmed = all(high >= 0 for _, high in rounds.values())
    return [
        ("Search is not shown to lose in any round", unharmed, f"{words.listed(parts)} mbb/game")
    ]


def figure(rows: list[dict[str, Any]]) -> Forest:
    """Estimate and interval of the gain; of played hands, whose luck dwarfs it, only without it."""
    rows = [row for row in rows if row["name"] not in (_PLAYED, _SCORED)] or rows
    title = "The gain of search over its own blueprint"
    return forest(title, "mbb/game, 95 % interval", [row | {"tip": tip(row)} for row in rows])


def on_flops(gain: dict[str, Any]) -> str:
    """The flops that alone were played, and the buckets of each."""
    if "flops" not in gain:
        return ""
    buckets = gain["config"]["buckets"]
    words = f"{buckets} buckets a round" if buckets else "the blueprint's buckets"
    return f" on {len(gain['flops'])} flops with {words}"
