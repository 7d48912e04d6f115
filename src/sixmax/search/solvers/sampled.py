"""Monte Carlo CFR: solve a subgame of any number of players from the beliefs at its root.

The subgame is a game like any other, so the kernels that train the blueprint solve it: Monte Carlo
Linear CFR on its tree, with hands dealt from the beliefs, and with roll-outs of the continuations
from the leaves.

# ASSUME hands alike share rows in the round that is searched, and the average is played. In the
paper each has its own, and the last iterate is played: with three players it loses twice as much.
"""

import time
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from sixmax.base.progress import Done
from sixmax.betting.leaf_choices import choice_bits
from sixmax.betting.rules import POT, SEATS, STACKS
from sixmax.betting.tree import Tree
from sixmax.cfr.layout import Layout, entries, section
from sixmax.cfr.policy import shares
from sixmax.cfr.sampled.leaves import Beyond, Learned, Leaves
from sixmax.cfr.sampled.log import CEILING, COUNT
from sixmax.cfr.sampled.schedule import Schedule
from sixmax.cfr.sampled.train import FrozenRegrets, Training, new_table, train
from sixmax.leaf_function.network import on_leaves
from sixmax.search.config import BATCH, SearchConfig
from sixmax.search.constraints import FrozenRow
from sixmax.search.result import Solution
from sixmax.search.solvers.deal import SubgameDealer, hands_alike
from sixmax.search.solvers.problem import Begin, LeafGame, Problem, deadline, ends_early, quiet
from sixmax.search.subgame import Subgame

SAFE = False
_BOARDS = 4  # dealt at once, for pots that are all-in in the current round
_FINEST = 1000.0  # regret units a chip
_TRUST = 10.0  # pots: first regrets of a warm start; linear weights shrink them to a fifth
_WHOLE = 1 << 24  # regret units of a frozen row


class Effort(NamedTuple):
    """The budget and schedule of a search."""

    iterations: int  # at most
    seconds: float = 0.0  # limit; 0 = none, and the result is a function of the seed
    batch: int = BATCH  # iterations that read the same frozen regrets
    discounts: int = 50  # discounts of Linear CFR, evenly spread over the iterations


def takes(subgame: Subgame, config: SearchConfig) -> bool:
    """Every subgame."""
    return True


def solve(problem: Problem, config: SearchConfig, begin: Begin = quiet) -> Solution:
    """Solve ``problem`` with the iterations of ``config``; see :func:`solve_for`."""
    effort = Effort(config.iterations, config.seconds)
    return solve_for(problem, effort, begin(config.iterations))


def solve_for(problem: Problem, effort: Effort, progress: Done = lambda n: None) -> Solution:
    """Solve ``problem`` with ``effort``; the same bits for any threads where there is no clock.

    Where no hand like it was dealt, a hand plays the warm start of the one that stands for it, or
    uniformly without one. Raises UserError if no deal is possible.
    """
    if problem.alternative is not None:
        raise ValueError("solver sampled: found an alternative, wanted None: it is not safe")
    until, subgame = deadline(effort.seconds), problem.subgame
    tree, layout, state = subgame.tree, subgame.layout, subgame.state
    rounds, done, leaves = len(tree.columns), 0, beyond(subgame, problem.leaf_values)
    learned = isinstance(leaves, Learned)
    dealer = SubgameDealer(problem.beliefs, state.board, rounds, problem.cards, _BOARDS, learned)
    dealer.like = like = hands_alike(state.board, problem.cards.ranks)
    table = new_table(layout, rounds)
    schedule, last = linear_schedule(subgame, effort)
    trust = min(_TRUST * float(state.root[POT]) * schedule.scale, CEILING)
    for node, rows in problem.warm_start():
        at = entries(tree, layout, node)
        table.regret[at], table.count[at] = np.rint(rows * trust), np.rint(rows * COUNT)
    # ASSUME hands like the one held keep its rows, too: they shared them when it played.
    frozen = _frozen(tree, layout, [x._replace(hole=int(like[x.hole])) for x in problem.frozen])
    table.regret[frozen.at] = frozen.regret
    training = Training(tree, layout, dealer, table, schedule, problem.seed, leaves, frozen)
    step = 10 * effort.batch if effort.seconds else schedule.discount_every
    with ends_early:
        while done < last and time.monotonic() < until:
            end = min(done + step, last)
            train(training, done + 1, end, progress)
            done = end
    table.regret[frozen.at] = table.count[frozen.at] = frozen.regret
    for seat in range(len(problem.beliefs)):
        rows = table.count[section(layout, 0, seat)].reshape(len(like), layout.columns[0, seat])
        rows[:] = rows[like]
    return Solution(tree, layout, shares(tree, layout, table.count), done)


def beyond(subgame: Subgame, leaves: LeafGame) -> Leaves | None:
    """The roll-outs beyond the leaves of ``subgame``, or the function in their place.

    None without leaves. Raises ValueError for fewer continuations than a leaf has choices.
    """
    if subgame.to_the_end:
        return None
    if len(leaves.packed) < subgame.choices:
        raise ValueError(f"{len(leaves.packed)} continuations, wanted {subgame.choices}")
    if leaves.function is not None:
        starts = subgame.leaves.node, subgame.leaves.ratio
        seats, bits = subgame.tree.columns.shape[1], choice_bits(subgame.choices)
        board = subgame.state.board
        return on_leaves(leaves.function, leaves.places, board, *starts, seats, bits)
    return Beyond(
        leaves.tree.node, leaves.tree.contributed, *leaves.bits, leaves.packed,
        subgame.leaves.chips, subgame.leaves.ratio, choice_bits(subgame.choices),
    )  # fmt: skip


def linear_schedule(subgame: Subgame, effort: Effort) -> tuple[Schedule, int]:
    """The schedule of Linear CFR, and its last iteration: a whole number of batches.

    An iteration adds no more than two stacks, and linear weights halve the sum: int32 holds it.
    """
    batches = -(-effort.iterations // effort.batch)
    every = -(-batches // effort.discounts) * effort.batch
    last = batches * effort.batch
    deepest = int(subgame.state.root[STACKS : STACKS + subgame.state.root[SEATS]].max())
    scale = min(_FINEST, CEILING / (last * deepest))
    return Schedule(
        batch=effort.batch, discount_every=every, discount_until=last,
        count_every=1, count_after=0, prune_after=0, prune_share=0.0,
        prune_threshold=0, regret_floor=-CEILING, scale=scale,
    ), last  # fmt: skip


def _frozen(tree: Tree, layout: Layout, frozen: Iterable[FrozenRow]) -> FrozenRegrets:
    """The rows of ``frozen`` as regrets: regret matching gives the rows back."""
    at, regret = [], []
    for node, hole, row in frozen:
        if not tree.is_decision(node) or tree.round(node) or len(row) != len(tree.children(node)):
            raise ValueError(f"node {node}: no decision of round 0 with {len(row)} actions")
        at.extend(entries(tree, layout, node)[hole])
        regret.extend(np.rint(np.asarray(row) * _WHOLE))
    return FrozenRegrets(np.array(at, np.int64), np.array(regret, np.int32))
