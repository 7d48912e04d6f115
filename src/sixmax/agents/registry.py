"""The agents that play by a policy: their names, the stores that they need, their openers.

A new one is a function here that makes its policy, and a row of AGENTS.
"""

import re
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from sixmax.agents import baselines
from sixmax.agents.raises import NAMES, raising
from sixmax.agents.rule import class_weights, rule_policy, sampled_strength
from sixmax.base.errors import UserError
from sixmax.base.rng import child
from sixmax.blueprint.run import Run, unknown_agent
from sixmax.cfr.postprocess import ENDINGS
from sixmax.continuation import stage as continuation
from sixmax.continuation.generate import GENERATORS
from sixmax.ongoing import policies
from sixmax.ongoing.policies import MatchGame, Policy, match_game

BASELINES = ("random", "call", "rule")


def continuation_name(name: str) -> str:
    """The agent that plays the continuation ``name`` of a run."""
    return f"continuation-{name}"


# Of all generators: a run has those of its own.
CONTINUATIONS = dict.fromkeys(continuation_name(n) for g in GENERATORS.values() for n in g.names)
OTHERS = ("fold", *BASELINES, *CONTINUATIONS, "search")  # than the run's own


class PolicyAgent(NamedTuple):
    """An agent, or a family of agents: names that match, with the group of the match as ``{}``."""

    names: str  # regular expression
    example: str
    store: str  # relative to the folder of the run; "" for none
    policy: Callable[[Run, MatchGame, str], Policy]


def _stored(run: Run, game: MatchGame, name: str) -> Policy:
    return policies.mixed(game, run.policy(name, OTHERS))


def _rule(run: Run, game: MatchGame, name: str) -> Policy:
    if run.buckets is None:
        strength = sampled_strength(run.dealer, child(run.seed, "rule"))
    else:
        strength = np.nan_to_num(run.buckets.strength)
    return rule_policy(run.game, game, strength, class_weights(run))


def _continuation(run: Run, game: MatchGame, name: str) -> Policy:
    names, packed = continuation.load_named(run)
    own = [continuation_name(each) for each in names]
    if name not in own:
        raise unknown_agent(run.folder, name, ("fold", *BASELINES, *own, "search"))
    return policies.pure(game, packed[own.index(name)])


AGENTS = (
    PolicyAgent("random", "random", "", lambda run, game, name: baselines.uniform(game)),
    PolicyAgent("call", "call", "", lambda run, game, name: baselines.calling(game)),
    PolicyAgent("fold", "fold", "", lambda run, game, name: baselines.folding(game)),
    PolicyAgent("rule", "rule", "", _rule),
    PolicyAgent(f"blueprint({ENDINGS})?", "blueprint", "blueprint/strategy.zarr", _stored),
    PolicyAgent(
        rf"snapshot-(\d{{5}})({ENDINGS})?", "snapshot-00001", "blueprint/snapshot/{}.zarr", _stored
    ),
    PolicyAgent(NAMES.pattern, "raises-5", "blueprint/strategy.zarr", raising),
    *(
        PolicyAgent(name, name, "continuation/strategies.zarr", _continuation)
        for name in CONTINUATIONS
    ),
)


def snapshot_name(interval: int) -> str:
    """The agent that plays the snapshot taken after ``interval``."""
    return f"snapshot-{interval:05d}"


def _named(name: str) -> tuple[PolicyAgent, re.Match[str]] | None:
    matches = ((agent, re.fullmatch(agent.names, name)) for agent in AGENTS)
    return next(((agent, match) for agent, match in matches if match), None)


def is_agent(name: str) -> bool:
    """Whether ``name`` can be played from tables by some run."""
    return _named(name) is not None


def known_agents(*others: str) -> str:
    """Examples of the names that :func:`is_agent` knows, and ``others``, for an error message."""
    return ", ".join([*(agent.example for agent in AGENTS), *others])


def stores(*names: str) -> list[str]:
    """The stores that the agents ``names`` play from, relative to the folder of the run."""
    known = filter(None, map(_named, names))
    return sorted({agent.store.format(*match.groups()) for agent, match in known} - {""})


def open_agents(run: Run, names: list[str]) -> tuple[MatchGame, tuple[Policy, ...]]:
    """The game of ``run``, and the policies of the agents ``names``.

    Raises UserError for a name that means nothing.
    """
    for name in names:
        _known(run, name)  # all are, before any is opened
    game = match_game(run.tree, run.layout)
    return game, tuple(policy_of(run, game, name) for name in names)


def policy_of(run: Run, game: MatchGame, name: str) -> Policy:
    """The policy of the agent ``name`` in ``game``, the game of ``run``.

    Raises UserError for a name that means nothing.
    """
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
