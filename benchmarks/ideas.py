"""Ideas that are known to pay, each against its absence: `python -m benchmarks ideas`.

Both forms do the same work in turns on one core, on the default tree after some seconds of
training, so that other work on the machine stretches both; the rate is by processor seconds.
"""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from benchmarks import ideas_kernels as kernels
from benchmarks.ground import PLAIN, Ground, default_game, ground
from benchmarks.measure import short
from benchmarks.training import fill
from sixmax.cfr.log import new_log
from sixmax.cfr.mccfr import new_scratch
from sixmax.jit import set_threads

Form = Callable[[], float]  # does the work and returns how many units of it
PAGES = (
    "import json; from benchmarks import ideas; print(json.dumps(ideas.on_pages({small}, {fill})))"
)


class Found(NamedTuple):
    """An idea measured: rates a second with it and without, medians by processor seconds."""

    idea: str
    unit: str
    having: float
    without: float
    ratios: tuple[float, float]  # of the turns: with against without, lowest and highest


def compare(idea: str, unit: str, having: Form, without: Form, turns: int) -> Found:
    """Turn about: with, without, with, …; a first turn of each does not count."""
    having(), without()
    pairs = [(_rate(having), _rate(without)) for _ in range(turns)]
    ratios = [a / b for a, b in pairs]
    a, b = (float(np.median(x)) for x in zip(*pairs, strict=True))
    return Found(idea, unit, a, b, (min(ratios), max(ratios)))


def _rate(form: Form) -> float:
    spent = time.process_time()
    done = form()
    return done / max(time.process_time() - spent, 1e-9)


def measure(filling: float, small: bool, say: Callable[[str], None]) -> list[Found]:
    """All of them."""
    set_threads(1)
    turns = 1 if small else 7
    on = _ground(small)
    fill(on, filling)
    found: list[Found] = []

    def add(*arguments: object) -> None:
        found.append(compare(*arguments, turns))
        say(row(found[-1]))

    for arguments in (*_walks(on, 50 if small else 1500), *_trees(on, 10**4 if small else 10**6),
                      *_memory(on, small)):  # fmt: skip
        add(*arguments)
    found.append(_huge_pages(filling, small))
    say(row(found[-1]))
    return found


def _ground(small: bool) -> Ground:
    game, ranks = (default_game(3), 6) if small else (default_game(6), 13)
    return ground("ideas", game, ranks, (5, 5, 5) if small else (200, 200, 200), PLAIN)


def _walks(on: Ground, iterations: int) -> list[tuple]:
    """The stack against recursion, on the same deals; and what looks up their buckets."""
    deals = on.dealer.deal(np.uint64(7), 1, iterations)
    log, scratch = new_log(4096, 1024, 16), new_scratch(deals)
    values = {}

    def by(way: int) -> Form:
        def run() -> float:
            nodes, values[way] = kernels.walk(
                way, on.tree, on.layout, on.table.regret, deals, np.uint64(3),
                on.schedule.pruning(), log, scratch,
            )  # fmt: skip
            return nodes

        return run

    for way in (kernels.STACK, kernels.OWN, kernels.ALL):
        by(way)()
    assert values[kernels.STACK] == values[kernels.OWN] == values[kernels.ALL]
    unit = "decision nodes"

    def once() -> float:
        """What `train` does: the buckets of a deal, then its traversers."""
        on.dealer.deal(np.uint64(7), 1, iterations)
        return by(kernels.STACK)()

    def each() -> float:
        """A deal, and so its look-ups, for every traverser."""
        for k in range(on.tree.columns.shape[1]):
            on.dealer.deal(np.uint64(7), 1 + k * iterations, iterations)
        return by(kernels.STACK)()

    return [
        ("an explicit stack (against recursion at the traverser's nodes)", unit,
         by(kernels.STACK), by(kernels.OWN)),
        ("opponents sampled without recursion (against recursion at every node)", unit,
         by(kernels.OWN), by(kernels.ALL)),
        ("bucket ids of a deal once for all players (against once for each)", unit, once, each),
    ]  # fmt: skip


