"""Agents that look at no cards: one at random, one that checks and calls, one that folds."""

from collections.abc import Callable

import numpy as np

from sixmax.base.jit import read_only
from sixmax.betting.rules import CALL
from sixmax.betting.tree import DECISION, kind_of, offers_fold, round_of, seat_of
from sixmax.cfr.layout import infoset, layout
from sixmax.ongoing.policies import MatchGame, Policy


def uniform(game: MatchGame) -> Policy:
    """Every action of the tree is as likely as any other."""
    columns = game.tree.columns
    nowhere = np.zeros(columns.shape, np.int64)
    return Policy(False, read_only(np.zeros(columns.max(), np.uint8)), nowhere, nowhere)


def calling(game: MatchGame) -> Policy:
    """Checks and calls. Folds where the tree offers no call: a limp of others than the blinds."""
    return _always(game, lambda fold, call: fold & call)


def folding(game: MatchGame) -> Policy:
    """Folds where it may, else checks."""
    return _always(game, lambda fold, call: np.zeros_like(fold))


def _always(game: MatchGame, choice: Callable[[np.ndarray, np.ndarray], np.ndarray]) -> Policy:
    """The policy that takes action ``choice(fold, call)`` at every node, whatever its cards.

    ``fold`` and ``call``, bool[nodes], say where there is a fold, and a check or call.
    """
    node = game.tree.node
    node = node[kind_of(node[:, 0]) == DECISION]
    fold = offers_fold(node[:, 0]).astype(bool)
    call = game.tree.action[node[:, 1] + fold] == CALL
    one = layout(game.tree, [1] * len(game.tree.columns))  # one bucket, which every bucket reads
    row = infoset(one, round_of(node[:, 0]), seat_of(node[:, 0]), 0, node[:, 2])
    table = np.zeros(one.size, np.uint8)
    table[row + choice(fold, call)] = 255
    return Policy(False, read_only(table), one.base, np.zeros_like(one.base))
