"""The cost of a run, stage by stage, before anything is computed.

Rows are exact. The rest comes from :mod:`sixmax.plan.rates`, for cores of ``machine.speed``.
"""

from math import comb

import numpy as np

from sixmax.abstraction.buckets import table_dtype
from sixmax.abstraction.config import MAX_ITERATIONS, OCHS_CLUSTERS, RESTARTS
from sixmax.agents.registry import BASELINES
from sixmax.betting.tree_count import Counts
from sixmax.blueprint.checkpoint import KEPT
from sixmax.blueprint.config import VALUES_BOARDS
from sixmax.blueprint.train import training_bytes
from sixmax.cards.deck import BOARD_CARDS, ROUNDS, n_cards, n_holes
from sixmax.cards.isomorphism import boards, offsets
from sixmax.config import Config
from sixmax.continuation.generate import GENERATOR, GENERATORS
from sixmax.evaluation.match.pairings import BOUNDED_AGENTS, BOUNDS, PARTICIPANTS, bounded
from sixmax.measurements import MEASUREMENTS
from sixmax.plan import rates, search
from sixmax.plan.rates import PlanLine, half
from sixmax.self_generated.config import RESPONSES


def stages(config: Config, tree: Counts) -> list[PlanLine]:
    """The cost of each stage of ``config``, whose tree has been counted."""
    threads, ranks = config.machine.threads, config.deck.ranks
    rounds = ROUNDS[: len(config.game.rounds)]
    sizes = {r: int(offsets(ranks, k)[-1]) for r, k in BOARD_CARDS.items()}
    tables = {r: len(boards(ranks, k).count) * n_holes(ranks) for r, k in BOARD_CARDS.items()}
    entries = _entries(tree, config, len(config.bucket_counts))
    packing = rates.START_S + 4 * entries / rates.ENTRIES / threads
    lines = [
        _features(config, sizes, tables, threads),
        *(_cluster(config, r, sizes, tables, threads) for r in rounds[1:]),
        PlanLine("tree", "nodes", tree.nodes, 28 * tree.nodes / 1e9 + rates.PROCESS_GB / 2,
              24 * tree.nodes / 1e9, rates.START_S + tree.nodes / rates.NODES),
        *_blueprint(config, entries, tree, threads),
        *_node_values(config, tree, threads),
        PlanLine("continuation", "infoset actions", entries, 1.5 * entries / 1e9 + rates.PROCESS_GB,
              entries / 4 / 1e9, packing),
        *search.leaf_function(config, threads),
        *_self_generated(config, entries, threads),
        *search.flops(config, threads),
        _matches(config, entries, threads),
        *_aivat(config, entries, tree, threads),
        *_bounds(config, entries, threads),
        *search.gate(config, entries),
        _experiments(config, entries, threads),
        PlanLine("report", "pages", 1, rates.PROCESS_GB, 0.01, rates.START_S + 1),
    ]  # fmt: skip
    return [line._replace(seconds=line.seconds / config.machine.speed) for line in lines]


def _features(config: Config, sizes: dict, tables: dict, threads: int) -> PlanLine:
    bins, clusters = config.abstraction.bins, OCHS_CLUSTERS
    flop, turn, river = sizes["flop"], sizes["turn"], sizes["river"]
    raw = flop * (2 * bins + 4) + turn * (bins + 4) + river * (2 * clusters + 2)
    rivers = tables["river"] / n_holes(config.deck.ranks)
    seconds = rates.START_S + rivers / rates.RIVERS / threads
    memory = raw / 1e9 + rates.PROCESS_GB
    return PlanLine(
        "features", "situations", sum(sizes.values()), memory, rates.PACKED * raw / 1e9, seconds
    )


def _cluster(config: Config, name: str, sizes: dict, tables: dict, threads: int) -> PlanLine:
    section, size = config.abstraction, sizes[name]
    buckets, learned = getattr(section.buckets, name), min(getattr(section.sample, name), size)
    numbers = OCHS_CLUSTERS if name == "river" else section.bins
    distances = learned * buckets * RESTARTS * MAX_ITERATIONS
    learning = distances * numbers / section.bins / rates.KMEANS
    assigning = size * buckets / 200 / (rates.RIVER_LIKE if name == "river" else rates.TURN_LIKE)
    width = 18 if name == "river" else section.bins + 4
    clustering = rates.START_S + size * width / rates.READ + (learning + assigning) / threads
    # The quality report clusters again, with another seed and half of the threads.
    scoring = min(section.scored, size) / rates.SCORED
    quality = rates.START_S + size * width / rates.READ + learning / half(threads) + scoring
    number = table_dtype(buckets).itemsize  # bytes of a bucket
    table = number * tables[name]
    memory = (size * (width + 2 * number) + table + 24 * learned * numbers) / 1e9 + rates.PROCESS_GB
    disk = table / 1e9
    return PlanLine(f"cluster {name}", "situations", size, memory, disk, clustering + quality)


