"""An opponent whose every raise before the flop is of one size, in a blueprint's other play."""

import re

import numpy as np

from sixmax.base.errors import UserError
from sixmax.betting.rules import CALL, apply, begin
from sixmax.betting.tree import DECISION, children, kind_of, path, round_of, seat_of
from sixmax.blueprint.run import Run
from sixmax.cfr.layout import section
from sixmax.ongoing import policies
from sixmax.ongoing.policies import MatchGame, Policy
from sixmax.ongoing.translate import raise_by

NAMES = re.compile(r"raises-(\d{1,4}(?:\.\d{1,3})?)")


def pots_of(name: str) -> float | None:
    """The size of the agent ``name``, as a fraction of the pot after calling; None for others."""
    match = NAMES.fullmatch(name)
    return float(match[1]) if match else None


def raising(run: Run, game: MatchGame, name: str) -> Policy:
    """The blueprint of ``run`` with one size of raises, that of ``name``, where the tree has it.

    Raises UserError where no decision of the first round has it.
    """
    pots, table, tree = pots_of(name), run.policy("blueprint").copy(), run.tree
    head, changed = tree.node[:, 0], False
    for x in np.flatnonzero((kind_of(head) == DECISION) & (round_of(head) == 0)):
        hand = begin(run.game)
        for action in path(tree, int(x)):
            apply(hand, action)
        offered = [int(tree.action[y]) for y in children(tree, int(x))]
        if (chips := raise_by(hand, pots)) not in offered:
            continue
        changed = True
        seat = seat_of(int(head[x]))
        width = int(run.layout.columns[0, seat])
        rows = table[section(run.layout, 0, seat)].reshape(-1, width)
        slot = int(tree.node[x, 2])
        raises = [slot + i for i, action in enumerate(offered) if action > CALL]
        total = rows[:, raises].sum(axis=1)
        rows[:, raises] = 0
        rows[:, slot + offered.index(chips)] = total
    if not changed:
        raise UserError(
            f"agent {name!r}: no decision of the first round has a raise by {pots:g} pots; wanted "
            "a run that was improved by it, or `sixmax table`, where it needs no such run"
        )
    return policies.mixed(game, table)
