"""The names of agents that play from tables, and the stores that they play from."""

import re

from sixmax.continuation.generate import STRATEGIES

BASELINES = ("random", "call", "rule")
CONTINUATIONS = tuple(f"continuation-{name}" for name in STRATEGIES)


def snapshot_name(interval: int) -> str:
    """The agent that plays the snapshot taken after ``interval``."""
    return f"snapshot-{interval:05d}"


def is_agent(name: str) -> bool:
    """Whether ``name`` can be played from tables by some run."""
    known = (*BASELINES, *CONTINUATIONS, "blueprint")
    return name in known or re.fullmatch(r"snapshot-\d{5}", name) is not None


def known_agents(*others: str) -> str:
    """The names that :func:`is_agent` knows, and ``others``, for an error message."""
    return ", ".join([*BASELINES, *CONTINUATIONS, "blueprint", "snapshot-00001 …", *others])


def stores(*agents: str) -> list[str]:
    """The stores that ``agents`` play from, relative to the folder of the run."""
    found = set()
    for name in agents:
        if name == "blueprint":
            found.add("blueprint/strategy.zarr")
        elif name.startswith("snapshot-"):
            found.add(f"blueprint/snapshot/{name.removeprefix('snapshot-')}.zarr")
        elif name.startswith("continuation-"):
            found.add("continuation/strategies.zarr")
    return sorted(found)