def _entries(tree: Counts, config: Config, rounds: int) -> int:
    """Infoset actions of the first ``rounds``."""
    return int(tree.columns.sum(axis=1)[:rounds] @ np.asarray(config.bucket_counts[:rounds]))


def _blueprint(config: Config, entries: int, tree: Counts, threads: int) -> list[PlanLine]:
    section = config.blueprint
    traversals = section.total * config.game.seats
    table_gb, policy_gb = 4 * entries / 1e9, entries / 1e9
    discounts = min(section.discount_until, section.total) // section.discount_every
    passes = (section.intervals * rates.CHECKPOINT_S + discounts * rates.DISCOUNT_S) * table_gb
    rate = rates.TRAVERSALS / rates.relative_cost(int(tree.decisions.sum()), table_gb)
    rate /= rates.TWO_PLAYERS if config.game.seats == 2 else 1.0
    rate /= rates.LIBRATUS if section.prune_half else 1.0
    walking = traversals / rate / threads + _counting(config, tree) / threads
    seconds = section.intervals * rates.START_S + walking + passes
    seconds += section.taken * entries / rates.ENTRIES / threads  # into the running mean
    # Checkpoints are packed: untouched entries cost nothing.
    more_gb, packed_gb = _more_gb(config, tree), _state_gb(config, tree)
    disk = (KEPT + 1) * packed_gb + len(section.snapshots()) * policy_gb
    if (shards := section.shards) > 1:  # side by side; the merge starts, reads them and adds
        delta_gb = entries / 8e9 + 4 * _changed(config, entries) / 1e9  # in memory
        comparing = rates.CHECKPOINT_S * (table_gb + delta_gb)  # a shard reads its table again
        merging = rates.START_S + rates.MERGED_S * shards * delta_gb
        seconds += walking / shards - walking + section.intervals * (comparing + merging)
        disk += shards * _packed_gb(config, entries)
    memory = training_bytes(tree, config.bucket_counts, *section.tables()) / 1e9
    memory += 2 * shards * rates.STREAM_GB if shards > 1 else 0.0
    averaged = len(section.averaged())  # memory-mapped: the system takes the memory back
    average = PlanLine(
        "average", "infoset actions", entries,
        6 * policy_gb + more_gb + rates.PROCESS_GB, policy_gb,
        rates.START_S + (averaged + 1) * entries / rates.ENTRIES / threads,
    )  # fmt: skip
    return [PlanLine("blueprint", "infoset actions", entries, memory, disk, seconds), average]


def _changed(config: Config, entries: int) -> float:
    """The entries that a shard changes in an interval."""
    section = config.blueprint
    traversals = section.iterations * config.game.seats / section.shards
    return entries * _touched(traversals / entries)


def _packed_gb(config: Config, entries: int) -> float:
    """A shard's delta on disk, where a change takes a byte (measured with `default`)."""
    return (entries / 40 + _changed(config, entries)) / 1e9


def moved_gb(config: Config, tree: Counts) -> float:
    """All that the shards and merges of a training read from their folder and write to it.

    Each shard reads the checkpoint, at its start and at its end, and writes its delta; the merge
    reads these and the checkpoint, and writes the next. Without shards nothing moves.
    """
    section, entries = config.blueprint, _entries(tree, config, len(config.bucket_counts))
    shards, state_gb = section.shards, _state_gb(config, tree)
    deltas = 2 * shards * _packed_gb(config, entries)
    return section.intervals * (2 * (shards + 1) * state_gb + deltas) if shards > 1 else 0.0


def _more_gb(config: Config, tree: Counts) -> float:
    """Counters of later rounds than the first, and the running mean, beside the regrets."""
    section = config.blueprint
    rounds = (1, section.count_rounds, len(config.bucket_counts))
    first, counted, entries = (_entries(tree, config, each) for each in rounds)
    return (4 * (counted - first) + 2 * (entries - counted) * (section.mean_every > 0)) / 1e9


def _state_gb(config: Config, tree: Counts) -> float:
    """A checkpoint on disk at the end of the training."""
    entries = _entries(tree, config, len(config.bucket_counts))
    traversals = config.blueprint.total * config.game.seats
    return (4 * entries / 1e9 + _more_gb(config, tree)) * _touched(traversals / entries)


def _counting(config: Config, tree: Counts) -> float:
    """Seconds of one core that the counters of the average take."""
    section = config.blueprint
    updates = max(0, section.total - section.count_after) // section.count_every
    decisions = int(tree.decisions.sum(axis=1)[: section.count_rounds].sum())
    return updates * config.game.seats * decisions * rates.COUNTED_S


