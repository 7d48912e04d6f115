"""The agents that play by a policy: their names, the stores they need, their policies.

A new one is a function here that makes its policy, and a row of AGENTS.
"""

import re
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from sixmax.agents.rule import class_weights, rule_policy, sampled_strength
from sixmax.base.errors import UserError
from sixmax.base.jit import read_only
from sixmax.base.rng import child
from sixmax.betting.rules import CALL, after, begin
from sixmax.betting.tree import is_decision, offers_fold, round_of, seat_of
from sixmax.blueprint.run import Run, unknown_agent
from sixmax.cfr.layout import entries, infoset, layout
from sixmax.cfr.postprocess import ENDINGS
from sixmax.continuation import store as continuation
from sixmax.continuation.generate import GENERATORS
from sixmax.ongoing import policies
from sixmax.ongoing.policies import MatchGame, Policy, match_game
from sixmax.ongoing.translate import raise_by

RAISES = re.compile(r"raises-(\d{1,4}(?:\.\d{1,3})?)")  # one size of raises before the flop


def continuation_name(name: str) -> str:
    """The agent that plays the continuation ``name`` of a run."""
    return f"continuation-{name}"


# Of all generators: a run has those of its own.
CONTINUATIONS = dict.fromkeys(continuation_name(n) for g in GENERATORS.values() for n in g.names)


def uniform(game: MatchGame) -> Policy:
    """The policy ``random``: every action of the tree is as likely as any other."""
    columns = game.tree.columns
    nowhere = np.zeros(columns.shape, np.int64)
    return Policy(False, read_only(np.zeros(columns.max(), np.uint8)), nowhere, nowhere)


def calling(game: MatchGame) -> Policy:
    """The policy ``call``. It folds where the tree offers no call: a limp outside of the blinds."""
    return _always(game, True)


def folding(game: MatchGame) -> Policy:
    """The policy ``fold``: it folds where it may, else checks."""
    return _always(game, False)


def _always(game: MatchGame, calls: bool) -> Policy:
    node = game.tree.node
    node = node[is_decision(node[:, 0])]
    fold = offers_fold(node[:, 0]).astype(bool)
    call = game.tree.action[node[:, 1] + fold] == CALL
    one = layout(game.tree, [1] * len(game.tree.columns))  # one bucket, which every bucket reads
    row = infoset(one, round_of(node[:, 0]), seat_of(node[:, 0]), 0, node[:, 2])
    table = np.zeros(one.size, np.uint8)
    table[row + (fold & call & calls)] = 255
    return Policy(False, read_only(table), one.base, np.zeros_like(one.base))


def pots_of(name: str) -> float | None:
    """The size of the agent ``name``, as a fraction of the pot after calling; None for others."""
    match = RAISES.fullmatch(name)
    return float(match[1]) if match else None


def raising(run: Run, game: MatchGame, name: str) -> Policy:
    """The blueprint of ``run`` with the one size of raises of ``name``, where the tree has it.

    Raises UserError where no decision of the first round has it.
    """
    pots, table, tree = pots_of(name), run.policy("blueprint").copy(), run.tree
    head, changed = tree.node[:, 0], False
    for x in np.flatnonzero(is_decision(head) & (round_of(head) == 0)).tolist():
        hand, offered = after(begin(run.game), tree.path(x)), tree.offered(x)
        if (chips := raise_by(hand, pots)) not in offered:
            continue
        changed, at = True, entries(tree, run.layout, x)
        raises = at[:, [i for i, action in enumerate(offered) if action > CALL]]
        total = table[raises].sum(axis=1)
        table[raises] = 0
        table[at[:, offered.index(chips)]] = total
    if not changed:
        raise UserError(
            f"agent {name!r}: no decision of the first round has a raise by {pots:g} pots; wanted "
            "a run that was improved by it, or `sixmax table`, where it needs no such run"
        )
    return policies.mixed(game, table)


