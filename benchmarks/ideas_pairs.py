"""The pairs that `python -m benchmarks ideas` compares: an idea, and the same without it."""

import mmap
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from benchmarks import ideas_kernels as kernels
from benchmarks import ideas_rows as by_row
from benchmarks.ground import Ground, preset
from sixmax.cfr.layout import Layout, layout
from sixmax.cfr.regret import discount
from sixmax.cfr.sampled.average import turns as counted
from sixmax.cfr.sampled.log import CHUNKS, Log, apply_part, new_log
from sixmax.cfr.sampled.traverse import new_scratch, run_batch
from sixmax.game.tree import DECISION, kind_of, n_actions, round_of, seat_of

DEALS, SEED = np.uint64(7), np.uint64(3)
LANES = 8  # hands that take turns
THOUSANDTHS = 1000.0


class Pair(NamedTuple):
    """An idea with its absence: both do the same work of a turn and return how many units of it."""

    idea: str
    unit: str
    fresh: Callable[[int], Any]  # work number 0, 1, …; making it is not measured
    having: Callable[[Any], float]
    without: Callable[[Any], float]


class Size(NamedTuple):
    """How much a turn does."""

    deals: int = 20_000  # some 40 MB of rows: each set pushes the one before out of the cache
    hands: int = 400_000  # some 35 MB
    steps: int = 1_000_000  # of descents; ten times as many numbers
    reads: int = 1_000_000
    entries: int = 1 << 28
    batch: int = 20_000


SMALL = Size(20, 50, 1000, 1000, 1 << 16, 20)


def walks(on: Ground, size: Size) -> Iterator[Pair]:
    """The stack against recursion; one deal for all traversers; when buckets are looked up."""
    seats, unit = on.tree.columns.shape[1], "decision nodes"
    log, scratch = new_log(4096, 1024, 16), new_scratch(on.dealer.deal(DEALS, 1, 1))
    state, used = np.empty(1, np.uint64), np.empty(2, np.int64)
    bucket, perm = np.empty((seats, 4), np.int32), np.empty(4, np.int8)

    def fresh(turn: int):
        return on.dealer.deal(DEALS, 1 + turn * size.deals, size.deals)

    def stack(shared: bool = True, on: Ground = on) -> Callable[[Any], float]:
        return lambda deals: kernels.walk(
            shared, on.tree, on.layout, on.table.regret, deals, SEED, on.schedule.pruning(), log,
            scratch,
        )[0]  # fmt: skip

    def recursion(everywhere: bool) -> Callable[[Any], float]:
        return lambda deals: kernels.walk_recursive(
            everywhere, on.tree, on.layout, on.table.regret, deals, SEED, log, scratch, state, used
        )[0]

    def dealing(each: bool) -> Callable[[int], float]:
        n = size.deals * (seats if each else 1)
        return lambda turn: stack(not each)(on.dealer.deal(DEALS, 1 + turn * size.deals * seats, n))

    def looking(each: bool) -> Callable[[Any], float]:
        return lambda dealt: kernels.walk_looking(
            each, on.tree, on.layout, on.table.regret, dealt[0], on.dealer.tables, dealt[1], SEED,
            on.schedule.pruning(), log, scratch, bucket, perm,
        )[0]  # fmt: skip

    def cards(turn: int):
        return on.dealer.cards(DEALS, 1 + turn * size.deals, size.deals), fresh(turn).rank

    yield Pair("an explicit stack (against recursion at the traverser's nodes)", unit, fresh,
               stack(), recursion(everywhere=False))  # fmt: skip
    yield Pair("opponents sampled without recursion (against recursion at every node)", unit, fresh,
               recursion(everywhere=False), recursion(everywhere=True))  # fmt: skip
    yield Pair("one deal for the traversers of an iteration (against a deal for each)", unit,
               lambda turn: turn, dealing(each=False), dealing(each=True))  # fmt: skip
    yield Pair("bucket ids of a deal looked up once (against by each of its traversers)", unit,
               cards, looking(each=False), looking(each=True))  # fmt: skip
    yield from _pages(on, fresh, stack)


