"""The play of a strategy before the flop, beside the frequencies of Pluribus.

First in, after folds alone: exactly from the strategy at those nodes, each class of hands weighed
by its number of combinations. Over all of preflop (VPIP, PFR, three-bets, defence of the big
blind): exactly by enumerating the betting, with independent hole cards in all seats.
# ASSUME card removal does not matter: folds in front make good cards a little likelier, by less
# than a percentage point.
"""

from typing import Any, NamedTuple

import numpy as np

from sixmax.base.jit import njit, read_only
from sixmax.betting.config import GameConfig, positions
from sixmax.betting.rules import CALL
from sixmax.betting.tree import Tree, is_decision, n_actions, offers_fold, round_of, seat_of
from sixmax.cfr.layout import Layout, infoset
from sixmax.cfr.regret import match
from sixmax.evaluation.aivat.observer import longest
from sixmax.evaluation.ranges import RangeSpot, first_in

# Pluribus's play in all 10,000 hands of Data File S1 of Brown and Sandholm, "Superhuman AI for
# multiplayer poker" (Science 2019), in percent; counted from its published logs.
PLURIBUS_RAISE = {"UTG": 18.3, "HJ": 24.0, "CO": 30.6, "BTN": 42.4, "SB": 32.6}
PLURIBUS_LIMP = {"UTG": 0.1, "HJ": 0.0, "CO": 0.0, "BTN": 0.0, "SB": 29.0}
PLURIBUS_TOTALS = {"vpip": 26.4, "pfr": 17.7, "three_bet": 7.3, "bb_defends": 49.6}
_STACK = 1 << 16  # nodes waiting in a walk: decisions on a path times actions


class FirstInTotals(NamedTuple):
    """Figures over all seats, as probabilities; NaN where the situation never comes up."""

    vpip: np.ndarray  # float64[seats]: puts chips in by choice
    pfr: np.ndarray  # float64[seats]: raises
    three_bet: float  # raises when facing exactly one raise
    bb_defends: float  # the big blind calls or raises when facing exactly one raise

    def means(self) -> dict[str, float]:
        """The figures by name, the mean over the seats."""
        return {name: float(np.mean(value)) for name, value in self._asdict().items()}


def like_pluribus(game: GameConfig, ranks: int) -> bool:
    """Whether this is the game that Pluribus played, so that its frequencies compare.

    Six seats, a full deck, four rounds, a small blind of half the big one and no other forced
    chips, and the same 100 big blinds in every seat.
    """
    small, big = game.blinds[:2]
    return (
        game.cards == "holdem"
        and (game.seats, ranks) == (6, 13)
        and game.blinds == [small, 2 * small, 0, 0, 0, 0]
        and not any(game.antes)
        and game.stacks == [100 * big] * 6
        and game.first == [2, 0, 0, 0]
    )


def totals(tree: Tree, layout: Layout, policy: np.ndarray, weight: np.ndarray) -> FirstInTotals:
    """VPIP, PFR, three-bets and defence of the big blind, by the betting of the first round.

    ``policy`` uint8[layout.size] holds weights of actions, ``weight`` float64[classes] of classes.
    """
    seats = tree.columns.shape[1]
    out = np.zeros((4, seats))
    faced = np.zeros(seats)
    reach = np.empty((longest(tree.parent), seats, weight.size))
    reach[0] = weight / weight.sum()
    _totals_kernel(tree, layout, read_only(policy), reach, out, faced)
    with np.errstate(invalid="ignore"):
        return FirstInTotals(
            out[0], out[1], float(out[2].sum() / faced.sum()), float(out[3, 1] / faced[1])
        )


