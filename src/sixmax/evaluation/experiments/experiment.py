"""The paper's two experiments: an agent alone among others, and copies of it around another.

``alone`` is the paper's "5H+1AI": the agent and five others, drawn anew for each deal from all
participants. ``copies`` is its "1H+5AI": five copies of the agent around one participant, who is
measured; its loss is the gain of the copies. A score is one way to count the same hands, with a
protocol of its own: hands as played, the same less the Control's, all seats of a deal together.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from itertools import accumulate
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from sixmax.base.errors import UserError
from sixmax.evaluation.match.play import Played
from sixmax.scores.statistics import Protocol, Result, Sums, add, stratified

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


class GameIdentity(NamedTuple):
    """The common part of all protocols: seats, chips, a digest of rules, deck and buckets."""

    seats: int
    big_blind: int
    digest: str


class TableHands(NamedTuple):
    """Hands, and the participants in places 1 …: int64[n, places - 1].

    ``more`` are samples of place 0 by further scores, of the first deals or all: float64[at most
    n], chips, each the mean over a deal's hands.
    """

    played: Played
    others: np.ndarray
    more: Mapping[str, np.ndarray] = MappingProxyType({})


# (measured participant, -1 for the agent; first deal; deals) -> hands. No two participants have the
# same deals.
Source = Callable[[int, int, int], TableHands]


@dataclass(frozen=True)
class Score:
    """One way to count the hands of an experiment.

    ``course`` are the sums after more and more of its deals; the last are those of the result.
    """

    name: str
    result: Result
    course: tuple[Sums, ...]


@dataclass(frozen=True)
class Experiment:
    """An experiment: every score, and the one that decides by participant.

    ``each`` has the gain of a participant (``alone``, as in Table S1) or its loss (``copies``).
    """

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
    """Deals of each participant of ``copies``, or of all of ``alone``: a multiple of the seats.

    Seats in turn, each counts as often as the others, so that the Control's mean is zero. Raises
    UserError where ``deals`` are too few.
    """
    streams = participants if kind == COPIES else 1
    if deals < seats * streams:
        raise UserError(
            f"experiment {kind}: {deals} deals, wanted at least {seats * streams}: one from each "
            "seat for every participant that is measured; give more"
        )
    return deals // streams // seats * seats


def protocol(
    kind: str,
    score: str,
    names: tuple[str, tuple[str, ...], str],
    game: GameIdentity,
    payoffs: Mapping[str, str],
) -> Protocol:
    """The protocol of ``score`` in an experiment of ``kind``; ``payoffs`` are of other scores.

    ``names`` as in :func:`run`: other participants make another protocol.
    """
    _, participants, control = names
    payoff, sample = SCORES.get(score) or (payoffs[score], _DEAL)
    design = _DESIGN[kind].format(b=", ".join(participants))
    return Protocol(design, payoff.format(control=control), sample, *game)


def run(
    kind: str,
    names: tuple[str, tuple[str, ...], str],
    source: Source,
    game: GameIdentity,
    deals: int,
    points: int,
    seed: int,
    progress: Callable[[int], None] = lambda n: None,
    payoffs: Mapping[str, str] = MappingProxyType({}),
) -> Experiment:
    """Play ``deals`` deals and score them; ``copies`` gives each participant an equal share.

    Each share is rounded down to a multiple of the seats: see :func:`deals_each`. ``names`` are
    those of the agent, the participants and the Control. About ``points`` points of the course are
    kept; ``progress`` counts deals. ``payoffs`` are those of the source's scores beside
    :data:`SCORES`. The last score of all deals decides; the settings fix which it is beforehand.
    """
    agent, participants, control = names
    streams = [-1] if kind == ALONE else range(len(participants))
    deals = deals_each(kind, deals, len(participants), game.seats)
    chunk = min(CHUNK, -(-deals // points))
    parts = []
    for measured in streams:
        part = _Part(kind, len(participants), game)
        for first in range(0, deals, chunk):
            n = min(chunk, deals - first)
            part.add(source(measured, first, n), first)
            progress(n)
        parts.append(part)
    against = participants[0] if len(participants) == 1 else "participants"
    scores = []
    for name in _order({name: parts[0].samples(name) for name in parts[0].scores}, deals):
        course = _thin(_course([part.scores[name] for part in parts]), points)
        hands = sum(part.hands_of(name) for part in parts)
        scored = protocol(kind, name, names, game, payoffs)
        result = Result(agent, against, scored, (seed,), hands, course[-1], ())
        scores.append(Score(name, result, course))
    if kind == COPIES:
        each = _losses(scores[-1], participants, parts)
    else:
        each = _winnings(agent, scores, participants, parts[0])
    return Experiment(
        kind, agent, participants, control, tuple(scores), each,
        sum(part.alike for part in parts) / sum(part.played for part in parts),
    )  # fmt: skip


class _Part:
    """The sums of one stream of deals so far, chunk by chunk."""

    def __init__(self, kind: str, participants: int, game: GameIdentity):
        self.unit = 1000.0 / game.big_blind  # mbb a chip
        self.sign = 1 if kind == ALONE else -1
        self.scores: dict[str, list[Sums]] = {}
        self.won: list[list[Sums]] = [[] for _ in range(participants)]  # by participant
        self.seated = np.zeros(participants, np.int64)  # hands of each
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
        self._follow(less[..., 1:].mean(axis=1), table.others, k)

    def _follow(self, chips: np.ndarray, others: np.ndarray, k: int) -> None:
        """Add the participants' winnings in places 1 … of each deal: both [n, places - 1]."""
        for p, sums in enumerate(self.won):
            copies = (others == p).sum(axis=1)
            there = copies > 0
            total = np.where(others == p, chips, 0.0).sum(axis=1)[there]
            sums.append(Sums.of(self.unit * total / copies[there]))
            self.seated[p] += k * int(copies.sum())


def _losses(best: Score, names: tuple[str, ...], parts: list[_Part]) -> tuple[Result, ...]:
    """Losses of each participant to the copies."""
    of = best.result
    return tuple(
        Result(
            of.a, p, of.protocol, of.seeds, part.hands_of(best.name),
            add(part.scores[best.name]), (),
        )
        for p, part in zip(names, parts, strict=True)
    )  # fmt: skip


def _winnings(
    agent: str, scores: list[Score], names: tuple[str, ...], part: _Part
) -> tuple[Result, ...]:
    """Winnings of each participant that ever sat, at the tables where it sat.

    They are less the Control's, which cancels over all seats of a deal.
    """
    results = {score.name: score.result for score in scores}
    of = results.get("duplicate", results["control"])
    per_seat = replace(of.protocol, design=_EACH.format(a=agent, b=", ".join(names)))
    return tuple(
        Result(p, "its table", per_seat, of.seeds, int(part.seated[i]), add(part.won[i]), ())
        for i, p in enumerate(names)
        if part.seated[i]
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


def _thin(course: list[Sums], points: int) -> tuple[Sums, ...]:
    """About ``points`` of ``course``, evenly spaced, the last among them."""
    step = -(-len(course) // points)
    return tuple(course[::-1][::step][::-1])