class PolicyAgent(NamedTuple):
    """An agent, or a family of agents: names that match, with the group of the match as ``{}``."""

    names: str  # regular expression
    example: str
    store: str  # relative to the folder of the run; "" for none
    policy: Callable[[Run, MatchGame, str], Policy]
    baseline: str = ""  # its words in reports, where every run is matched against it


def _stored(run: Run, game: MatchGame, name: str) -> Policy:
    return policies.mixed(game, run.policy(name, OTHERS))


def _rule(run: Run, game: MatchGame, name: str) -> Policy:
    if run.buckets is None:
        strength = sampled_strength(run.dealer, child(run.seed, "rule"))
    else:
        strength = np.nan_to_num(run.buckets.strength)
    return rule_policy(run.game, game, strength, class_weights(run))


def _continuation(run: Run, game: MatchGame, name: str) -> Policy:
    names, packed = continuation.load(run)
    own = [continuation_name(each) for each in names]
    if name not in own:
        raise unknown_agent(run.folder, name, ("fold", *BASELINES, *own, "search"))
    return policies.pure(game, packed[own.index(name)])


AGENTS = (
    PolicyAgent("random", "random", "", lambda run, game, name: uniform(game), "uniform random"),
    PolicyAgent("call", "call", "", lambda run, game, name: calling(game), "always call"),
    PolicyAgent("fold", "fold", "", lambda run, game, name: folding(game)),
    PolicyAgent("rule", "rule", "", _rule, "rule bot"),
    PolicyAgent(f"blueprint({ENDINGS})?", "blueprint", "blueprint/strategy.zarr", _stored),
    PolicyAgent(
        rf"snapshot-(\d{{5}})({ENDINGS})?", "snapshot-00001", "blueprint/snapshot/{}.zarr", _stored
    ),
    PolicyAgent(RAISES.pattern, "raises-5", "blueprint/strategy.zarr", raising),
    *(PolicyAgent(n, n, "continuation/strategies.zarr", _continuation) for n in CONTINUATIONS),
)
BASELINES = {agent.names: agent.baseline for agent in AGENTS if agent.baseline}
OTHERS = ("fold", *BASELINES, *CONTINUATIONS, "search")  # than the run's own


def snapshot_name(interval: int) -> str:
    """The agent that plays the snapshot taken after ``interval``."""
    return f"snapshot-{interval:05d}"


def _named(name: str) -> tuple[PolicyAgent, re.Match[str]] | None:
    matches = ((agent, re.fullmatch(agent.names, name)) for agent in AGENTS)
    return next(((agent, match) for agent, match in matches if match), None)


def is_agent(name: str) -> bool:
    """Whether ``name`` can be played from tables by some run."""
    return _named(name) is not None


def stores(*names: str) -> list[str]:
    """The stores that the agents ``names`` play from, relative to the folder of the run."""
    known = filter(None, map(_named, names))
    return sorted({agent.store.format(*match.groups()) for agent, match in known} - {""})


def open_agents(run: Run, names: list[str]) -> tuple[MatchGame, tuple[Policy, ...]]:
    """The game of ``run``, and the policies of the agents ``names``. Raises UserError."""
    for name in names:
        _known(run, name)  # all are, before any is opened
    game = match_game(run.tree, run.layout)
    return game, tuple(policy_of(run, game, name) for name in names)


def policy_of(run: Run, game: MatchGame, name: str) -> Policy:
    """The policy of the agent ``name`` in the ``game`` of ``run``. Raises UserError."""
    return _known(run, name).policy(run, game, name)


def _known(run: Run, name: str) -> PolicyAgent:
    if name == "search" or name.startswith(("acpc:", "openspiel:")):
        raise UserError(
            f"agent {name!r} plays hand by hand, wanted one that plays from tables; "
            "take `sixmax table`"
        )
    if (known := _named(name)) is None:
        raise unknown_agent(run.folder, name, OTHERS)
    return known[0]
