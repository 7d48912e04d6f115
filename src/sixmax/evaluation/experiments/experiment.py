"""The paper's two experiments: an agent alone among others, and copies of it around another.

``alone`` is the paper's "5H+1AI": the agent and five others, drawn anew for each deal from all
participants. ``copies`` is its "1H+5AI": five copies of the agent around one participant, who is
measured; its loss is the gain of the copies. A score is one way to count the same hands, with a
protocol of its own: hands as played, the same less the Control's, all seats of a deal together.
"""

from collections.abc import Callable, Mapping
from dataclasses import astuple, dataclass, replace
from itertools import accumulate
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

from sixmax.base.errors import UserError
from sixmax.base.progress import Done, quiet
from sixmax.evaluation.match.play import Played
from sixmax.scores.statistics import Protocol, Result, ResultForm, Sums, add, stratified
from sixmax.store.records import Form, RecordKind, foreign, read

ALONE, COPIES = KINDS = ("alone", "copies")
CHUNK = 8192  # deals at once, at most
_DESIGN = {
    ALONE: "the agent against others drawn for each deal from {b}; cards and draws of a deal fixed",
    COPIES: "copies of the agent against 1 of {b}: what it loses; cards and draws of a deal fixed",
}
_EACH = "the agent with 1 of {a} and others drawn for each deal from {b}; cards and draws fixed"
_HAND = "hand (one of each deal, seats in turn)"
_DEAL = "deal (mean over the seats)"
# Score of every source -> its payoff, its independent sample.
SCORES = {
    "played": ("net chips as played", _HAND),
    "control": ("net chips less those of the Control, {control}, in the same seat", _HAND),
    "duplicate": ("net chips; the Control's cancel over the seats", _DEAL),
}


class Setup(NamedTuple):
    """The players and the game of an experiment: other ones have other protocols."""

    kind: str
    agent: str
    participants: tuple[str, ...]
    seats: int
    big_blind: int
    game: str  # digest of rules, deck and buckets
    payoffs: Mapping[str, str] = MappingProxyType({})  # of scores that are not in SCORES

    @property
    def names(self) -> tuple[str, ...]:
        """The agent, whose number is 0, and the participants."""
        return self.agent, *self.participants

    @property
    def control(self) -> int:
        """The number of the player whose copy the Control is: the agent, or the only participant
        if copies of that surround the agent."""
        return int(self.kind == ALONE and len(self.participants) == 1)

    def protocol(self, score: str) -> Protocol:
        """The protocol of ``score``."""
        payoff, sample = SCORES.get(score) or (self.payoffs[score], _DEAL)
        design = _DESIGN[self.kind].format(b=", ".join(self.participants))
        payoff = payoff.format(control=self.names[self.control])
        return Protocol(design, payoff, sample, self.seats, self.big_blind, self.game)


class TableHands(NamedTuple):
    """Hands, and the participants in places 1 …: int64[n, places - 1].

    ``more`` are samples of place 0 by further scores, of the first deals or all: float64[at most
    n], chips, each the mean over a deal's hands.
    """

    played: Played
    others: np.ndarray
    more: Mapping[str, np.ndarray] = MappingProxyType({})


# (measured participant, -1 for the agent; first deal; deals) -> hands, of deals of its own.
Source = Callable[[int, int, int], TableHands]


@dataclass(frozen=True)
class Score:
    """One way to count the hands of an experiment."""

    name: str
    result: Result
    course: tuple[Sums, ...]  # after more and more of its deals; the last are those of the result


@dataclass(frozen=True)
class Experiment:
    """An experiment: every score, and the results of each participant by the one that decides:
    its gain (``alone``, as in Table S1) or its loss (``copies``)."""

    kind: str
    agent: str
    participants: tuple[str, ...]
    control: str  # whose copy the Control is
    scores: tuple[Score, ...]
    each: tuple[Result, ...]
    alike: float  # share of hands in which measured player and Control fold in the first round

    @property
    def best(self) -> Score:
        """The score that decides."""
        return self.scores[-1]


def deals_each(kind: str, deals: int, participants: int, seats: int) -> int:
    """Deals of each participant of ``copies``, or of all of ``alone``.

    A multiple of the seats: each counts as often, and the Control's mean is zero. Raises UserError
    for too few.
    """
    streams = participants if kind == COPIES else 1
    if deals < seats * streams:
        raise UserError(
            f"experiment {kind}: {deals} deals, wanted at least {seats * streams}: one from each "
            "seat for every participant that is measured; give more"
        )
    return deals // streams // seats * seats


