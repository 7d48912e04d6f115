"""Who plays: one description of every kind of agent that a kernel can switch on.

By name: ``random`` (uniform over the actions of the tree), ``call`` (checks and calls), ``rule``
(:mod:`sixmax.evaluation.agents.rule`), ``blueprint``, ``snapshot-00004``, and
``continuation-unbiased``, ``-fold``, ``-call``, ``-raise``.
"""

from typing import NamedTuple

import numpy as np

from sixmax.blueprint.run import Run
from sixmax.cards.deck import classes
from sixmax.cfr.layout import Layout, infoset
from sixmax.continuation import stage as continuation
from sixmax.continuation.compress import Bits, bit_layout, read_action
from sixmax.errors import UserError
from sixmax.evaluation.agents.names import BASELINES, CONTINUATIONS
from sixmax.evaluation.agents.rule import (
    RuleBook,
    empty_rule_book,
    rule_action,
    rule_book,
    sampled_strength,
)
from sixmax.game.tree import Tree, n_actions, offers_fold, round_of, seat_of
from sixmax.jit import uncounted
from sixmax.rng import child

RANDOM, CALLER, RULE, POLICY, PACKED = range(5)  # kinds of agent
_BASELINE_KINDS = dict(zip(BASELINES, (RANDOM, CALLER, RULE), strict=True))
_NOTHING = np.empty(0, np.uint8)


class Agent(NamedTuple):
    """``table`` is the policy of a POLICY agent, uint8[layout.size], the actions of a PACKED one,
    uint8[bytes], and empty for others."""

    kind: int
    table: np.ndarray


class Ground(NamedTuple):
    """What agents of a game look at while they play."""

    tree: Tree
    layout: Layout
    bits: Bits
    book: RuleBook


def agent(kind: int, table: np.ndarray = _NOTHING) -> Agent:
    """An agent that plays from ``table``."""
    return Agent(kind, _read_only(table))


def _read_only(array: np.ndarray) -> np.ndarray:
    """A view as a memory map would be, so that both compile to one kernel."""
    view = np.ascontiguousarray(array).view()
    view.flags.writeable = False
    return view


def ground(tree: Tree, layout: Layout, book: RuleBook | None = None) -> Ground:
    """The ground of a game; without a ``book`` no rule bot can play on it."""
    tree = Tree(*(_read_only(a) for a in tree))
    return Ground(tree, layout, bit_layout(tree, layout)[0], book or empty_rule_book())


def open_ground(run: Run, names: list[str]) -> Ground:
    """The ground on which the agents ``names`` can play."""
    if "rule" not in names:
        return ground(run.tree, run.layout)
    if run.buckets is None:
        strength = sampled_strength(run.dealer, child(run.seed, "rule"))
    else:
        strength = np.nan_to_num(run.buckets.strength)
    return ground(run.tree, run.layout, rule_book(run.game, run.tree, strength, class_weights(run)))


def class_weights(run: Run) -> np.ndarray:
    """How often each bucket of the first round is dealt, up to a factor: float64[buckets].

    The combinations of each preflop class; every card of the small games is equally likely.
    """
    if run.buckets is None:
        return np.ones(run.dealer.buckets[0])
    return np.bincount(classes(run.ranks)).astype(np.float64)


def open_agent(run: Run, name: str) -> Agent:
    """The agent called ``name``. Raises UserError for a name that means nothing."""
    if name in BASELINES:
        return agent(_BASELINE_KINDS[name])
    if name in CONTINUATIONS:
        return agent(PACKED, continuation.load(run)[CONTINUATIONS.index(name)])
    if name == "search" or name.startswith("acpc:"):
        raise UserError(
            f"agent {name!r} plays hand by hand, wanted one that plays from tables; "
            "take `sixmax table`"
        )
    return agent(POLICY, run.policy(name, (*BASELINES, *CONTINUATIONS, "search")))


@uncounted
def act(agent, ground, x, bucket, u):
    """The action of ``agent`` at decision node ``x`` with ``bucket`` and a uniform number ``u``."""
    head = ground.tree.node[x, 0]
    n = np.int64(n_actions(head))
    if agent.kind == POLICY:
        seat, in_round, layout = seat_of(head), round_of(head), ground.layout
        at = infoset(layout, in_round, seat, bucket, ground.tree.node[x, 2])
        return sample(agent.table, at, n, u)
    if agent.kind == PACKED:
        seat, in_round, bits = seat_of(head), round_of(head), ground.bits
        bit = bits.base[in_round, seat] + bucket * bits.slab[in_round, seat] + bits.slot[x]
        return read_action(agent.table, bit, n)
    if agent.kind == RULE:
        return rule_action(ground.book, ground.tree, x, bucket)
    if agent.kind == CALLER:
        return np.int64(offers_fold(head))
    return np.int64(u * n)


@uncounted
def sample(policy, at, n, u):
    """An action of the policy row at ``at`` by the uniform number ``u``; uniform if all zero."""
    total = np.int64(0)
    for a in range(n):
        total += policy[at + a]
    left = np.int64(u * total)
    for a in range(n):
        left -= policy[at + a]
        if left < 0:
            return np.int64(a)
    return np.int64(u * n)
