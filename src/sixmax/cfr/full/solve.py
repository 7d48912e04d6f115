"""Full-width CFR on small games: every deal and every action in each iteration.

A yardstick for the sampled kernels, on the same arrays, with numbers that are known to the printed
digits. :mod:`sixmax.cfr.methods` has the variants.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np

from sixmax.base.jit import njit
from sixmax.betting.tree import Tree, is_decision, round_of, seat_of
from sixmax.cfr.deals import Deals
from sixmax.cfr.full.public_tree import Rows
from sixmax.cfr.full.sweep import Field, Infosets, down, field, infosets, up
from sixmax.cfr.gadget import Gadget, choose
from sixmax.cfr.layout import Layout
from sixmax.cfr.methods import CFR_PLUS, Method
from sixmax.cfr.policy import shares, uniform
from sixmax.cfr.regret import match


class Entry(NamedTuple):
    """Safe solving: the opponent's choice at the root, and its row in each deal, int64[deals].

    The game's ``chance`` is then without the opponent's reach.
    """

    gadget: Gadget
    hand: np.ndarray


class Strategies(NamedTuple):
    """The two strategies of CFR after an iteration, float64[layout.size]."""

    average: np.ndarray  # by the weights of the method
    last: np.ndarray  # that of the iteration itself


def solve(
    tree: Tree,
    layout: Layout,
    deals: Deals,
    iterations: int,
    method: Method = CFR_PLUS,
    at: Iterable[int] = (),
) -> dict[int, np.ndarray]:
    """The average strategy after ``iterations``, and after each of ``at`` before, by iteration.

    Players are updated in turn, each against the newest strategies of the others. Raises ValueError
    for iterations out of range, and as :func:`sixmax.cfr.full.sweep.field` does.
    """
    game = field(tree, layout, deals)
    solved = solve_field(game, tree, layout, iterations, method, at)
    return {t: strategies.average for t, strategies in solved.items()}


def solve_field(
    game: Field,
    tree: Tree,
    layout: Layout,
    iterations: int,
    method: Method = CFR_PLUS,
    at: Iterable[int] = (),
    frozen: np.ndarray | None = None,
    entry: Entry | None = None,
) -> dict[int, Strategies]:
    """:func:`solve` for any payoffs and any chance; ``game`` lies on ``tree`` and ``layout``.

    ``frozen`` float64[layout.size] holds the strategy of infosets that stay as they are, NaN in all
    others. With ``entry`` the opponent chooses which of its hands enter (two players).
    """
    stops = sorted({*at, iterations})
    if stops[0] < 1 or stops[-1] > iterations:
        raise ValueError(f"iterations {stops}: wanted numbers from 1 to {iterations}")
    solved = solutions(game, tree, layout, method, stops, frozen, entry)
    return dict(zip(stops, solved, strict=True))


def solutions(
    game: Field,
    tree: Tree,
    layout: Layout,
    method: Method,
    stops: Iterable[int],
    frozen: np.ndarray | None = None,
    entry: Entry | None = None,
) -> Iterator[Strategies]:
    """The strategies of :func:`solve_field` after each of ``stops``, ascending, as it goes on."""
    seats = tree.columns.shape[1]
    mine = tuple(infosets(tree, layout, seat) for seat in range(seats))
    strategy = uniform(tree, layout)
    fixed = np.zeros(layout.size, bool)
    if frozen is not None:
        fixed = ~np.isnan(frozen)
        strategy[fixed] = frozen[fixed]
        mine = tuple(Infosets(m.at[~fixed[m.at]], m.n[~fixed[m.at]]) for m in mine)
    tables = Rows(strategy, np.zeros(layout.size), np.zeros(layout.size))
    done = 0
    for stop in stops:
        for t in range(done + 1, stop + 1):
            step = (*method.keeps(t), float(method.weight(t)))
            for me in range(seats):
                met = game if entry is None else _entered(game, entry, me)
                value = _update_kernel(met, mine[me], me, step, tables)
                if entry is not None and me == entry.gadget.opponent:
                    by_hand = np.bincount(entry.hand, value, len(entry.gadget.left))
                    choose(entry.gadget, by_hand, np.array(step[:2]), 1.0)
        average = np.where(fixed, strategy, shares(tree, layout, tables.total))
        done = stop
        yield Strategies(average, strategy.copy())


def _entered(game: Field, entry: Entry, me: int) -> Field:
    """The game as ``me`` meets it: the opponent's reach counts for the other player alone."""
    if me == entry.gadget.opponent:
        return game
    return game._replace(chance=game.chance * entry.gadget.reach[entry.hand])


@njit
def _update_kernel(game, mine, me, step, tables):
    """One update of the player ``me``: the average, then the regrets, then the strategy.

    Returns the counterfactual value of the root in each deal before it: float64[deals].
    """
    strategy, regret, total = tables
    shape = len(game.node), len(game.chance)
    others, own, value = np.empty(shape), np.empty(shape), np.empty(shape)
    worth, reach = np.zeros(strategy.size), np.zeros(strategy.size)
    down(game, strategy, me, others, own)
    up(game, strategy, me, False, others, value, worth)
    _own_reach(game, me, own, reach)
    for i in range(mine.at.size):
        at, n = mine.at[i], mine.n[i]
        mean = 0.0
        for a in range(at, at + n):
            total[a] += step[2] * reach[at] * strategy[a]
            mean += strategy[a] * worth[a]
        for a in range(at, at + n):
            regret[a] += worth[a] - mean
            regret[a] *= step[0] if regret[a] > 0 else step[1]
        match(regret, at, n, strategy[at : at + n])
    return value[0]


@njit
def _own_reach(game, me, own, reach):
    """The reach of ``me`` at each of its infosets, which all deals of the infoset share."""
    for x in range(len(game.node)):
        head = game.node[x, 0]
        if is_decision(head) and seat_of(head) == me:
            for d in range(len(game.chance)):
                reach[game.offset[me, round_of(head), d] + game.node[x, 2]] = own[x, d]