@njit
def _totals_kernel(tree, layout, policy, reach, out, faced):
    """Depth first; ``reach[d, seat, class]``: weight times the seat's own action probabilities.

    ``out`` rows: first chips by choice, first raise, raises facing one raise, calls or raises
    facing one raise. ``faced`` [seats]: decisions facing one raise.
    """
    node = tree.node
    seats, classes = reach.shape[1], reach.shape[2]
    does, p = np.empty(256), np.empty((len(reach), classes, 256))  # of the decisions on the path
    todo, top = np.empty((_STACK, 6), np.int64), 1
    todo[0] = 0  # node, depth, raises, masks of seats in by choice and of those that raised, action
    while top > 0:
        top -= 1
        x, depth, raises, put_in, raised, action = todo[top]
        if x > 0:
            reach[depth] = reach[depth - 1]
            reach[depth, seat_of(node[tree.parent[x], 0])] *= p[depth - 1, :, action]
        head = node[x, 0]
        if not is_decision(head) or round_of(head) != 0:
            continue
        seat, n = seat_of(head), n_actions(head)
        others = 1.0
        for q in range(seats):
            if q != seat:
                others *= reach[depth, q].sum()
        mass = others * reach[depth, seat].sum()
        if mass == 0.0:
            continue
        does[:n] = 0.0
        for c in range(classes):
            row = p[depth, c, :n]
            match(policy, infoset(layout, 0, seat, c, node[x, 2]), n, row)
            for a in range(n):
                does[a] += others * reach[depth, seat, c] * row[a]
        foldable, bit = offers_fold(head), 1 << seat
        if raises == 1:
            faced[seat] += mass
        for a in range(n):
            is_raise = tree.action[node[x, 1] + a] > CALL
            by_choice = (foldable and a > 0) or is_raise
            if by_choice and not put_in & bit:
                out[0, seat] += does[a]
            if is_raise and not raised & bit:
                out[1, seat] += does[a]
            if raises == 1:
                out[2, seat] += does[a] if is_raise else 0.0
                out[3, seat] += does[a] if by_choice else 0.0
            todo[top, 0], todo[top, 1], todo[top, 2] = node[x, 1] + a, depth + 1, raises + is_raise
            todo[top, 3] = put_in | bit if by_choice else put_in
            todo[top, 4] = raised | bit if is_raise else raised
            todo[top, 5] = a
            top += 1


def record(game: Any, policy: np.ndarray, weight: np.ndarray, pluribus: bool) -> dict[str, Any]:
    """First-in play and totals as plain JSON values, in percent; ``pluribus`` adds its own.

    ``game`` has a tree and a layout, as a run has; the rest is as for :func:`totals`.
    """
    tree, share = game.tree, weight / weight.sum()
    names = positions(tree.columns.shape[1], tree.seat(0))
    whole = totals(tree, game.layout, policy, weight)
    values = {
        "unit": "percent",
        "sample": "none: computed over all hands",
        "first_in": [
            _seat_record(spot, share, names[spot.seat], pluribus) for spot in first_in(game, policy)
        ],
        "totals": {name: _percent(value) for name, value in whole.means().items()},
        "by_seat": {
            name: dict(zip(names, _percent(getattr(whole, name)), strict=True))
            for name in ("vpip", "pfr")
        },
    }
    return {**values, "pluribus_totals": PLURIBUS_TOTALS} if pluribus else values


def _seat_record(spot: RangeSpot, share: np.ndarray, name: str, pluribus: bool) -> dict[str, Any]:
    kinds, sizes = spot.kinds, spot.action > 0
    values = {
        "seat": spot.seat,
        "name": name,
        **dict(zip(("fold", "limp", "raise"), _percent(kinds @ share), strict=True)),
        "trained": _percent(spot.trained @ share),
        "raise_to_chips": spot.action[sizes].tolist(),
        "raise_sizes": _percent(share @ spot.strategy[:, sizes]),
        "classes": dict(zip(("fold", "limp", "raise"), map(_percent, kinds), strict=True)),
    }
    if pluribus:
        values["pluribus"] = {"limp": PLURIBUS_LIMP[name], "raise": PLURIBUS_RAISE[name]}
    return values


def _percent(share: float | np.ndarray) -> float | list[float] | None:
    if isinstance(share, np.ndarray) and share.ndim:
        return [_percent(v) for v in share]
    return None if np.isnan(share) else round(100 * float(share), 3)
