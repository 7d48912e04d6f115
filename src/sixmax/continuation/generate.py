"""Continuations: the strategies that players choose among at the leaves of a search.

A generator makes a list of them from a policy: a new one is one function, and one row of
:data:`GENERATORS`. Today's, :func:`biased`, is that of the supplement, "Leaf node values in
imperfect-information subgames": the blueprint, and the blueprint leaning to one kind of action. The
probability of folding, of calling, or of every raise is multiplied by five, and all are
renormalised.
"""

import itertools
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from sixmax.base.errors import UserError, one_of
from sixmax.base.jit import njit, read_only, uncounted
from sixmax.betting.tree import Tree
from sixmax.blueprint.run import Run
from sixmax.cfr.layout import Layout, infoset
from sixmax.cfr.policy import rows

STRATEGIES = ("unbiased", "fold", "call", "raise")  # of the generator ``bias``
FOLD, CALL = -1, 0  # Tree.action; any larger number is a raise
LEADS = 3
CHECKS, FOLDS_OR_CALLS, FOLDS = range(LEADS)  # the actions of a decision before its raises
NO_KIND = 2  # kinds of action are -1 fold, 0 call, 1 raise


class Continuation(NamedTuple):
    """A policy, in which the probability of one kind of action is multiplied by ``factor``."""

    name: str
    policy: np.ndarray  # uint8 or float64[layout.size]; a row of zeros means uniform
    kind: int = NO_KIND  # -1 fold, 0 call, 1 raise; NO_KIND: the policy as it is
    factor: float = 1.0


class Leaning(NamedTuple):
    """A Continuation as kernels take it: without its name."""

    policy: np.ndarray
    kind: int
    factor: float


def leaning(continuation: Continuation) -> Leaning:
    """``continuation`` for kernels, which are compiled for a policy that nobody writes to."""
    _, policy, kind, factor = continuation
    return Leaning(read_only(policy), int(kind), float(factor))


def biased(policy: np.ndarray, factor: float) -> list[Continuation]:
    """The four continuations of the supplement, from ``policy`` uint8 or float64[layout.size]."""
    kinds = zip(STRATEGIES, (NO_KIND, -1, 0, 1), strict=True)
    return [Continuation(name, policy, kind, factor) for name, kind in kinds]


class Generator(NamedTuple):
    """A maker of continuations, with their names: matches are planned before it runs.

    ``make`` takes a run, its policy uint8[layout.size] and ``continuation.bias`` of the config.
    """

    names: tuple[str, ...]
    make: Callable[[Run, np.ndarray, float], list[Continuation]]


GENERATORS: dict[str, Generator] = {
    "bias": Generator(STRATEGIES, lambda run, policy, factor: biased(policy, factor)),
}
GENERATOR = "bias"  # the row that the workflow takes


def made_by(names: Sequence[str]) -> str | None:
    """The name of the generator whose continuations have ``names``; None where there is none."""
    return next((name for name, g in GENERATORS.items() if g.names == tuple(names)), None)


def make(name: str, run: Run, factor: float) -> list[Continuation]:
    """The continuations of generator ``name``, of the blueprint of ``run``.

    Raises UserError for another name; it lists those there are.
    """
    if name not in GENERATORS:
        raise UserError(f"generator {name!r}: unknown; {one_of(name, GENERATORS)}")
    return GENERATORS[name].make(run, run.policy("blueprint"), factor)


def leads(tree: Tree, node: np.ndarray, n: np.ndarray) -> np.ndarray:
    """The actions before the raises of decisions: uint8[k].

    ``node`` int[k] are the decisions, ``n`` int[k] the numbers of their actions. CHECKS: a check.
    FOLDS_OR_CALLS: a fold and a call. FOLDS: a fold alone, where a limp is not offered. Raises
    ValueError where a tree has its actions in another order.
    """
    first = tree.node[node, 1]
    fold = tree.action[first] == FOLD
    second = tree.action[first + fold]
    if (fold & (n < 2)).any() or (second < CALL).any() or (~fold & (second > CALL)).any():
        raise ValueError("the actions of a node must be: fold where it is possible, call, raises")
    lead = np.where(fold, np.where(second == CALL, FOLDS_OR_CALLS, FOLDS), CHECKS)
    return lead.astype(np.uint8)


@uncounted
def stored(row):
    """The sum of a row of a policy: 0 where training never came."""
    total = np.int64(0)
    for a in range(row.size):
        total += row[a]
    return total


@uncounted
def _kind(a, lead):
    """-1 where action ``a`` is a fold, 0 a check or call, 1 a raise."""
    if a == 0:
        return -1 if lead != CHECKS else 0
    return 0 if a == 1 and lead == FOLDS_OR_CALLS else 1


@uncounted
def weigh(row, lead, kind, factor, out):
    """Fill ``out`` with a continuation's weights in one infoset; return their sum.

    ``row`` is that of its policy, uniform where it is zero; ``lead`` as in :func:`leads`, ``kind``
    and ``factor`` as in :class:`Continuation`. Where the kind of action is not there, the strategy
    stays what it was.
    """
    total, trained = 0.0, stored(row) > 0
    for a in range(row.size):
        weight = np.float64(row[a]) if trained else 1.0
        if _kind(a, lead) == kind:
            weight *= factor
        out[a] = weight
        total += weight
    return total


class NodeGroup(NamedTuple):
    """The decision nodes of one (round, seat), in the order of their columns."""

    in_round: int
    seat: int
    node: np.ndarray  # int32[rows]
    slot: np.ndarray  # int32[rows]
    n: np.ndarray  # uint8[rows]: actions
    lead: np.ndarray  # uint8[rows]: those before the raises, see :func:`leads`


def groups(tree: Tree) -> list[NodeGroup]:
    """A group for each (round, seat), rounds one after the other. Raises as :func:`leads`."""
    table = rows(tree)
    columns = (table.node, table.slot, table.n, leads(tree, table.node, table.n))
    seats = tree.columns.shape[1]
    return [
        NodeGroup(*divmod(i, seats), *(column[start:stop] for column in columns))
        for i, (start, stop) in enumerate(itertools.pairwise(table.start))
    ]


def probabilities(tree: Tree, layout: Layout, continuations: list[Continuation]) -> np.ndarray:
    """Exact strategies: float64[continuations, layout.size]. For games that are small."""
    out = np.empty((len(continuations), layout.size))
    for group, (strategy, c) in itertools.product(
        groups(tree), zip(out, continuations, strict=True)
    ):
        _probabilities_kernel(layout, group, leaning(c), strategy)
    return out


@njit
def _probabilities_kernel(layout, group, leaning, out):
    in_round, seat, _, slot, count, lead = group
    policy, kind, factor = leaning
    for b in range(layout.buckets[in_round]):
        for i in range(slot.size):
            at, n = infoset(layout, in_round, seat, b, slot[i]), np.int64(count[i])
            row = slice(at, at + n)
            total = weigh(policy[row], lead[i], kind, factor, out[row])
            for a in range(n):
                out[at + a] /= total
