"""What a traversal costs in a tree of any size: the model of `plan` and of docs/performance.md.

A traversal visits more nodes in a larger tree, and each visit waits longer for memory the more of
the table has been touched. Where the constants come from stands in docs/performance.md;
`python -m benchmarks growth` fits them anew. The level, traversals a second, is that of the default
preset on a quiet machine (sixmax.plan).
"""

import math

VISITS_POWER = 0.05  # nodes that a traversal visits grow with decision nodes to this power
NODE_NS = 61.0  # a visit while all that is touched lies in the cache of 32 MB, one core
MISS_NS = 21.0  # more for each doubling of what is touched
CACHE_GB = 0.032
# The default preset, on which TRAVERSALS was measured: see sixmax.plan.
DEFAULT_DECISIONS, DEFAULT_TABLE_GB = 938_246, 1.42


def node_ns(touched_gb: float) -> float:
    """Nanoseconds of one core for a visit where ``touched_gb`` of the table hold anything."""
    return NODE_NS + MISS_NS * max(0.0, math.log2(touched_gb / CACHE_GB))


def relative_cost(decisions: int, table_gb: float) -> float:
    """What a traversal costs in a tree of so many decision nodes, that of the default being 1.

    # ASSUME training touches the same share of every table; that share is not in the ratio.
    """
    visits = (decisions / DEFAULT_DECISIONS) ** VISITS_POWER
    return visits * node_ns(table_gb) / node_ns(DEFAULT_TABLE_GB)
