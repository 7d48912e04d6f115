"""A point of the betting before the flop, and how every hand class plays there."""

import numpy as np

from sixmax.blueprint.run import Run
from sixmax.cards.deck import class_names
from sixmax.cfr.policy import probabilities
from sixmax.errors import UserError
from sixmax.game.betting import positions
from sixmax.game.tree import DECISION, children, describe

_WORDS = {-1: "f", 0: "c"}


def find(run: Run, actions: tuple[str, ...]) -> int:
    """The node that ``actions`` ("f", "c", "r250") lead to. Raises UserError where none does."""
    node = 0
    for i, word in enumerate(actions):
        offered = {_name(run, child): child for child in children(run.tree, node)}
        if word not in offered:
            raise UserError(
                f"action {i + 1}: found {word!r}, the tree offers {', '.join(offered) or 'none'}"
            )
        node = offered[word]
    return node


def class_strategy(run: Run, policy: np.ndarray, node: int) -> np.ndarray:
    """Probabilities float64[classes, actions] of a decision node before the flop."""
    head = int(run.tree.node[node, 0])
    if head & 15 != DECISION or head >> 8 & 15:
        raise UserError("the betting before the flop is over there; give fewer actions")
    seat, n = head >> 4 & 15, head >> 12 & 255
    rows = np.empty((int(run.layout.buckets[0]), n))
    for bucket, row in enumerate(rows):
        at = run.layout.base[0, seat] + bucket * run.layout.columns[0, seat]
        probabilities(policy, int(at + run.tree.node[node, 2]), n, row)
    return rows


def preflop_table(run: Run, policy: np.ndarray, actions: tuple[str, ...]) -> str:
    """One line a hand class: the probability of each action, in percent; last, all hands dealt.

    Raises UserError for a game that has no hand classes.
    """
    if run.game.cards != "holdem":
        raise UserError(f"{run.folder}: a run of {run.game.cards}, wanted one of hold'em")
    node = find(run, actions)
    rows = class_strategy(run, policy, node)
    names = [_name(run, child) for child in children(run.tree, node)]
    before = describe(run.tree, node) if node else "nobody has acted yet"
    lines = [
        f"{_actor(run, node)} to act; {before}",
        "% of the time: f fold, c call or check, r… raise to so many chips in all",
        f"{'hand':6}" + _columns(names),
    ]
    for name, row in zip(class_names(run.ranks), rows, strict=True):
        lines.append(f"{name:6}" + _columns([f"{100 * p:.0f} %" for p in row]))
    dealt = np.array(
        [6 if len(n) == 2 else 4 if n[2] == "s" else 12 for n in class_names(run.ranks)]
    )
    every = dealt @ rows / dealt.sum()
    return "\n".join([*lines, f"{'all':6}" + _columns([f"{100 * p:.1f} %" for p in every])])


def _actor(run: Run, node: int) -> str:
    seat = int(run.tree.node[node, 0]) >> 4 & 15
    return positions(run.game.seats, run.game.first[0])[seat]


def _columns(words: list[str]) -> str:
    return "".join(f"{word:>9}" for word in words)


def _name(run: Run, node: int) -> str:
    action = int(run.tree.action[node])
    return _WORDS.get(action, f"r{action}")
