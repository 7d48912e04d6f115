"""The ``search`` section: when the agent searches, over which raises, and for how long."""

from typing import Literal

from pydantic import Field

from sixmax.game.config import RoundSizes
from sixmax.section import Section


class SearchConfig(Section):
    """Supplement, "Further details of depth-limited search"; Algorithm 2.

    ``rounds`` are the raises of the subgames, by betting round; an empty list takes those of the
    blueprint, and then every leaf lies in its tree.
    """

    flops: Literal["none", "all"] | int = "none"
    buckets: int = Field(ge=2, le=65535)
    rounds: list[RoundSizes] = Field(max_length=4)
    iterations: int = Field(ge=1)  # of Monte Carlo CFR, one traversal a seat each
    batch: int = Field(ge=1)
    vector_iterations: int = Field(ge=1)  # of the exact solver, for two players to the end
    vector_nodes: int = Field(ge=0)  # size rule: two players' subgames of at most so many nodes
    seconds: float = Field(ge=0)  # of one search; 0 = no limit, and the result is reproducible
    first: int = Field(ge=0, le=3)  # betting round from which every decision is searched
    off_tree: int = Field(ge=0)  # chips
    off_tree_players: int = Field(ge=0, le=10)
    average: bool  # play the average strategy instead of the last iterate
