"""The article's techniques: a blueprint's subgames solved anew, answers to a missing bet.

A subgame begins with the betting of the last round, on a flop or a turn; after a bet on the flop
that the blueprint lacks, there (*nested* solving). *Unsafe* solving takes the opponent's range from
the blueprint. The safe techniques give the opponent an alternative for each hand: its value by a
best response to the blueprint (a bound), by the mean over the iterations (an estimate), or by the
best action beside the bet. *Reach* solving adds the gifts of its mistakes before (Libratus,
supplement).
"""

from typing import NamedTuple

import numpy as np

from sixmax.base.progress import Done, quiet
from sixmax.betting.tree_cut import cut
from sixmax.search.constraints import Alternative
from sixmax.studies.flop_games.game import FlopGame
from sixmax.studies.flop_games.off_tree import Bet, OffTree, translate, without_bets
from sixmax.studies.flop_games.subgames import on_boards, reach_to, solve_board, taken, values_at
from sixmax.studies.libratus.blueprint import Blueprint


class Technique(NamedTuple):
    """A way to solve a subgame anew."""

    gadget: str  # of :mod:`sixmax.cfr.gadget`, or "" for unsafe solving
    reach: bool = False
    estimate: bool = False


TECHNIQUES = {
    "unsafe": Technique(""),
    "resolve": Technique("resolve"),
    "resolve-estimate": Technique("resolve", estimate=True),
    "reach-resolve": Technique("resolve", reach=True),
    "maxmargin": Technique("maxmargin"),
    "maxmargin-estimate": Technique("maxmargin", estimate=True),
    "reach-maxmargin": Technique("maxmargin", reach=True),
    "reach-maxmargin-estimate": Technique("maxmargin", reach=True, estimate=True),
}
# Those that the guarantee of the article is about.
BOUNDED = [name for name, t in TECHNIQUES.items() if t.gadget and not (t.estimate or t.reach)]
ANSWERS = ("translation", "unsafe", "resolve", "maxmargin")  # to a missing bet


def solved(
    game: FlopGame, blueprint: Blueprint, technique: Technique, iterations: int,
    progress: Done = quiet,
) -> np.ndarray:  # fmt: skip
    """``blueprint`` with new strategies of both seats in every subgame: float64[layout.size].

    A seat's strategy is that of its own solution, where the other is the opponent. Calls
    ``progress`` with the subgames done.
    """
    strategy = blueprint.strategy.copy()
    for root in game.roots:
        part = cut(game.tree, root, lambda node: False, 1)
        reach = reach_to(game, blueprint.strategy, root)
        values = [
            alternatives(game, blueprint, technique, root, reach, seat)
            for seat in ((0, 1) if technique.gadget else ())
        ]
        for f in range(len(game.board)):
            for seats in ([0], [1]) if technique.gadget else ([0, 1],):
                other, alternative = 1 - seats[0], None
                if technique.gadget:
                    alternative = Alternative(other, values[other][f], technique.gadget)
                solution = solve_board(game, part, f, reach[:, f], iterations, alternative)
                for node, rows, at in solution:
                    if game.tree.seat(node) in seats:
                        strategy[at] = rows
            progress(1)
    return strategy


def alternatives(
    game: FlopGame, blueprint: Blueprint, technique: Technique, root: int, reach: np.ndarray,
    seat: int,
) -> np.ndarray:  # fmt: skip
    """The least to give each hand of ``seat`` at ``root``, net chips: float64[B, H].

    ``reach`` is of both seats, as of :func:`reach_to`. 0 where nobody is left.
    """
    if technique.estimate:
        values = blueprint.by_hole[seat, game.roots.index(root)].copy()
    else:
        values = values_at(game, blueprint.strategy, root, seat, reach[1 - seat])[1]
    if technique.reach:
        values += gifts(game, blueprint, root, seat, technique.estimate)
    return values


def gifts(game: FlopGame, blueprint: Blueprint, root: int, seat: int, estimate: bool) -> np.ndarray:
    """Chips that ``seat`` gave away on the way to ``root``, with each hand: float64[B, H].

    At each of its decisions: the value of the decision less that of the action taken.
    # ASSUME the sum of a hand is never negative: means over iterations may say so.
    """
    reach = np.ones(len(game.cards.share))  # the other's; its actions come first
    gift = np.zeros((len(game.board), len(game.cards.of_hole)))
    for before, child in game.tree.steps(root):
        in_round = game.tree.round(before)
        if in_round and reach.ndim == 1:
            reach = np.tile(reach[game.cards.of_hole], (len(game.flops), 1))
        if game.tree.seat(before) != seat:
            reach = reach * taken(game, blueprint.strategy, before, child)
            continue
        if estimate:
            means = blueprint.by_flop if in_round else blueprint.by_class
            lost = means[seat, before] - means[seat, child]
        else:
            each = (before, child)
            value = (values_at(game, blueprint.strategy, x, seat, reach)[1] for x in each)
            lost = np.subtract(*value)
        gift += on_boards(game, lost)
    return np.maximum(gift, 0)


def answered(case: OffTree, answer: str, iterations: int, progress: Done = quiet) -> np.ndarray:
    """The strategy of ``case`` with an answer of ANSWERS after each bet: float64[layout.size].

    Calls ``progress`` with the bets done.
    """
    strategy = case.strategy.copy()
    for bet in case.bets:
        if answer == "translation":
            translate(case, bet, strategy)
        else:
            _nest(case, bet, answer, iterations, strategy)
        progress(1)
    return strategy


def _nest(case: OffTree, bet: Bet, answer: str, iterations: int, strategy: np.ndarray) -> None:
    """Solve a subgame for each flop, and take over our rows after the bet.

    An unsafe one begins with all actions of the opponent, a safe one after the bet.
    """
    game, safe, alternative = case.game, answer != "unsafe", None
    part = cut(game.tree, bet.child if safe else bet.node, lambda node: False, 1)
    reach = reach_to(game, case.strategy, bet.node)
    values = without_bets(case, bet, reach[1 - bet.seat]) if safe else None
    for f in range(len(game.board)):
        ranges = reach[:, f].copy()
        if safe:
            ranges[bet.seat] = 1.0
            alternative = Alternative(bet.seat, values[f], answer)
        for node, rows, at in solve_board(game, part, f, ranges, iterations, alternative):
            ours = game.tree.seat(node) != bet.seat
            if ours and (node == bet.child or bet.child in dict(game.tree.steps(node))):
                strategy[at] = rows
