"""Sections of results with intervals: each a table, and a picture of its rows."""

import math
from typing import Any

from sixmax.agents.registry import snapshot_name
from sixmax.evaluation.aivat.scored_match import COLUMNS
from sixmax.evaluation.match.pairings import BOUNDS
from sixmax.report import words
from sixmax.report.forest import forest, tip
from sixmax.report.gather import ROUNDS, Inputs
from sixmax.report.template import explore

_UNIT = "mbb/game, 95 % interval"
_WHAT = {name: f"of it, on the {name}" for name in ROUNDS}
_WHAT["all"] = "search in every round from the {first} on"
_PLAYED = "hands that were played, every deal from each seat"
_SCORED = "the same hands with less luck, by AIVAT"


def matches(inputs: Inputs) -> dict[str, Any]:
    """The blueprint against all, then snapshots against one opponent; the figure has the first."""
    training, played = inputs.matches["over_training"], inputs.matches["matches"]
    snapshots = [
        {"a": snapshot_name(row["after_interval"]), "b": training["opponent"], **row}
        for row in training["snapshots"]
    ]
    holdem = inputs.settings["game"]["cards"] == "holdem"
    drawn = [
        row
        | {"name": words.agent(row["b"], inputs.check["bias"]), "tip": tip(row)}
        | {"link": explore(beside=row["b"]) if holdem else ""}
        for row in played
    ]
    return {
        "matches": [row | {"p_one_tailed": _one_tailed(row)} for row in [*played, *snapshots]],
        "figure": forest("Win rate of the blueprint against copies of …", _UNIT, drawn, 10.0),
    }


def _one_tailed(row: dict[str, Any]) -> float | None:
    """The p-value of :mod:`~sixmax.scores.statistics`, which snapshots' rows lack."""
    from sixmax.scores.distributions import stdtr

    if "p_one_tailed" in row:
        return row["p_one_tailed"]
    if not 0 < row["standard_error"] < math.inf:
        return None
    return float(stdtr(row["deals"] - 1, -row["mean"] / row["standard_error"]))


def aivat(inputs: Inputs) -> dict[str, Any] | None:
    """The matches that AIVAT scored, in the order of the duplicate matches; None without any.

    ``duplicate`` is the same pairing among these, or None; the figure has it as an open mark.
    """
    if not inputs.aivat:
        return None
    bias, played = inputs.check["bias"], {(m["a"], m["b"]): m for m in inputs.matches["matches"]}
    order = {pair: i for i, pair in enumerate(played)}
    scored = sorted(inputs.aivat, key=lambda m: order.get((m["a"], m["b"]), len(order)))
    rows = [match | {"duplicate": played.get((match["a"], match["b"]))} for match in scored]
    drawn = []
    for row in rows:
        by, duplicate = row["variance_divided_by"]["hand"], row["duplicate"]
        less = "" if by is None else f"variance of a hand divided by {by:.1f}"
        drawn.append(
            row["columns"][COLUMNS[-1]]
            | {"name": words.agent(row["b"], bias), "interval": row["interval"]}
            | {"tip": tip(row, less), "beside": duplicate and duplicate["mean"]}
        )
    title = "By AIVAT (filled), and the duplicate match of other deals (open)"
    unit = f"mbb/game of the {words.agent(rows[0]['a'], bias)} against copies, 95 % interval"
    return {"rows": rows, "names": COLUMNS, "figure": forest(title, unit, drawn)}


def bounds(inputs: Inputs) -> dict[str, Any] | None:
    """Exploitability: local best responses, exact ones in small games; None without either."""
    if not (inputs.bounds or inputs.response or inputs.search_bounds):
        return None
    rows = _local(inputs.bounds["bounds"]) if inputs.bounds else []
    drawn = []
    for row in rows:
        beside = row["uniform"] and row["uniform"]["mean"]
        less = f"from uniform play {words.signed(beside)}" if row["uniform"] else ""
        drawn.append(row | {"tip": tip(row, row["actions"], less), "beside": beside})
    title = "Local best response to the blueprint, and to uniform play (open marks)"
    return {
        "rows": rows,
        "figure": forest(title, _UNIT, drawn, 100.0) if rows else None,
        "searched": [_searched(record) for record in inputs.search_bounds],
    }


def _local(played: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Every protocol against the blueprint; ``uniform`` is the same against uniform play."""
    played = sorted(played, key=lambda row: BOUNDS.index(row["a"].removeprefix("lbr-")))
    uniform = {row["a"]: row for row in played if row["b"] == "random"}
    return [
        row
        | {"name": row["a"].removeprefix("lbr-"), "uniform": uniform.get(row["a"])}
        | {"actions": row["protocol"]["design"].split("; ", 1)[1]}
        for row in played
        if row["b"] != "random"
    ]


def _searched(record: dict[str, Any]) -> dict[str, Any]:
    """A protocol against search: its sharpest figure, and those that it comes from."""
    of = record["figures"]
    return {
        "protocol": record["a"].removeprefix("lbr-"), "best": of["controlled"] or of["search"],
        "plain": of["search"], "difference": of["difference"], "known": of["known"],
        "deals": record["deals"], "hands": record["hands"], "setting": record["setting"],
        "seconds": record["seconds"] / record["hands"],
    }  # fmt: skip


def search(inputs: Inputs) -> dict[str, Any] | None:
    """The gain in expectation, whole and by round, then the win rate in played hands.

    The figure has played hands, whose luck dwarfs the gain, only without it. None where search was
    not measured.
    """
    if not inputs.search:
        return None
    gain, duel = inputs.search.get("gain", {}), inputs.search.get("duel", {})
    gains = [
        row | {"name": _WHAT[name].format(first=ROUNDS[gain["first"]]), "hands": gain["hands"]}
        for name, row in gain.get("gain", {}).items()
    ]
    played = [duel | {"name": _PLAYED}] if duel else []
    if scored := duel.get("aivat"):
        played.append(scored | {"name": _SCORED, "hands": duel["hands"]})
    drawn = [row | {"tip": tip(row)} for row in gains or played]
    return {
        "rows": gains + played,
        "figure": forest("The gain of search over its own blueprint", _UNIT, drawn),
        "on_flops": on_flops(gain),
    }


def on_flops(gain: dict[str, Any]) -> str:
    """The flops that alone were played, and the buckets of each."""
    if "flops" not in gain:
        return ""
    buckets = gain["config"]["buckets"]
    kind = f"{buckets} buckets a round" if buckets else "the blueprint's buckets"
    return f" on {len(gain['flops'])} flops with {kind}"
