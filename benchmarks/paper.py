"""Training at the paper's scale by the model that `plan` uses: `python -m benchmarks paper`.

Sequences, those that training met, hours and memory are the paper's (supplement, "Further details
of the blueprint computation algorithm"); everything else follows from sixmax.rates.
"""

from typing import NamedTuple

from sixmax.rates import (
    CHECKPOINT_S,
    DEFAULT_DECISIONS,
    DEFAULT_TABLE_GB,
    TRAVERSALS,
    relative_cost,
)

SEQUENCES, MET = 664_845_654, 413_507_309
CORES, CORE_HOURS = 64, 12_400
BUCKETS = 200  # a round; before the flop 169, in few sequences
DECISIONS_A_SEQUENCE = 0.47  # of our `pluribus` tree: 141.9 M decision nodes, 302.6 M nodes
PER_ENTRY = 76_800_000 / 355_000_000  # traversals an entry of the table that `default` makes


class Estimate(NamedTuple):
    """What it says."""

    table_gb: float  # all sequences
    touched_gb: float  # those that the paper's training met
    visits: float  # of a traversal, those of `default` being 1
    visit: float  # what one costs, one of `default` being 1
    traversals_s: float  # a core
    traversals: float  # in the paper's core hours
    like_default_hours: float  # for as many traversals an entry as `default`, on CORES
    checkpoint_s: float
    snapshot_gb: float  # of a current strategy, a byte an action


def estimate(sequences: int = SEQUENCES, met: int = MET) -> Estimate:
    """Training on so many sequences, of which ``met`` are ever visited."""
    entries = sequences * BUCKETS
    table, touched = 4 * entries / 1e9, 4 * met * BUCKETS / 1e9
    decisions = int(DECISIONS_A_SEQUENCE * sequences)
    visits = relative_cost(decisions, DEFAULT_TABLE_GB)
    visit = relative_cost(DEFAULT_DECISIONS, table)
    rate = TRAVERSALS / relative_cost(decisions, table)
    return Estimate(
        table, touched, visits, visit, rate, rate * CORE_HOURS * 3600,
        PER_ENTRY * entries / rate / CORES / 3600, CHECKPOINT_S * touched, touched / 4,
    )  # fmt: skip


def text(found: Estimate) -> str:
    """In words."""
    checkpoint, hours = found.checkpoint_s / 60, found.like_default_hours
    return (
        f"{SEQUENCES:,} sequences of {BUCKETS} buckets: {found.table_gb:.0f} GB of regrets laid "
        f"out, {found.touched_gb:.0f} GB met. A traversal visits {found.visits:.2f} times as many "
        f"nodes as one of `default`, and each visit costs {found.visit:.2f} times as much: a core "
        f"makes {found.traversals_s:,.0f} traversals a second, `default` {TRAVERSALS:,}; "
        f"{CORE_HOURS:,} core hours make "
        f"{found.traversals:.1e}. As many an entry as `default` takes {hours:.1f} hours of {CORES} "
        f"cores. A checkpoint is read and written in {checkpoint:.0f} minutes, a snapshot has "
        f"{found.snapshot_gb:.0f} GB."
    )
