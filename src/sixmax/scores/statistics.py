"""Win rates with their errors: protocols, sums over independent samples, results.

Supplement, "Statistical analysis": samples are independent and identically distributed, and a
one-tailed test at 95 % says whether an agent is stronger. Here a sample is a deal, played from
every seat, since the hands of one deal depend on each other.
"""

import itertools
import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any

import numpy as np
from pydantic import ConfigDict

from sixmax.base.errors import UserError
from sixmax.base.progress import Done, quiet
from sixmax.store.records import Form, RecordKind, check

LEVEL = 0.95  # of the intervals
PAYOFF = "net chips as played, no variance reduction"


@dataclass(frozen=True)
class Protocol:
    """The conditions of a measurement. Results of different protocols are never put together."""

    design: str  # seating, and cards and draws held fixed
    payoff: str  # of a hand, and its variance reduction
    sample: str  # the independent unit
    seats: int
    big_blind: int  # chips
    game: str  # digest of rules, bet sizes, deck and abstraction
    unit: str = "mbb/game"  # thousandths of a big blind a hand

    __pydantic_config__ = ConfigDict(extra="forbid")


@dataclass(frozen=True)
class Sums:
    """Count, sum and sum of squares of independent samples: all that an estimate needs."""

    n: int
    total: float
    square: float

    __pydantic_config__ = ConfigDict(extra="forbid")

    @classmethod
    def of(cls, samples: np.ndarray) -> "Sums":
        """Sums of ``samples`` float64[n], in a fixed order."""
        return cls(samples.size, float(samples.sum()), float((samples * samples).sum()))

    @property
    def mean(self) -> float:
        return self.total / self.n if self.n else math.nan

    @property
    def standard_error(self) -> float:
        """The standard error of the mean; infinite for fewer than two samples."""
        if self.n < 2:
            return math.inf
        variance = max(self.square - self.total * self.total / self.n, 0.0) / (self.n - 1)
        return math.sqrt(variance / self.n)


def refuse_too_few(deals: int) -> None:
    """Raise ValueError for fewer deals than have an error."""
    if deals < 2:
        raise ValueError(f"{deals} deals, wanted at least 2: fewer have no standard error")


def add(parts: Iterable[Sums]) -> Sums:
    """The sums of all ``parts`` together, the same in whatever order they come."""
    parts = list(parts)
    return Sums(
        sum(p.n for p in parts),
        math.fsum(p.total for p in parts),
        math.fsum(p.square for p in parts),
    )


def stratified(parts: Iterable[Sums]) -> Sums:
    """Sums of ``parts`` of one size, whose error is that of the mean of the parts' means.

    Each part is a fixed share of the whole, as the hands of a participant of an experiment are: how
    their means differ is no noise. Raises ValueError for parts of different sizes.
    """
    parts = list(parts)
    whole, sizes = add(parts), {part.n for part in parts}
    if len(sizes) != 1:
        raise ValueError(f"parts of {sorted(sizes)} samples, wanted one size")
    if whole.n <= len(parts):
        return whole
    within = math.fsum(part.square - part.total * part.total / part.n for part in parts)
    within *= (whole.n - 1) / (whole.n - len(parts))
    return Sums(whole.n, whole.total, whole.total * whole.total / whole.n + within)


def interval(sums: Sums, level: float = LEVEL) -> tuple[float, float]:
    """The ``level`` confidence interval of the mean, by Student's t."""
    from sixmax.scores.distributions import stdtrit

    if sums.n < 2:
        return -math.inf, math.inf
    half = float(stdtrit(sums.n - 1, (1 + level) / 2)) * sums.standard_error
    return sums.mean - half, sums.mean + half


def one_tailed(sums: Sums) -> float:
    """The p-value of "the true mean is at most zero": small where the agent is stronger."""
    from sixmax.scores.distributions import stdtr

    if sums.n < 2:
        return math.nan
    if sums.standard_error == 0.0:
        return 0.5 if sums.mean == 0.0 else float(sums.mean < 0.0)
    return float(stdtr(sums.n - 1, -sums.mean / sums.standard_error))


def figure(sums: Sums) -> dict[str, Any]:
    """Mean, error and interval of ``sums``, as records keep them."""
    return {
        "mean": sums.mean,
        "standard_error": sums.standard_error,
        "level": LEVEL,
        "interval": list(interval(sums)),
        "p_one_tailed": one_tailed(sums),
    }


def told(row: dict[str, Any], unit: str = "mbb/game", digits: int = 2) -> str:
    """The figure ``row`` in words: its mean and its interval, where it has one."""
    words = f"{row['mean']:+.{digits}f} {unit}"
    if "interval" not in row:
        return words
    low, high = row["interval"]
    return f"{words}, 95 % interval {low:+.{digits}f} to {high:+.{digits}f}"