def _node_values(config: Config, tree: Counts, threads: int) -> list[PlanLine]:
    """The blueprint's own values, a job for each round that is asked for."""
    rounds = [ROUNDS.index(name) for name in config.blueprint.values]
    if not rounds:
        return []
    nodes = tree.columns.sum(axis=1) + tree.starts  # those after an action, and the first
    cells = [2 * int(nodes[r]) * config.bucket_counts[r] for r in rounds]
    played = VALUES_BOARDS * tree.nodes * comb(n_cards(config.deck.ranks) - 5, 2)
    return [
        PlanLine(
            "node values", "values", sum(cells), (80 + 16 * threads) * max(cells) / 1e9
            + rates.PROCESS_GB, 16 * sum(cells) / 1e9,
            len(rounds) * (rates.START_S + played / rates.NODE_VALUES / threads),
        )
    ]  # fmt: skip


def _touched(traversals: float) -> float:
    """The share of a table that so many traversals an entry come to: fitted to `default`."""
    return min(1.0, 0.22 * traversals**0.36)


def _self_generated(config: Config, entries: int, threads: int) -> list[PlanLine]:
    """The values of the first round; no line without them."""
    section, classes = config.self_generated, config.deck.ranks**2
    responses, leaves = 2 * (section.values - 1), 13  # in the tree of `hunl`
    if responses < 0:
        return []
    shared = RESPONSES.iterations / rates.RESPONSES + RESPONSES.roll_outs * leaves / rates.ROLL_OUTS
    solved = RESPONSES.trunk_iterations * section.values / 2 * rates.FIRST_ROUND_ITERATION_S
    seconds = rates.START_S + responses * (shared / threads + solved)
    disk = 2 * section.values * leaves * classes**2 * 4 / 1e9
    memory = 12 * entries / 1e9 + 3 * disk + rates.PROCESS_GB
    return [PlanLine("self-generated", "strategies", responses, memory, disk, seconds)]


def _matches(config: Config, entries: int, threads: int) -> PlanLine:
    snapshots = len(config.blueprint.snapshots())
    matches = len(BASELINES) + 2 + len(GENERATORS[GENERATOR].names) + snapshots
    hands = matches * config.evaluation.deals * config.game.seats
    memory = 2 * entries / 1e9 + rates.PROCESS_GB
    seconds = (matches + snapshots + 2) * rates.START_S + hands / rates.HANDS
    return PlanLine("evaluation", "hands", hands, memory, 0.01, seconds, threads)


def _aivat(config: Config, entries: int, tree: Counts, threads: int) -> list[PlanLine]:
    """The values of AIVAT, and the matches that it scores: the blueprint against its own kind."""
    asked, seats = config.evaluation, config.game.seats
    if not asked.aivat_deals:
        return []
    disk = (16 + 4 * seats) * tree.nodes / 1e9  # and the values of the first round, never as much
    playing = rates.START_S + 2 * asked.values_hands / rates.SELF_PLAY / half(threads)
    matches = 6
    hands = matches * asked.aivat_deals * seats
    scoring = matches * rates.START_S + hands / rates.AIVAT_HANDS
    memory = 2 * entries / 1e9 + 2 * disk + rates.PROCESS_GB
    # Counted in self-play: bucket against bucket, and by seats at the nodes of the first round.
    most, nodes = max(config.bucket_counts), int(tree.decisions[0].sum())
    counted = (20 * len(config.bucket_counts) * most + 4 * seats**2 * nodes) * most
    return [
        PlanLine("values", "hands", asked.values_hands, memory + max(1.0, counted / 1e9), disk,
                 playing, threads // half(threads)),
        PlanLine("aivat", "hands", hands, memory, 0.0, scoring, threads),
    ]  # fmt: skip


def _bounds(config: Config, entries: int, threads: int) -> list[PlanLine]:
    """Best responses to the blueprint and to uniform play: exact where they can be had, or the
    local ones of two players."""
    seats = config.game.seats
    if MEASUREMENTS["response"].wanted(config):
        work = rates.RESPONSE_S if config.game.cards == "holdem" else 0.0
        memory = 2 * entries / 1e9 + rates.PROCESS_GB + 0.5
        return [PlanLine("best response", "players", seats, memory, 0.0, rates.START_S + work)]
    deals, jobs = config.evaluation.lbr_deals, len(BOUNDS) * len(BOUNDED_AGENTS)
    if not deals or not bounded(config.game):
        return []
    hands = 4 * deals * jobs
    seconds = jobs * rates.START_S + hands / rates.LBR_HANDS / threads
    memory = entries / 1e9 + rates.PROCESS_GB + 0.3
    return [PlanLine("lower bounds", "hands", hands, memory, 0.0, seconds)]


def _experiments(config: Config, entries: int, threads: int) -> PlanLine:
    section, seats = config.evaluation.experiments, config.game.seats
    hands = 2 * section.deals * (seats + 1)  # one more is the Control's
    memory = (1 + len(PARTICIPANTS)) * entries / 1e9 + rates.PROCESS_GB
    scored = section.aivat_deals * seats * (1 + 2 * (seats - 1))  # every copy, and the Control's
    played = hands / rates.TABLE_HANDS + scored / rates.AIVAT_HANDS
    seconds = 2 * rates.START_S + played / half(threads)
    return PlanLine("experiments", "hands", hands, memory, 0.01, seconds, threads // half(threads))
