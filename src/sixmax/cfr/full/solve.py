"""Full-width CFR on small games: every deal and every action in each iteration.

A yardstick for the sampled kernels, on the same arrays, with numbers that are known to the printed
digits. :mod:`sixmax.cfr.methods` has the variants.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np

from sixmax.betting.tree import Tree
from sixmax.cfr.deals import Deals
from sixmax.cfr.full.sweep import Field, Infosets, field, infosets
from sixmax.cfr.gadget import Gadget, choose
from sixmax.cfr.layout import Layout
from sixmax.cfr.methods import CFR_PLUS, Method
from sixmax.cfr.policy import shares, uniform
from sixmax.cfr.regret import new_tables


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
    tree: Tree, layout: Layout, deals: Deals, iterations: int, method: Method = CFR_PLUS,
    at: Iterable[int] = (),
) -> dict[int, np.ndarray]:  # fmt: skip
    """The average strategy after ``iterations``, and after each of ``at`` before, by iteration.

    Players are updated in turn, each against the newest strategies of the others. Raises ValueError
    for iterations out of range, and as :func:`sixmax.cfr.full.sweep.field` does.
    """
    solved = solve_field(field(tree, layout, deals), tree, layout, iterations, method, at)
    return {t: strategies.average for t, strategies in solved.items()}


def solve_field(
    game: Field, tree: Tree, layout: Layout, iterations: int, method: Method = CFR_PLUS,
    at: Iterable[int] = (), frozen: np.ndarray | None = None, entry: Entry | None = None,
) -> dict[int, Strategies]:  # fmt: skip
    """:func:`solve` for any payoffs and any chance; ``game`` lies on ``tree`` and ``layout``.

    ``frozen`` float64[layout.size] holds the strategy of infosets that stay as they are, NaN in all
    others. With ``entry`` the opponent chooses which of its hands enter (two players). Raises
    ValueError then for a method that does more than discount and predict, as the gadget does.
    """
    stops = sorted({*at, iterations})
    if stops[0] < 1 or stops[-1] > iterations:
        raise ValueError(f"iterations {stops}: wanted numbers from 1 to {iterations}")
    solved = solutions(game, tree, layout, method.over(iterations), stops, frozen, entry)
    return dict(zip(stops, solved, strict=True))


def solutions(
    game: Field, tree: Tree, layout: Layout, method: Method, stops: Iterable[int],
    frozen: np.ndarray | None = None, entry: Entry | None = None,
) -> Iterator[Strategies]:  # fmt: skip
    """The strategies of :func:`solve_field` after each of ``stops``, ascending, as it goes on."""
    seats = tree.columns.shape[1]
    mine = tuple(infosets(tree, layout, seat) for seat in range(seats))
    tables = new_tables(layout.size, method.state)
    strategy = tables.strategy
    strategy[:] = uniform(tree, layout)
    fixed = np.zeros(layout.size, bool)
    if frozen is not None:
        fixed = ~np.isnan(frozen)
        strategy[fixed] = frozen[fixed]
        mine = tuple(Infosets(m.at[~fixed[m.at]], m.n[~fixed[m.at]]) for m in mine)
    done = 0
    for stop in stops:
        for t in range(done + 1, stop + 1):
            step = method.step(t)
            for me in range(seats):
                met, chooses = game, entry is not None and me == entry.gadget.opponent
                if entry is not None and not chooses:  # the opponent's reach counts for the other
                    met = game._replace(chance=game.chance * entry.gadget.reach[entry.hand])
                value = method.update(met, mine[me], me, step, tables)
                if chooses:
                    by_hand = np.bincount(entry.hand, value, len(entry.gadget.left))
                    choose(entry.gadget, by_hand, np.array(step), 1.0, method.ahead)
        average = np.where(fixed, strategy, shares(tree, layout, tables.total))
        done = stop
        yield Strategies(average, strategy.copy())