def measure(
    setup: Setup, source: Source, deals: int, points: int, seed: int,
    progress: Done = quiet,
) -> Experiment:  # fmt: skip
    """Play ``deals`` deals, shared as by :func:`deals_each`, and score them.

    About ``points`` points of the course are kept; ``progress`` counts deals. The last score of all
    deals decides; the settings fix which it is beforehand.
    """
    kind, agent, participants = setup[:3]
    streams = [-1] if kind == ALONE else range(len(participants))
    deals = deals_each(kind, deals, len(participants), setup.seats)
    chunk = min(CHUNK, -(-deals // points))
    parts = []
    for measured in streams:
        part = _Part(setup)
        for first in range(0, deals, chunk):
            n = min(chunk, deals - first)
            part.add(source(measured, first, n), first)
            progress(n)
        parts.append(part)
    against = participants[0] if len(participants) == 1 else "participants"
    scores = []
    for name in _order({name: parts[0].samples(name) for name in parts[0].scores}, deals):
        course = _course([part.scores[name] for part in parts])
        step = -(-len(course) // points)
        course = tuple(course[::-1][::step][::-1])  # evenly spaced, the last among them
        hands, terms = sum(part.hands_of(name) for part in parts), setup.protocol(name)
        result = Result(agent, against, terms, (seed,), hands, course[-1], ())
        scores.append(Score(name, result, course))
    if kind == COPIES:
        each = _losses(scores[-1], participants, parts)
    else:
        each = _winnings(setup, scores, parts[0])
    alike = sum(part.alike for part in parts) / sum(part.played for part in parts)
    control = setup.names[setup.control]
    return Experiment(kind, agent, participants, control, tuple(scores), each, alike)


class _Part:
    """The sums of one stream of deals so far, chunk by chunk."""

    def __init__(self, setup: Setup):
        self.unit = 1000.0 / setup.big_blind  # mbb a chip
        self.sign = 1 if setup.kind == ALONE else -1
        self.scores: dict[str, list[Sums]] = {}
        self.won: list[list[Sums]] = [[] for _ in setup.participants]
        self.seated = [0] * len(setup.participants)  # hands of each
        self.deals = self.played = self.alike = 0

    def samples(self, score: str) -> int:
        return sum(sums.n for sums in self.scores[score])

    def hands_of(self, score: str) -> int:
        each = 1 if score in ("played", "control") else self.played // self.deals
        return each * self.samples(score)

    def add(self, table: TableHands, first: int) -> None:
        net, control, alike, *_ = table.played
        n, k, _ = net.shape
        less = net - control
        turn = np.arange(n), (first + np.arange(n)) % k
        samples = {"played": net[..., 0][turn], "control": less[..., 0][turn]}
        if k > 1:
            samples["duplicate"] = net[..., 0].mean(axis=1)
        for name, chips in (samples | dict(table.more)).items():
            if not np.isfinite(chips).all():
                raise ValueError(f"score {name} of deals {first} … is not finite")
            self.scores.setdefault(name, []).append(Sums.of(self.sign * self.unit * chips))
        self.deals, self.played = self.deals + n, self.played + n * k
        self.alike += int(alike.sum())
        others = less[..., 1:].mean(axis=1)
        for p, sums in enumerate(self.won):
            copies = (table.others == p).sum(axis=1)
            there = copies > 0
            total = np.where(table.others == p, others, 0.0).sum(axis=1)[there]
            sums.append(Sums.of(self.unit * total / copies[there]))
            self.seated[p] += k * int(copies.sum())


def _losses(best: Score, names: tuple[str, ...], parts: list[_Part]) -> tuple[Result, ...]:
    """Losses of each participant to the copies."""
    return tuple(
        replace(best.result, b=p, hands=part.hands_of(best.name), deals=add(part.scores[best.name]))
        for p, part in zip(names, parts, strict=True)
    )


def _winnings(setup: Setup, scores: list[Score], part: _Part) -> tuple[Result, ...]:
    """Winnings of each participant that ever sat, less the Control's, which cancel over a deal."""
    results = {score.name: score.result for score in scores}
    of = results.get("duplicate", results["control"])
    others = ", ".join(setup.participants)
    per_seat = replace(of.protocol, design=_EACH.format(a=setup.agent, b=others))
    return tuple(
        Result(p, "its table", per_seat, of.seeds, hands, add(won), ())
        for p, hands, won in zip(setup.participants, part.seated, part.won, strict=True)
        if hands
    )


def _order(samples: dict[str, int], deals: int) -> list[str]:
    """The scores in order; the deciding one, the last of those of all deals, comes last."""
    *most, last = (name for name, n in samples.items() if n == deals)
    return [*most, *(name for name, n in samples.items() if n < deals), last]


def _course(streams: list[list[Sums]]) -> list[Sums]:
    """The sums of all ``streams`` together after each of their chunks that has samples."""
    so_far = [
        accumulate(filter(lambda sums: sums.n, stream), lambda a, b: add([a, b]))
        for stream in streams
    ]
    return [stratified(sums) for sums in zip(*so_far, strict=True)]


class _ScoreForm(ResultForm):
    score: str
    course: list[tuple[int, float, float]]


class _ExperimentForm(Form):
    experiment: str
    agent: str
    participants: list[str]
    control: str
    alike: Any
    scores: list[_ScoreForm]
    each: list[ResultForm]


EXPERIMENT = RecordKind("an experiment", "sixmax experiment", _ExperimentForm)


def to_json(result: Experiment) -> dict[str, Any]:
    """Plain values, the derived figures included; ``course`` rows are [samples, total, square]."""
    return {
        "experiment": result.kind,
        "agent": result.agent,
        "participants": list(result.participants),
        "control": result.control,
        "alike": result.alike,
        "scores": [
            {"score": s.name, **s.result.to_json(), "course": list(map(astuple, s.course))}
            for s in result.scores
        ],
        "each": [each.to_json() for each in result.each],
    }


def read_experiment(path: Path) -> Experiment:
    """Read the file of :func:`experiment`. Raises UserError for any other file."""
    values = read(path, EXPERIMENT)
    kind, rows = values["experiment"], values["scores"]
    if kind not in KINDS or not rows:
        raise foreign(path, EXPERIMENT, f"experiment is {kind!r}")
    results = [Result.from_json(row, str(path)) for row in (*rows, *values["each"])]
    courses = [tuple(Sums(*sums) for sums in row["course"]) for row in rows]
    names = [row["score"] for row in rows]
    return Experiment(
        kind, values["agent"], tuple(values["participants"]), values["control"],
        tuple(map(Score, names, results, courses)), tuple(results[len(rows) :]), values["alike"],
    )  # fmt: skip
