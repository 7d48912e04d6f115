"""A point of the betting before the flop, and how every hand class plays there."""

import re
from typing import Annotated

import numpy as np

from sixmax.base import options
from sixmax.base.errors import UserError
from sixmax.betting.notation import in_acpc_notation
from sixmax.betting.state import spell
from sixmax.blueprint.run import Run, open_run
from sixmax.cards.deck import class_names, classes
from sixmax.ongoing.hand import blueprint_rows


def find(run: Run, actions: tuple[str, ...]) -> int:
    """The node that ``actions`` ("f", "c", "r250") lead to. Raises UserError where none does."""
    node = 0
    for i, word in enumerate(actions):
        children = run.tree.children(node)
        offered = dict(zip(map(spell, run.tree.offered(node)), children, strict=True))
        if word not in offered:
            names = ", ".join(offered) or "none"
            hint = _hint(word, list(offered))
            raise UserError(f"action {i + 1}: found {word!r}, the tree offers {names}{hint}")
        node = offered[word]
    return node


def _hint(word: str, offered: list[str]) -> str:
    """A question about the action that ``word`` may mean, with a raise the nearest by chips."""
    action = in_acpc_notation(word)
    raises = [name for name in offered if name[0] == "r"]
    if raises and re.fullmatch(r"r?\d{1,9}", action):
        chips = int(action.removeprefix("r"))
        action = min(raises, key=lambda name: abs(int(name[1:]) - chips))
    return f"; did you mean {action!r}?" if action in offered else ""


def class_strategy(run: Run, policy: np.ndarray, node: int) -> np.ndarray:
    """Probabilities of a decision before the flop: float64[classes, actions].

    Raises UserError for another node.
    """
    if not run.tree.is_decision(node) or run.tree.round(node):
        raise UserError("the betting before the flop is over there; give fewer actions")
    return blueprint_rows(run, policy, node, np.arange(run.layout.buckets[0]))


def preflop_table(run: Run, policy: np.ndarray, actions: tuple[str, ...]) -> str:
    """One line a hand class: the probability of each action, in percent; last, all hands dealt.

    Raises UserError for a game that has no hand classes.
    """
    if run.game.cards != "holdem":
        raise UserError(f"{run.folder}: a run of {run.game.cards}, wanted one of hold'em")
    node = find(run, actions)
    rows = class_strategy(run, policy, node)
    names = [spell(action) for action in run.tree.offered(node)]
    before = run.tree.describe(node) if node else "nobody has acted yet"
    actor = run.game.positions[run.tree.seat(node)]
    lines = [
        f"{actor} to act; {before}",
        "% of the time: f fold, c call or check, r… raise to so many chips in all",
        f"{'hand':6}" + _columns(names),
    ]
    for name, row in zip(class_names(run.ranks), rows, strict=True):
        lines.append(f"{name:6}" + _columns([f"{100 * p:.0f} %" for p in row]))
    dealt = np.bincount(classes(run.ranks))
    every = dealt @ rows / dealt.sum()
    return "\n".join([*lines, f"{'all':6}" + _columns([f"{100 * p:.1f} %" for p in every])])


def _columns(words: list[str]) -> str:
    return "".join(f"{word:>9}" for word in words)


def strategy(
    folder: options.FoundRun, agent: options.Agent,
    actions: Annotated[list[str], options.argument()] | None = None,
) -> str:  # fmt: skip
    """Print an agent's play before the flop, by hand class.

    ACTIONS are the betting so far: f, c, or r and the chips raised to, counted over the whole hand.

    \b
    sixmax strategy --run results/default                 under the gun, first in
    sixmax strategy --run results/default f f r225        an answer to the cut-off's raise
    """
    run = open_run(folder)
    return preflop_table(run, run.policy(agent), tuple(actions or ()))