@dataclass(frozen=True, repr=False)
class Result:
    """One match: the win rate of agent ``a`` against ``b``, in the unit of the protocol."""

    a: str
    b: str
    protocol: Protocol
    seeds: tuple[int, ...]
    hands: int
    deals: Sums  # a sample is the mean over the seats of one deal
    seat: tuple[Sums, ...]  # by the seat of ``a``

    @property
    def mean(self) -> float:
        """The win rate of ``a``, in the unit of the protocol."""
        return self.deals.mean

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of :attr:`mean`."""
        return interval(self.deals)

    @property
    def count(self) -> int:
        """The number of hands; those of one deal depend on each other."""
        return self.hands

    def __repr__(self) -> str:
        low, high = self.interval
        return (
            f"{self.a} against copies of {self.b}: {self.mean:+,.0f} {self.protocol.unit} "
            f"({low:+,.0f} to {high:+,.0f}), {self.hands:,} hands on {self.deals.n:,} deals"
        )

    def to_json(self) -> dict[str, Any]:
        """The same, as it is written."""
        return {
            "a": self.a,
            "b": self.b,
            "protocol": asdict(self.protocol),
            "seeds": list(self.seeds),
            "deals": self.deals.n,
            "hands": self.hands,
            **figure(self.deals),
            "by_seat": [{"mean": s.mean, "standard_error": s.standard_error} for s in self.seat],
            "sums": {"deals": asdict(self.deals), "seat": [asdict(s) for s in self.seat]},
        }

    def to_dict(self) -> dict[str, Any]:
        """Plain values, the derived figures included."""
        return self.to_json()

    @classmethod
    def from_json(cls, values: dict[str, Any], source: str) -> "Result":
        """The inverse of :meth:`to_json`. Raises UserError that names ``source`` if it is none."""
        check(values, RESULT, source)
        return cls(
            values["a"],
            values["b"],
            Protocol(**values["protocol"]),
            tuple(values["seeds"]),
            values["hands"],
            Sums(**values["sums"]["deals"]),
            tuple(Sums(**s) for s in values["sums"]["seat"]),
        )


def measure(
    names: tuple[str, str],
    protocols: list[Protocol],
    seed: int,
    deals: int,
    chunk: int,
    net_chips: Callable[[int, int], np.ndarray],
    progress: Done = quiet,
) -> list[Result]:
    """Play ``deals`` deals, ``chunk`` at a time; one result for each of ``protocols``.

    ``net_chips(first, n)`` plays deals ``first`` … and returns the chips of the first of ``names``:
    float64[n, seats, (hands,) protocols]. ``progress`` counts deals. Raises ValueError for fewer
    than two deals, and for other seats than those of the protocols.
    """
    refuse_too_few(deals)
    seats, sums = protocols[0].seats, [[] for _ in protocols]
    for first in range(0, deals, chunk):
        n = min(chunk, deals - first)
        net = net_chips(first, n)
        if net.shape[1] != seats:
            raise ValueError(f"the protocol is for {seats} seats, the game has {net.shape[1]}")
        net *= 1000.0 / protocols[0].big_blind
        for i, parts in enumerate(sums):
            hand = np.ascontiguousarray(net[..., i]).reshape(n, -1)
            seat = np.ascontiguousarray(hand.reshape(n, seats, -1).mean(axis=2).T)
            parts.append([Sums.of(hand.mean(axis=1)), *map(Sums.of, seat)])
        progress(n)
    hands, results = deals * hand.shape[1], []
    for protocol, parts in zip(protocols, sums, strict=True):
        total, *by_seat = (add(part) for part in zip(*parts, strict=True))
        results.append(Result(*names, protocol, (int(seed),), hands, total, tuple(by_seat)))
    return results


class _SumsForm(Form):
    deals: Sums
    seat: list[Sums]


class ResultForm(Form):
    """The keys of a :class:`Result` that are read; the others derive from them."""

    protocol: Protocol
    a: str
    b: str
    seeds: list[int]
    hands: int
    sums: _SumsForm


RESULT = RecordKind("the result of a match", "sixmax match", ResultForm)


def same_protocol(results: list[Result], but: str = "") -> Protocol:
    """The protocol of all ``results``; its field ``but`` may differ. Raises UserError."""
    named = [(f"{result.a} vs {result.b}", asdict(result.protocol)) for result in results]
    refuse_different(named, [each.name for each in fields(Protocol) if each.name != but])
    return results[0].protocol


def refuse_different(named: Sequence[tuple[Any, dict[str, Any]]], keys: Iterable[str]) -> None:
    """Raise UserError where one of ``keys`` differs among some measurements, each with its name."""
    first, expected = named[0]
    for (name, values), key in itertools.product(named[1:], keys):
        if (value := values.get(key)) != expected.get(key):
            raise UserError(
                f"results of different protocols cannot be put together: {key} is "
                f"{expected.get(key)!r} in {first}, {value!r} in {name}; measure both the same way"
            )
