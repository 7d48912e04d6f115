"""Bets of opponents that a run lacks: gaps between its sizes, scored by hand logs.

Libratus, supplement, "Further details of the self-improvement algorithm". Sizes are fractions of
the pot after calling. A gap lies between two neighbouring sizes A and B of one decision of the
first round; an opponent's bet x inside adds min(x - A, B - x) to its score.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from sixmax.betting.rules import CALL, after, begin
from sixmax.blueprint.run import Run
from sixmax.hands.record import Record
from sixmax.ongoing.hand import Hand
from sixmax.ongoing.translate import fraction, raise_by


class MissingRaise(NamedTuple):
    """A raise that the tree lacks."""

    path: tuple[int, ...]  # the tree's own actions before the decision
    raise_to: int  # chips of the tree's hand
    pots: float  # the same as a fraction
    score: float  # of its gap, or how often opponents chose it
    bets: int  # of opponents that count


class Gaps(NamedTuple):
    """The bets that a run lacks, by the logs. Lists begin with the highest score."""

    hands: int  # their number
    bets: int  # number of first-round raises of opponents
    names: set[str]  # of the players
    # The bet that fills each gap: between A and B, (A + B + 2AB) / (A + B + 2).
    gaps: list[MissingRaise]
    sizes: list[MissingRaise]  # the opponents' own bets, between the tree's sizes and beyond them


def score(run: Run, hands: Iterable[Record], player: str) -> Gaps:
    """Score the first-round raises of all players but ``player`` in ``hands`` of the run's game."""
    totals: dict[tuple, float] = defaultdict(float)
    inside: Counter[tuple] = Counter()
    sizes: Counter[tuple] = Counter()
    names, number, bets = set(), 0, 0
    for hand in hands:
        number += 1
        names.update(hand.names)
        for node, x, own in _bets(run, hand, player):
            bets += 1
            offered = [float(fraction(own, a)) for a in run.tree.offered(node) if a > CALL]
            way = (*run.tree.path(node),)
            if (chips := raise_by(own, x)) not in run.tree.offered(node):
                sizes[way, chips] += 1
            if gap := _gap(offered, x):
                key = way, *gap
                totals[key] += min(x - gap[0], gap[1] - x)
                inside[key] += 1
    gaps, start = [], begin(run.game)
    for (way, a, b), total in totals.items():
        pots = (a + b + 2 * a * b) / (a + b + 2)
        chips = raise_by(after(start, way), pots)
        gaps.append(MissingRaise(way, chips, pots, total, inside[way, a, b]))
    common = [
        MissingRaise(way, chips, fraction(after(start, way), chips), float(count), count)
        for (way, chips), count in sizes.items()
    ]
    for each in (gaps, common):
        each.sort(key=lambda bet: (-bet.score, bet.path, bet.raise_to))
    return Gaps(number, bets, names, gaps, common)


def _bets(run: Run, hand: Record, player: str) -> list[tuple[int, float, np.ndarray]]:
    """The first-round raises of the others: node of the tree, size in pots, the tree's hand."""
    at, raises = Hand(run, hand.rules), []
    for seat, action in hand.actions[0]:
        if not at.meet():
            break
        if action > CALL and hand.names[seat] != player:
            raises.append((at.node, float(fraction(at.real, action)), at.mine.copy()))
        at.act(action)
    return raises


def _gap(offered: list[float], x: float) -> tuple[float, float] | None:
    """The neighbours of ``x`` among ascending sizes; None beyond them, and where it is one."""
    below, above = [a for a in offered if a < x], [b for b in offered if b > x]
    if x in offered or not below or not above:
        return None
    return below[-1], above[0]