def _trees(on: Ground, steps: int) -> list[tuple]:
    """Records and children as they are, split, and scattered; numbers from counters."""
    node = on.tree.node
    fields = tuple(np.ascontiguousarray(node[:, k]) for k in range(4))
    scattered, child = _scatter(on)
    seed, unit = np.uint64(5), "nodes"

    def packed() -> float:
        return kernels.descend(node, steps, seed)[0]

    return [
        ("packed node records (against an array for each field)", unit, packed,
         lambda: kernels.descend_split(*fields, steps, seed)[0]),
        ("children contiguous (against scattered, with a table)", unit, packed,
         lambda: kernels.descend_scattered(scattered, child, steps, seed)[0]),
        ("splitmix64 counters (against numba's Mersenne twister)", "numbers",
         lambda: (kernels.draw_splitmix(10 * steps), 10 * steps)[1],
         lambda: (kernels.draw_mersenne(10 * steps), 10 * steps)[1]),
    ]  # fmt: skip


def _scatter(on: Ground) -> tuple[np.ndarray, np.ndarray]:
    """The tree with its nodes but the root in any order, and where the children of each are."""
    node = on.tree.node
    at = np.concatenate([[0], 1 + np.random.default_rng(1).permutation(len(node) - 1)])
    moved = np.empty_like(node)
    moved[at] = node
    actions = np.where(node[:, 0] & 15 == kernels.DECISION, node[:, 0] >> 12 & 255, 0)
    child = np.zeros((len(node), actions.max()), np.int32)
    for a in range(actions.max()):
        has = np.flatnonzero(actions > a)
        child[at[has], a] = at[node[has, 1] + a]
    return moved, child


def _memory(on: Ground, small: bool) -> list[tuple]:
    """Where the rows lie, and how they are discounted."""
    deals = on.dealer.deal(np.uint64(9), 1, 50 if small else 100_000)
    table, record = on.table.regret, np.zeros(len(on.tree.node), np.int32)
    turned = np.zeros_like(table)
    kernels.transpose(on.tree, on.layout, table, turned, record)
    array, steps = np.ones(1 << (16 if small else 28), np.int32), 1000 if small else 400_000
    ends = {}

    def rows(by_node: bool) -> Form:
        def run() -> float:
            nodes, ends[by_node] = kernels.sampled(
                on.tree, on.layout, turned if by_node else table, record, deals, by_node,
                np.uint64(2),
            )  # fmt: skip
            return nodes

        return run

    assert rows(True)() == rows(False)()
    assert ends[True] == ends[False]

    def chase(shift: int) -> Form:
        return lambda: (kernels.chase(array, steps, shift), steps)[1]

    return [
        ("all buckets of a node together (against all nodes of a bucket, as it is)",
         "decision nodes", rows(True), rows(False)),
        ("a row of regrets in one cache line (against always across two)", "rows",
         chase(0), chase(14)),
    ]  # fmt: skip


def on_pages(small: bool, filling: float) -> tuple[float, float]:
    """Random reads and decision nodes a processor second, on what pages numpy asks for."""
    array, steps = np.ones(1 << (16 if small else 28), np.int32), 1000 if small else 400_000
    kernels.chase(array, 10, 0)
    reads = float(np.median([_rate(lambda: (kernels.chase(array, steps, 0), steps)[1])
                             for _ in range(3)]))  # fmt: skip
    set_threads(1)
    on = _ground(small)
    fill(on, filling)
    walk = _walks(on, 50 if small else 1500)[0][2]
    return reads, float(np.median([_rate(walk) for _ in range(3)]))


def _huge_pages(filling: float, small: bool) -> Found:
    """numpy asks for huge pages for its larger arrays; here it is told not to."""
    found: dict[str, list] = {"1": [], "0": []}
    code = PAGES.format(small=small, fill=filling)
    for _ in range(1 if small else 3):
        for asks, rates in found.items():
            made = subprocess.run(
                [sys.executable, "-c", code], check=True, capture_output=True, text=True,
                env={**os.environ, "NUMPY_MADVISE_HUGEPAGE": asks},
            )  # fmt: skip
            rates.append(json.loads(made.stdout.splitlines()[-1])[1])
    ratios = [a / b for a, b in zip(found["1"], found["0"], strict=True)]
    having, without = (float(np.median(found[k])) for k in ("1", "0"))
    return Found("huge pages (against pages of 4 KB)", "decision nodes", having, without,
                 (min(ratios), max(ratios)))  # fmt: skip


def row(found: Found) -> str:
    """A line of the table."""
    low, high = found.ratios
    return (
        f"| {found.idea} | {short(found.having)} | {short(found.without)} | {found.unit} | "
        f"{found.having / found.without:.2f} x | {low:.2f} to {high:.2f} |"
    )


def markdown(found: list[Found]) -> str:
    """The table of what was measured."""
    head = (
        "| idea | with, a second | without | of | gain | of the turns |\n|---|---|---|---|---|---|"
    )
    return "\n".join([head, *map(row, found)]) + "\n"
