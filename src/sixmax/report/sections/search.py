"""The gain of search over its own blueprint, and its cost: checks, a table, a figure."""

from typing import Any, NamedTuple

from sixmax.report import words
from sixmax.report.forest import Estimate, Forest, forest
from sixmax.report.gather import ROUNDS, Inputs

TITLE = "Search"
SLOWEST = 20.0  # seconds a hand on two cores, on average: Pluribus played at that pace
_WHAT = {name: f"of it, on the {name}" for name in ROUNDS}
_PLAYED = "hands that were played, every deal from each seat"
_SCORED = "the same hands with less luck, by AIVAT"
_WHAT["all"] = "search in every round from the {first} on"


class GainRow(NamedTuple):
    """One figure, mbb/game."""

    name: str
    mean: float
    error: float
    interval: list[float]
    p: float
    hands: int
    sign: str  # above, below or across zero


def context(inputs: Inputs) -> dict[str, Any] | None:
    """Values of the template; None where search was not measured."""
    if not inputs.search:
        return None
    gain, table = inputs.search.get("gain", {}), rows(inputs)
    return {
        "rows": table, "figure": figure(table), "columns": columns(inputs),
        "more": gain.get("more", {}),  # the last iterate less the average
        "on_flops": on_flops(gain),
    }  # fmt: skip


def rows(inputs: Inputs) -> list[GainRow]:
    """The gain in expectation, whole and by round, then the win rate in played hands."""
    table = []
    if (gain := inputs.search.get("gain")) is not None:
        for name, row in gain["gain"].items():
            table.append(_row(_WHAT[name].format(first=ROUNDS[gain["first"]]), row, gain["hands"]))
    if (duel := inputs.search.get("duel")) is not None:
        table.append(_row(_PLAYED, duel, duel["hands"]))
        if (scored := duel.get("aivat")) is not None:
            table.append(_row(_SCORED, scored, duel["hands"]))
    return table


def columns(inputs: Inputs) -> list[tuple[str, float, float]]:
    """Name, mean and standard error of each column of AIVAT of the hands that were played."""
    scored = inputs.search.get("duel", {}).get("aivat", {"columns": {}})["columns"]
    return [(name, c["mean"], c["standard_error"]) for name, c in scored.items()]


def _row(name: str, row: dict[str, Any], hands: int) -> GainRow:
    return GainRow(
        name, row["mean"], row["standard_error"], row["interval"], row["p_one_tailed"], hands,
        words.side(row["interval"]),
    )  # fmt: skip


def claims(inputs: Inputs) -> list[tuple[str, bool, str]]:
    """Claim, whether it is shown, evidence: as :class:`sixmax.report.checks.Check` wants them."""
    results = []
    if (gain := inputs.search.get("gain")) is not None:
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
    if (duel := inputs.search.get("duel")) is not None:
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


def figure(rows: list[GainRow]) -> Forest:
    """Estimate and interval of the gain; of played hands, whose luck dwarfs it, only without it."""
    rows = [row for row in rows if row.name not in (_PLAYED, _SCORED)] or rows
    estimates = [Estimate(r.name, r.mean, r.interval, _tip(r)) for r in rows]
    title = "The gain of search over its own blueprint"
    return forest(title, "mbb/game, 95 % interval", estimates)


def _tip(row: GainRow) -> str:
    p = f"one-tailed {words.p_value(row.p)}"
    return f"SE {row.error:.1f}, {p}; {words.count(row.hands)} hands"


def on_flops(gain: dict[str, Any]) -> str:
    """The flops that alone were played, and the buckets of each."""
    if "flops" not in gain:
        return ""
    buckets = gain["config"]["buckets"]
    words = f"{buckets} buckets a round" if buckets else "the blueprint's buckets"
    return f" on {len(gain['flops'])} flops with {words}"
