"""The ranges before the flop: first in, facing a raise, facing a three-bet.

All others fold: before the raise, between the raise and the player, and after a three-bet. A raise
is of the size that its range takes most.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from sixmax.agents.rule import class_weights
from sixmax.base import options
from sixmax.base.progress import say
from sixmax.betting.rules import CALL, FOLD
from sixmax.betting.state import spell
from sixmax.betting.tree import Tree
from sixmax.blueprint.run import Run, open_run
from sixmax.cfr.layout import entries
from sixmax.evaluation.records import RANGES
from sixmax.ongoing.hand import blueprint_rows
from sixmax.store.records import write

FIRST_IN, RAISE, THREE_BET = "first_in", "facing_raise", "facing_three_bet"
KINDS = (FIRST_IN, RAISE, THREE_BET)
DIGITS = 2  # of percentages


class RangeSpot(NamedTuple):
    """The play of a seat at a decision before the flop, for every hand class."""

    kind: str  # FIRST_IN, RAISE or THREE_BET
    seat: int
    against: int  # the seat whose raise it faces; -1 first in
    path: list[int]  # the actions before, -1 fold, 0 call, else raise-to in chips
    action: np.ndarray  # int32[actions]: its choices, in the same words
    strategy: np.ndarray  # float64[classes, actions]: their probabilities
    reach: np.ndarray  # float64[classes]: the probability of the seat's own actions before
    trained: np.ndarray  # bool[classes]: whether training came there

    @property
    def kinds(self) -> np.ndarray:
        """Probability of fold, call and any raise: float64[3, classes]."""
        kind = np.sign(self.action)
        return np.stack([self.strategy[:, kind == k].sum(axis=1) for k in (-1, 0, 1)])

    def total(self, weight: np.ndarray) -> np.ndarray:
        """The frequency of each action over the range: float64[actions].

        ``weight`` is as for :func:`spots`. Where no hand comes here, all hands count alike.
        """
        here = weight * self.reach if self.reach.any() else weight
        return here @ self.strategy / here.sum()


def first_in(game: Any, policy: np.ndarray) -> list[RangeSpot]:
    """The play of each seat that can be first in; ``game`` has a tree and a layout."""
    every = np.ones(game.layout.buckets[0])
    return [_spot(game, policy, FIRST_IN, x, -1, every) for x in _folding(game.tree, 0)]


def spots(run: Run, policy: np.ndarray, weight: np.ndarray) -> Iterator[RangeSpot]:
    """Every spot of ``run``, in the order of acting; the games without a fold have none.

    ``policy`` is uint8[layout.size], ``weight`` float64[classes]: how often a class is dealt.
    """
    for opener, first in zip(_folding(run.tree, 0), first_in(run, policy), strict=True):
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
    while FOLD in tree.offered(node) and not tree.round(node):
        yield node
        node = tree.children(node)[0]


def _spot(
    game: Any, policy: np.ndarray, kind: str, node: int, against: int, reach: np.ndarray
) -> RangeSpot:
    tree, layout = game.tree, game.layout
    rows = blueprint_rows(game, policy, node, np.arange(layout.buckets[0]))
    trained = policy[entries(tree, layout, node)].any(axis=1)
    action = tree.action[tree.node[node, 1] :][: rows.shape[1]]
    seat = tree.seat(node)
    return RangeSpot(kind, seat, against, tree.path(node), action, rows, reach, trained)


def _raised(
    tree: Tree, node: int, spot: RangeSpot, weight: np.ndarray
) -> tuple[int, np.ndarray] | None:
    """The node after the commonest raise of ``spot`` and its probability by class, or None."""
    total = np.where(spot.action > CALL, spot.total(weight), 0.0)
    choice = int(total.argmax())
    if not total[choice] > 0:
        return None
    return tree.children(node)[choice], spot.strategy[:, choice]


@options.stage
def ranges(folder: options.FoundRun, agent: options.Agent, out: options.Out) -> None:
    """Write the ranges before the flop, by seat and opponent.

    All others fold; a raise is of the size that its range takes most.

    \b
    sixmax ranges --run results/default --out ranges.json
    """
    run = open_run(folder)
    values = record(run, run.policy(agent), class_weights(run))
    ranks = run.ranks if run.game.cards == "holdem" else None
    write(out, RANGES, {"agent": agent, "cards": run.game.cards, "ranks": ranks, **values})
    for kind in KINDS:
        say(f"{kind.replace('_', ' ')}: {len(values[kind])} ranges")


def record(run: Run, policy: np.ndarray, weight: np.ndarray) -> dict[str, Any]:
    """Lists of spots under FIRST_IN, RAISE and THREE_BET, as plain JSON values in percent.

    Arguments are as for :func:`spots`. Seats are named, actions are in ACPC notation; ``total`` is
    over the range, ``trained`` the share of hands dealt that training came to there.
    """
    names = run.game.positions
    lists: dict[str, Any] = {kind: [] for kind in KINDS}
    for spot in spots(run, policy, weight):
        lists[spot.kind].append({
            "seat": names[spot.seat],
            "against": None if spot.kind == FIRST_IN else names[spot.against],
            "actions": "".join(map(spell, spot.path)),
            "options": [spell(int(action)) for action in spot.action],
            "total": _percent(spot.total(weight)),
            "trained": round(100 * float(weight @ spot.trained / weight.sum()), DIGITS),
            "reach": _percent(spot.reach),
            "classes": _percent(spot.strategy),
        })  # fmt: skip
    return {"unit": "percent", "sample": "none: computed over all hands", **lists}


def _percent(shares: np.ndarray) -> list[Any]:
    return np.round(100 * shares, DIGITS).tolist()
