"""The claims about a run, each decided by numbers and put into words."""

from itertools import pairwise
from typing import Any, NamedTuple

from sixmax.evaluation.experiments.experiment import ALONE, Experiment
from sixmax.report import words
from sixmax.report.gather import Inputs
from sixmax.report.sections.estimates import on_flops
from sixmax.scores.statistics import LEVEL, interval, one_tailed
from sixmax.studies.checks import check

SLOWEST = 20.0  # seconds a hand on two cores, on average: Pluribus played at that pace
RARE_PERCENT = 3.0  # limping up to here counts as rare; Pluribus: 0.1 at most
_BEATEN = {  # opponents that a claim is made about: five of them, one of them
    "random": ("players who act at random", "player who acts at random"),
    "call": ("players who always call", "player who always calls"),
    "rule": ("copies of the rule bot", "copy of the rule bot"),
}


class Check(NamedTuple):
    """One claim. Not shown is not the same as shown to be false: the evidence says which."""

    claim: str
    shown: bool
    evidence: str


def checks(inputs: Inputs) -> list[Check]:
    """Every claim about the run, those that fail included."""
    rows = inputs.matches["matches"]
    own = sorted({row["b"] for row in rows if row["b"].startswith("snapshot-")})
    claimed = {*_BEATEN, *own[:1]}
    results = [_match(inputs, row) for row in rows if row["b"] in claimed]
    results += [_not_behind(inputs, row) for row in rows if row["b"] in own[1:]]
    results += _search(inputs)
    results += [_experiment(e, inputs.check["bias"]) for e in inputs.experiments.values()]
    results += _first_in(inputs.first_in["first_in"])
    return [*results, _continuations(inputs.check)]


def as_values(results: list[Check]) -> list[dict[str, Any]]:
    """The checks as plain values, in the order of the page: name, passed and evidence of each."""
    return [check(*each) for each in results]


def in_words(results: list[Check]) -> str:
    """The outcome of all checks in one sentence."""
    failed = len(results) - sum(each.shown for each in results)
    if not failed:
        return f"All {len(results)} checks hold."
    if failed == len(results):
        return f"None of the {failed} checks is shown by this run."
    return f"{len(results) - failed} of {len(results)} checks hold; {failed} not shown by this run."


def _match(inputs: Inputs, row: dict[str, Any]) -> Check:
    seats = inputs.matches["protocol"]["seats"]
    copies = f"{words.copies(seats)} of its early self ({words.agent(row['b'], 1)})"
    if row["b"] in _BEATEN:
        many, single = _BEATEN[row["b"]]
        copies = f"{words.small(seats - 1)} {many}" if seats > 2 else f"one {single}"
    return Check(f"The blueprint beats {copies}", row["interval"][0] > 0, _won(row))


def _not_behind(inputs: Inputs, row: dict[str, Any]) -> Check:
    copies = words.copies(inputs.matches["protocol"]["seats"])
    claim = f"The blueprint is not shown to lose to {copies} of its late self "
    claim += f"({words.agent(row['b'], 1)})"
    return Check(claim, row["interval"][1] >= 0, _won(row))


def _won(row: dict[str, Any]) -> str:
    low, high = row["interval"]
    evidence = (
        f"{words.signed(row['mean'])} mbb/game, {100 * row['level']:g} % interval "
        f"{words.between(row['interval'])} ({words.count(row['deals'])} deals, "
        f"{words.count(row['hands'])} hands)"
    )
    if high < 0:
        evidence += "; it loses: the whole interval is below zero"
    elif low <= 0:
        evidence += "; the interval includes zero"
    return evidence


def _search(inputs: Inputs) -> list[Check]:
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
        results.append(Check(claim, row["interval"][0] > 0, evidence))
        results += _each_round(gain["gain"])
    if duel := inputs.search.get("duel"):
        pace = duel["seconds"] / duel["hands"]
        evidence = f"{pace:.2f} s a hand over {words.count(duel['hands'])} hands"
        claim = f"Search plays a hand in {SLOWEST:g} seconds on average"
        results.append(Check(claim, pace <= SLOWEST, evidence))
    return results


def _each_round(gain: dict[str, Any]) -> list[Check]:
    """The claim that no round loses, where there are several."""
    rounds = {name: row for name, row in gain.items() if name != "all"}
    if len(rounds) < 2:
        return []
    parts = [
        f"{name} {words.signed(row['mean'])} ({words.between(row['interval'])})"
        for name, row in rounds.items()
    ]
    unharmed = all(row["interval"][1] >= 0 for row in rounds.values())
    evidence = f"{words.listed(parts)} mbb/game"
    return [Check("Search is not shown to lose in any round", unharmed, evidence)]


def _experiment(experiment: Experiment, bias: float) -> Check:
    result = experiment.best.result
    sums, p = result.deals, one_tailed(result.deals)
    others, agent = result.protocol.seats - 1, words.agent(experiment.agent, bias)
    if experiment.kind == ALONE:
        claim = f"The {agent} alone wins at a table of 1 + {others}"
    else:
        claim = f"Copies of the {agent} win from one other at a table of {others} + 1"
    evidence = (
        f"{words.signed(sums.mean)} mbb/game, {100 * LEVEL:g} % interval "
        f"{words.between(list(interval(sums)))}, one-tailed {words.p_value(p)} "
        f"({words.count(sums.n)} deals, {words.count(result.hands)} hands, counted as "
        f"{experiment.best.name}; "
        f"{words.listed([words.agent(name, bias) for name in experiment.participants])})"
    )
    return Check(claim, p < 1 - LEVEL, evidence)


def _first_in(seats: list[dict[str, Any]]) -> list[Check]:
    ordered = [s for s in seats if s["name"] not in ("SB", "BB")]
    results = []
    if len(ordered) > 1:
        evidence = ", ".join(f"{s['name']} {words.percent(s['raise'])}" for s in ordered)
        falls = [
            f"{b['name']} does not raise more than {a['name']}"
            for a, b in pairwise(ordered)
            if b["raise"] <= a["raise"]
        ]
        if falls:
            evidence += f"; {words.listed(falls)}"
        order = " < ".join(s["name"] for s in ordered)
        claim = f"First-in raising widens with position: {order}"
        results.append(Check(claim, not falls, evidence))
    if any(s["limp"] for s in ordered):  # a tree may leave limps to the blinds
        each = ", ".join(f"{s['name']} {words.percent(s['limp'])}" for s in ordered)
        evidence = f"{each}; counted as rare up to {RARE_PERCENT:g}{words.THIN}% in every seat"
        rare = max(s["limp"] for s in ordered) <= RARE_PERCENT
        results.append(Check("Limping outside the small blind is rare", rare, evidence))
    return results


def _continuations(check: dict[str, Any]) -> Check:
    least = min(check["chi_square"], key=lambda fit: fit["p_value"])
    impossible = sum(fit["impossible"] for fit in check["chi_square"])
    bound = check["refused_below_p"]
    evidence = (
        f"χ² test of {len(check['chi_square'])} strategies: smallest "
        f"{words.p_value(least['p_value'])} ({least['strategy']}), "
        f"refused below {words.threshold(bound)}; "
        f"{words.count(impossible)} actions of probability zero"
    )
    shown = least["p_value"] >= bound and not impossible
    return Check("The sampled continuations follow their strategies", shown, evidence)
