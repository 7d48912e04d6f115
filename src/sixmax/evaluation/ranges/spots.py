"""The spots whose ranges players look up: first in, facing a raise, facing a three-bet.

All others fold: before the raise, between the raise and the player, and after a three-bet. A raise
is of the size that its range takes most.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from sixmax.betting.rules import CALL
from sixmax.betting.tree import Tree, is_decision, n_actions, offers_fold, round_of, seat_of
from sixmax.blueprint.run import Run
from sixmax.cfr.layout import infoset
from sixmax.ongoing.preflop_chart import class_strategy

FIRST_IN, RAISE, THREE_BET = "first_in", "facing_raise", "facing_three_bet"
KINDS = (FIRST_IN, RAISE, THREE_BET)


class RangeSpot(NamedTuple):
    """The play of a seat at a decision before the flop, for every hand class.

    kind: FIRST_IN, RAISE or THREE_BET
    against: the seat whose raise it faces; -1 first in
    path: the actions before, -1 fold, 0 call, else raise-to in chips
    action: int32[actions], its choices, in the same words
    strategy: float64[classes, actions], the probabilities
    reach: float64[classes], the probability of the seat's own actions before
    trained: bool[classes], whether training came there
    """

    kind: str
    seat: int
    against: int
    path: list[int]
    action: np.ndarray
    strategy: np.ndarray
    reach: np.ndarray
    trained: np.ndarray

    def total(self, weight: np.ndarray) -> np.ndarray:
        """The frequency of each action over the range: float64[actions].

        ``weight`` float64[classes]: how often a class is dealt. Where no hand comes here, all hands
        count alike.
        """
        here = weight * self.reach if self.reach.any() else weight
        return here @ self.strategy / here.sum()


def spots(run: Run, policy: np.ndarray, weight: np.ndarray) -> Iterator[RangeSpot]:
    """Every spot of ``run``, in the order of acting; the games without a fold have none.

    ``policy`` is uint8[layout.size], ``weight`` float64[classes] the combinations of each class.
    """
    for opener in _folding(run.tree, 0):
        first = _spot(run, policy, FIRST_IN, opener, -1, np.ones(len(weight)))
        yield first
        if (raised := _raised(run.tree, opener, first, weight)) is None:
            continue
        for facing in _folding(run.tree, raised[0]):
            answer = _spot(run, policy, RAISE, facing, first.seat, np.ones(len(weight)))
            yield answer
            again = _raised(run.tree, facing, answer, weight)
            for back in _folding(run.tree, again[0]) if again else ():
                if run.tree.seat(back) == first.seat:
                    yield _spot(run, policy, THREE_BET, back, answer.seat, raised[1])


def _folding(tree: Tree, node: int) -> Iterator[int]:
    """The decisions of the first round at and after ``node`` if everybody folds."""
    while True:
        head = int(tree.node[node, 0])
        if not is_decision(head) or round_of(head) or not offers_fold(head):
            return
        yield node
        node = tree.children(node)[0]


def _spot(
    run: Run, policy: np.ndarray, kind: str, node: int, against: int, reach: np.ndarray
) -> RangeSpot:
    head, block = int(run.tree.node[node, 0]), run.tree.children(node)
    buckets = np.arange(run.layout.buckets[0])
    at = infoset(run.layout, 0, seat_of(head), buckets, run.tree.node[node, 2])
    trained = policy[at[:, None] + np.arange(n_actions(head))].any(axis=1)
    return RangeSpot(
        kind, seat_of(head), against, run.tree.path(node),
        run.tree.action[block.start : block.stop],
        class_strategy(run, policy, node), reach, trained,
    )  # fmt: skip


def _raised(
    tree: Tree, node: int, spot: RangeSpot, weight: np.ndarray
) -> tuple[int, np.ndarray] | None:
    """The node after the commonest raise of ``spot`` and each class's probability of it.

    None where the tree has no raise there, or no hand raises.
    """
    total = np.where(spot.action > CALL, spot.total(weight), 0.0)
    choice = int(total.argmax())
    if not total[choice] > 0:
        return None
    return tree.children(node)[choice], spot.strategy[:, choice]