def _pages(on: Ground, fresh: Callable, stack: Callable) -> Iterator[Pair]:
    """The traversals on two copies of the table, where the system can be asked for pages."""
    if not hasattr(mmap, "MADV_HUGEPAGE"):
        return
    regret = on.table.regret
    asked = {a: on_pages(regret, a) for a in (mmap.MADV_HUGEPAGE, mmap.MADV_NOHUGEPAGE)}

    def walk(advice: int) -> Callable[[Any], float]:
        copy = on._replace(table=on.table._replace(regret=asked[advice]))
        return stack(on=copy)

    yield Pair("huge pages (against pages of 4 KB)", "decision nodes", fresh,
               walk(mmap.MADV_HUGEPAGE), walk(mmap.MADV_NOHUGEPAGE))  # fmt: skip


def on_pages(array: np.ndarray, advice: int) -> np.ndarray:
    """A copy of ``array`` in memory of which the system got ``advice`` before it was touched."""
    memory = mmap.mmap(-1, array.nbytes, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    memory.madvise(advice)
    copy = np.frombuffer(memory, array.dtype)
    copy[:] = array
    return copy


def trees(on: Ground, size: Size) -> Iterator[Pair]:
    """Records and children as they are, split, and scattered; numbers from counters."""
    node, steps, unit = on.tree.node, size.steps, "nodes"
    fields = tuple(np.ascontiguousarray(node[:, k]) for k in range(4))
    scattered, child = scatter(node)

    def packed(seed: np.uint64) -> float:
        return kernels.descend(node, steps, seed)[0]

    yield Pair("packed node records (against an array for each field)", unit, np.uint64, packed,
               lambda seed: kernels.descend_split(*fields, steps, seed)[0])  # fmt: skip
    yield Pair(
        "children contiguous (against scattered, with a table)", unit, np.uint64, packed,
        lambda seed: kernels.descend_scattered(scattered, child, steps, seed)[0],
    )  # fmt: skip
    yield Pair("splitmix64 counters (against numba's Mersenne twister)", "numbers",
               lambda turn: 10 * steps, lambda n: (kernels.draw_splitmix(n), n)[1],
               lambda n: (kernels.draw_mersenne(n), n)[1])  # fmt: skip


def scatter(node: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The nodes but the root in any order, and where the children of each are."""
    at = np.concatenate([[0], 1 + np.random.default_rng(1).permutation(len(node) - 1)])
    moved = np.empty_like(node)
    moved[at] = node
    actions = np.where(kind_of(node[:, 0]) == DECISION, n_actions(node[:, 0]), 0)
    child = np.zeros((len(node), actions.max()), np.int32)
    for a in range(actions.max()):
        has = np.flatnonzero(actions > a)
        child[at[has], a] = at[node[has, 1] + a]
    return moved, child


def rows(on: Ground, size: Size) -> Iterator[Pair]:
    """Hands that all seats play from the table: where rows lie, and what is done at each."""
    unit, regret, lanes = "decision nodes", on.table.regret, by_row.new_lanes(LANES)

    def fresh(turn: int):
        return on.dealer.deal(DEALS, 1 + turn * size.hands, size.hands)

    def plain(deals: Any) -> float:
        return by_row.sampled(on.tree, on.layout, regret, deals, SEED)[0]

    yield Pair(
        f"{LANES} hands in turns, the next row of each prefetched (against one after the other)",
        unit, fresh,
        lambda deals: by_row.sampled_in_lanes(on.tree, on.layout, regret, deals, SEED, lanes)[0],
        plain,
    )  # fmt: skip
    yield from _by_node(on, fresh, plain)
    yield from _by_epoch(on, fresh, plain)
    array = aligned(np.ones(size.entries + by_row.LINE, np.int32))
    yield Pair("a row of four regrets in one cache line (against always across two)", "rows",
               np.uint64, lambda seed: (by_row.chase(array, size.reads, 0, seed), size.reads)[1],
               lambda seed: (by_row.chase(array, size.reads, 14, seed), size.reads)[1])  # fmt: skip


def _by_node(on: Ground, fresh: Callable, plain: Callable) -> Iterator[Pair]:
    turned, record = by_node(on)
    yield Pair(
        "all buckets of a node together (against all nodes of a bucket, as it is)",
        "decision nodes", fresh,
        lambda deals: by_row.sampled_by_node(on.tree, on.layout, turned, record, deals, SEED)[0],
        plain,
    )  # fmt: skip


def by_node(on: Ground) -> tuple[np.ndarray, np.ndarray]:
    """The table by node, and where each node's rows begin: of ``transpose``."""
    turned, record = np.zeros_like(on.table.regret), np.zeros(len(on.tree.node), np.int32)
    by_row.transpose(on.tree, on.layout, on.table.regret, turned, record)
    return turned, record


def _by_epoch(on: Ground, fresh: Callable, plain: Callable) -> Iterator[Pair]:
    """Rows that are never behind: the least that epochs can cost. Passes get the share of the table
    that belongs to so many visits in the default schedule."""
    wide, table, slot = by_epoch(on)
    regret, every = on.table.regret, preset("default").blueprint.discount_every
    log, scratch = new_log(4096, 1024, 16), new_scratch(on.dealer.deal(DEALS, 1, 1))
    some = on.dealer.deal(DEALS, 1, 100)
    visited, _ = kernels.walk(True, on.tree, on.layout, regret, some, SEED,
                              on.schedule.pruning(), log, scratch)  # fmt: skip
    between = every * visited / len(some.bucket)  # decision nodes of the traversals of an interval

    def passes(deals: Any) -> float:
        nodes = plain(deals)
        discount(regret[: int(regret.size * min(1.0, nodes / between))], 1.0)
        return nodes

    yield Pair(
        "discounts by epoch, looked at at every visit (against passes, as it is)",
        "decision nodes", fresh,
        lambda deals: by_row.sampled_by_epoch(on.tree, wide, table, slot, deals, SEED, 0, 1.0)[0],
        passes,
    )  # fmt: skip


def by_epoch(on: Ground) -> tuple[Layout, np.ndarray, np.ndarray]:
    """Layout and table with an epoch behind each row, and where each node's rows begin."""
    head = on.tree.node[:, 0]
    head = head[kind_of(head) == DECISION]
    columns = on.tree.columns.copy()
    np.add.at(columns, (round_of(head), seat_of(head)), 1)
    wide = layout(on.tree._replace(columns=columns), [int(b) for b in on.layout.buckets])
    table, slot = np.zeros(wide.size, np.int32), np.zeros(len(on.tree.node), np.int32)
    by_row.widen(on.tree, on.layout, on.table.regret, wide, table, slot)
    return wide, table, slot


def aligned(array: np.ndarray) -> np.ndarray:
    """``array`` less what stands before its first cache line."""
    line = by_row.LINE * array.itemsize
    array = array[-array.ctypes.data % line // array.itemsize :]
    assert array.ctypes.data % line == 0
    return array


def sums(on: Ground, size: Size) -> Iterator[Pair]:
    """Logs added to copies of the table, in int32 and in float32."""
    whole, single = on.table.regret.copy(), on.table.regret.astype(np.float32)

    def add(k: int, table: np.ndarray) -> Callable[[Any], float]:
        def run(logs: tuple[Log, Log]) -> float:
            apply_part(table, on.table.count, logs[k], on.schedule.regret_floor, CHUNKS)
            return int(logs[k].used[:, 0].sum())

        return run

    yield Pair("float32 sums (against int32)", "rows added", lambda turn: logs(on, size, turn),
               add(1, single), add(0, whole))  # fmt: skip


def logs(on: Ground, size: Size, turn: int) -> tuple[Log, Log]:
    """What a batch would add, rounded to int32, and to a thousandth of a chip in float32."""
    deals, entries = on.dealer.deal(DEALS, 1 + turn * size.batch, size.batch), 1 << 12
    log = new_log(entries, 1, 16)
    visits = counted(on.tree, 1)
    while not run_batch(
        on.tree, on.layout, on.table.regret, deals, 1 + turn * size.batch, SEED,
        on.schedule.pruning(), 0, visits, THOUSANDTHS, log, 0, size.batch, 1,
    ):  # fmt: skip
        entries *= 2
        log = new_log(entries, 1, 16)
    exact = log.delta / THOUSANDTHS
    return (log._replace(delta=np.rint(exact).astype(np.int32)),
            log._replace(delta=exact.astype(np.float32)))  # fmt: skip
