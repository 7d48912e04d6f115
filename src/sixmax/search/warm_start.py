"""The first strategy of a search: the blueprint's rows in the current round.

Monte Carlo CFR deals each of the 1,326 hands of a round a few times in a thousand iterations, and a
hand of belief 0 never. With the blueprint's row as its first regrets, a hand plays the blueprint
until it has been dealt often enough (Brown & Sandholm, "Strategy-Based Warm Starting for Regret
Minimization in Games", AAAI 2016, in its simplest form).

# ASSUME the paper starts from zero.
"""

from typing import NamedTuple

import numpy as np

from sixmax.betting.rules import CALL, begin
from sixmax.betting.tree import CHOICE, is_decision, round_of
from sixmax.blueprint.run import Run
from sixmax.ongoing.hand import blueprint_buckets, blueprint_rows
from sixmax.ongoing.locate import Places, locate
from sixmax.search.subgame import Subgame


class WarmStart(NamedTuple):
    """First strategy of every hole at a decision of round 0: rows float64[holes, actions]."""

    node: int
    rows: np.ndarray


def warm_start(run: Run, policy: np.ndarray, places: Places, subgame: Subgame) -> list[WarmStart]:
    """The blueprint's rows at the decisions of the subgame's round 0.

    ``policy`` is uint8[layout.size]. A decision is left out if the blueprint's nearest node
    (:mod:`sixmax.ongoing.locate`) offers another number of raises.
    """
    state, tree, starts = subgame.state, subgame.tree, []
    bucket, start = blueprint_buckets(run, state.board), begin(state.game)
    head = tree.node[:, 0]
    for x in np.flatnonzero(is_decision(head) & (round_of(head) == 0)):
        offered = tree.offered(int(x))
        if offered[0] <= CHOICE:
            continue
        taken = np.array([*state.before, *tree.path(int(x))], np.int64)
        node, _ = locate(places, start, taken)
        if node >= 0 and _kinds(run.tree.offered(node)) == _kinds(offered):
            starts.append(WarmStart(int(x), blueprint_rows(run, policy, node, bucket)))
    return starts


def _kinds(offered: list[int]) -> tuple[int, ...]:
    """Actions without the sizes of raises, to compare two nodes by."""
    return tuple(min(action, CALL + 1) for action in offered)
