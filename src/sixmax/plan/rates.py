"""The cost of work, the one model behind `plan`; a line of a plan.

Rates were measured with the default preset on two quiet cores (docs/results/performance.md),
compile time apart. A traversal visits more nodes in a larger tree, and each visit waits longer
for memory the more of the table has been touched; the constants of that law were fitted to
such curves as `python -m benchmarks --only growth` measures.
"""

import math
from typing import NamedTuple

from sixmax.cards.deck import n_holes
from sixmax.config import Config

# Work a second on one core of an AMD EPYC (Zen 4) at 2 threads, compile time apart.
RIVERS = 1_800  # canonical rivers whose equities are found, with all later features
TURN_LIKE = 4_000_000  # situations given their nearest of 200 centroids, histograms of 50 bins
RIVER_LIKE = 2_700_000  # and of 8 numbers, with the largest lookup table
KMEANS = 4.0e8  # distances between histograms in k-means: sample x buckets x iterations x restarts
NODE_VALUES = 36_000_000  # hands at nodes of a board, of both players: the blueprint's own values
SCORED = 50_000  # situations that the quality report scores
NODES = 1_000_000  # nodes of the betting tree
TRAVERSALS = 540_000  # of the reference tree below; relative_cost scales them to others
# Times the cost of a traversal, fitted to whole trainings: of two players, who fold less (85 nodes
# in `hunl`, 11 to 15 in `default`); and, beside that, of Libratus's algorithm, which samples its
# pruned actions.
TWO_PLAYERS, LIBRATUS = 9.0, 0.61
COUNTED_S = 3.2e-10  # a decision of the counted rounds, each time that visits are counted
HANDS = 1_500_000  # hands of a match
TABLE_HANDS = 300_000  # hands of an experiment
SELF_PLAY = 80_000  # hands from which the values of AIVAT come, played twice
AIVAT_HANDS = 1_000  # hands scored by AIVAT
RESPONSE_S = 15.0  # exact best responses of two players' hold'em to the flop, twice, on one core
LBR_HANDS = 400  # hands of a local best response, mean of its protocols
LBR_KNOWN_S = 8.0  # 20 deals of a local best response to the blueprint, all hands at once
SEARCHES_LBR = 10  # a deal of a local best response to search lasts so long, both seats
LBR_RIVERS_S = {"fcpa": 4, "56bets": 16}  # and more by those that raise on turn and river
ENTRIES = 45_000_000  # entries of a table averaged, biased or packed
STRONG_FLOPS = 38  # flops of the full deck whose hands get their strength for a leaf function
ROLLED = 160_000  # roll-outs of a drawn state, each for every own continuation
FITTED = 4.7e9  # weights of its network times states times epochs
FIRST_FLOP_S = 2.0  # before the first flop of a job: the clusters of opponents' hands
FLOP_S = 2.0  # a flop of the full deck, turn and river clustered into 500 buckets each
FLOP_SECOND_S = 3.0  # more with a second seed and a picture
# A search: an iteration of Monte Carlo CFR is a traversal for each seat left; one of all hands
# at once walks the boards that it draws, or the river.
LEFT = 2.6  # players, on average, where Monte Carlo CFR searches
SUBGAME_TRAVERSALS = 800_000  # of such a subgame
BOARD_ITERATION_S = {1: 1.2e-3, 2: 0.36e-3}  # by round
MORE_BETS = 2.2  # times as large are subgames with more first bets
RIVER_ITERATION_S = 0.12e-3
TURN_ITERATION_S = 23e-3  # of a turn with all of its rivers, two players
# A flop of two players that ends with the round, in the tree of `hunl`.
LIMITED_LEAVES = 36  # and choices there
ALL_IN_S = 0.35  # hand against hand, on all boards
ROLL_OUTS = 3.0e6  # of a deal at a leaf, for one choice
LIMITED_ITERATION_S = 3.6e-3
FIRST_ROUND_ITERATION_S = 0.27e-3  # of the first round, for each value of its 13 leaves
RESPONSES = 118_000  # traversals of the one who learns, in the tree of `hunl`
NESTED_SEARCHES = 5.5  # times as many searches: one for each bet of the opponent, too
OWN_SEARCHES = 2.2  # times as many where each seat searches for itself
SEARCHES_GAIN = 1.8  # a hand that the gain of search is measured in, all seats together
SEARCHES_DUEL = 3.5  # a deal that one player who searches plays from every seat
SEARCHES_HELD = 3.5  # a hand of Pluribus's in which search is held to its decisions, on one core
FLOPS_SEEN = 0.55  # of the hands: each wants its buckets
READ = 5.0e8  # bytes of features read, checked and turned into points
CHECKPOINT_S = 3.5  # a GB of table: loaded, checked, packed, written, described
STREAM_GB = 0.032  # that a merge holds of an array of a delta: two parts
MERGED_S = 1.2  # a GB of a shard's changes: read, checked, added
DISCOUNT_S = 0.2  # a GB of table
START_S = 2.0  # of a job: Python, compiled kernels loaded, stores checked, Snakemake between two
PROCESS_GB = 0.4  # of any stage: Python and its libraries
PACKED = 0.25  # of the features' bytes are left when packed

# The law of a traversal, fitted to docs/results/performance.md. Level 1 is the tree of its curves:
# the default preset where all may limp, nobody raises a bet before the river, and three players may
# bet on flop and turn, two on the river.
VISITS_POWER = 0.05  # nodes that a traversal visits grow with decision nodes to this power
NODE_NS = 61.0  # a visit while all that is touched lies in the cache of 32 MB, one core
MISS_NS = 21.0  # more for each doubling of the touched bytes
CACHE_GB = 0.032
REFERENCE_DECISIONS, REFERENCE_TABLE_GB, REFERENCE_TOUCHED_GB = 938_246, 1.42, 0.64


def node_ns(touched_gb: float) -> float:
    """Nanoseconds of one core for a visit where ``touched_gb`` of the table hold anything."""
    return NODE_NS + MISS_NS * max(0.0, math.log2(touched_gb / CACHE_GB))


def relative_cost(decisions: int, table_gb: float) -> float:
    """The cost of a traversal in a tree of so many decision nodes, relative to the reference.

    Training is taken to touch the same share of every table. Only the ratio of :func:`node_ns` is
    used: TRAVERSALS is of whole runs, dealing and two threads included, most of them pruned.
    """
    visits = (decisions / REFERENCE_DECISIONS) ** VISITS_POWER
    share = REFERENCE_TOUCHED_GB / REFERENCE_TABLE_GB
    return visits * node_ns(table_gb * share) / node_ns(REFERENCE_TOUCHED_GB)


class PlanLine(NamedTuple):
    """One line of a plan. ``seconds`` are those of the stage's jobs, added up."""

    stage: str
    what: str  # the name of the rows
    rows: int
    memory_gb: float  # of its largest job
    disk_gb: float
    seconds: float
    at_once: int = 1  # such jobs that the cores hold; they run beside those of other stages


def share_of_default(config: Config) -> float:
    """The size of the rivers of a flop beside those of the full deck."""
    return n_holes(config.deck.ranks) ** 2 / n_holes(13) ** 2


def half(threads: int) -> int:
    """The threads of a job that leaves the other half of the cores to jobs beside it."""
    return max(1, threads // 2)
