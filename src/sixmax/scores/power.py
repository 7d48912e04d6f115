"""The number of hands that an edge takes to show, from measured variances.

For the one-tailed test of the experiments at 95 %: n samples see an edge if n samples of that edge
give a significant result with probability :data:`POWER`. The normal approximation is good from some
hundred samples on.
"""

import math
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, NamedTuple

from sixmax.base import options
from sixmax.base.errors import UserError
from sixmax.base.files import read_json
from sixmax.base.options import Option, argument
from sixmax.scores.statistics import LEVEL, Result

POWER = 0.8  # of the test, at the edge asked for


class Spread(NamedTuple):
    """The spread of the samples of one measurement."""

    name: str
    deviation: float  # of a sample, mbb/game
    hands: float  # that a sample takes


# Of the default preset, seed 1: estimates for plans made before a run. Experiments and matches are
# of 200,000 deals, AIVAT of 2,000. The spread of a match depends on its agents: here the blueprint
# plays its first snapshot (only `random` varies more), by AIVAT its last (1,350 with its first;
# tails are heavy).
MEASURED = {
    spread.name: spread
    for spread in (
        Spread("alone, played", 13_500, 1),
        Spread("alone, control", 13_800, 1),
        Spread("alone, duplicate", 4_530, 6),
        Spread("copies, played", 13_200, 1),
        Spread("copies, control", 12_200, 1),
        Spread("copies, duplicate", 4_240, 6),
        Spread("match", 5_380, 6),
        Spread("match by AIVAT", 1_700, 6),
    )
}


def samples_needed(deviation: float, edge: float, power: float = POWER) -> int:
    """Samples of standard deviation ``deviation`` that see ``edge`` > 0, both in mbb/game."""
    if not edge > 0:
        raise ValueError(f"an edge of {edge}, wanted one above 0")
    return max(2, math.ceil((_quantiles(power) * deviation / edge) ** 2))


def smallest_edge(deviation: float, samples: int, power: float = POWER) -> float:
    """The edge in mbb/game that ``samples`` see."""
    return _quantiles(power) * deviation / math.sqrt(samples)


def _quantiles(power: float) -> float:
    from sixmax.scores.distributions import ndtri

    return float(ndtri(LEVEL) + ndtri(power))


def spread(name: str, result: Result) -> Spread:
    """The spread of the samples of ``result``. Raises UserError for fewer than two."""
    sums = result.deals
    if sums.n < 2:
        raise UserError(f"{name}: {sums.n} samples have no variance; play more")
    deviation = sums.standard_error * math.sqrt(sums.n)
    return Spread(name, deviation, result.hands / sums.n)


def read_spreads(path: Path) -> list[Spread]:
    """The spreads of the match, or of every score of the experiment, in ``path``.

    Raises UserError for another file.
    """
    wanted = "what `sixmax match`, `aivat` or `experiment` wrote"
    values = read_json(path, wanted)
    try:
        rows = values.get("scores", [values])
        names = [f"{values['experiment']}, {r['score']}" if r is not values else "" for r in rows]
        results = [Result.from_json(row, str(path)) for row in rows]
    except (KeyError, TypeError, AttributeError, UserError):
        raise UserError(f"{path}: neither a match nor an experiment; wanted {wanted}") from None
    return [spread(name or f"{r.a} vs {r.b}", r) for name, r in zip(names, results, strict=True)]


def table(edge: float, spreads: Iterable[Spread], power: float = POWER) -> str:
    """Samples and hands to see ``edge`` by each of ``spreads``, as aligned lines."""
    lines = [
        f"to see an edge of {edge:g} mbb/game with probability {power:g} "
        f"(one-tailed test at {LEVEL:.0%}):",
        f"{'':34} {'SD of a sample':>15} {'hands in it':>11} {'samples':>13} {'hands':>14}",
    ]
    for s in spreads:
        n = samples_needed(s.deviation, edge, power)
        lines.append(
            f"{s.name:34} {s.deviation:15,.0f} {s.hands:11.3g} {n:13,} {n * s.hands:14,.0f}"
        )
    return "\n".join(lines)


def hands(
    edge: Annotated[float, argument(above=0)],
    results: options.Files | None = None,
    power: Annotated[float, Option(
        "Probability that the test finds the edge if it is there.", least=0.5, most=0.999
    )] = POWER,
) -> str:  # fmt: skip
    """Compute how many hands it takes to see an edge.

    EDGE is in mbb/game. RESULTS are matches, with or without AIVAT, and experiments. The default is
    one variance of each, measured with the default preset.

    \b
    sixmax hands 20 results/default/evaluation/experiment/*.json
    """
    spreads = [s for path in results or () for s in read_spreads(path)] or list(MEASURED.values())
    return table(edge, spreads, power)
