"""The strategy of every bucket at a decision, from the table of an agent."""

from sixmax.agents.policies import chances
from sixmax.base.jit import njit


# A module of its own: no kernel of the matches compiles anew, and no match runs again.
@njit
def rows_at(policy, game, x, out):
    """Write the strategy of every bucket at decision ``x`` to ``out`` float64[buckets, actions]."""
    for bucket in range(len(out)):
        chances(policy, game, x, bucket, out[bucket])
