"""`make bench` at its smallest: every measurement runs, and what it measures is what it says."""

import json
import subprocess
import sys
import time
from itertools import pairwise

import numpy as np
import pytest
from benchmarks import (
    abstraction,
    fit,
    growth,
    measure,
    memory,
    picture,
    programs,
    startup,
    table,
    training,
)
from benchmarks.__main__ import _departures, main
from benchmarks.ground import crude, default_game, toy_ground
from benchmarks.training import enough, go
from click.testing import CliRunner

from sixmax.cards.deck import pack
from sixmax.cards.evaluate import evaluate_packed
from sixmax.cfr.sampled.log import COUNT
from sixmax.rates import CACHE_GB

GROUPS = ("memory", "evaluator", "features", "clustering", "betting tree", "external sampling",
          "traversal", "programs", "discount", "checkpoint", "start", "average", "continuation",
          "match", "quality", "experiment", "AIVAT", "search: a river",
          "search: a flop")  # fmt: skip


def bench(*arguments):
    return CliRunner().invoke(main, ["--small", *map(str, arguments)], catch_exceptions=False)


@pytest.mark.slow
def test_bench__measures_every_stage_and_calls_a_planted_slowdown(tmp_path, monkeypatch):
    made = "--out", tmp_path, "--run", tmp_path / "no-run"
    first = bench(*made)
    assert first.exit_code == 0
    found = table.load(tmp_path / "table.json")
    for group in GROUPS:
        rates = [x["median"] for x in found["lines"] if x["group"].startswith(group)]
        assert rates, f"nothing was measured of {group}"
        assert min(rates) > 0
    text = (tmp_path / "table.md").read_text()
    assert "default, trained table is not measured" in text
    assert "no line of" not in text  # every target finds the line that it looks for
    assert found["machine"]["versions"]["numba"]

    before = tmp_path / "before.json"
    before.write_text((tmp_path / "table.json").read_text())
    kernel = memory._chase_kernel
    monkeypatch.setattr(memory, "_chase_kernel", lambda a, n: [kernel(a, n) for _ in range(100)])
    slowed = bench(*made, "--only", "cards", "--against", before, "--fail")
    assert slowed.exit_code == 1
    assert "SLOWER: memory, one core, random reads" in slowed.output
    assert len(table.load(tmp_path / "table.json")["lines"]) == len(found["lines"])


def test_growth__draws_and_lists_every_point(tmp_path):
    run = ["growth", "--small", "--out", str(tmp_path)]
    assert CliRunner().invoke(main, run, catch_exceptions=False).exit_code == 0
    points = json.loads((tmp_path / "growth.json").read_text())["points"]
    assert {p["cores"] for p in points} == set(measure.ONE_AND_TWO)
    assert "<svg" in (tmp_path / "growth.svg").read_text()
    for p in points:
        assert 0 < p["touched_gb"] <= p["table_gb"] + growth.PAGE / 1e9
        assert p["visits"] > 1
        assert (p["gain"] is None) == (p["cores"] == 1)
    assert f"{points[0]['decisions']:,}" in picture.markdown([growth.Point(**p) for p in points], 2)


def test_meter__reports_median_and_spread():
    meter = measure.Meter(say=lambda text: None)
    meter.begin("group")
    found = meter.add("work", "things/s", [(10.0, 1.0, 0.5), (10.0, 2.0, 0.5), (10.0, 5.0, 0.5)])
    assert (found.low, found.median, found.high) == (2.0, 5.0, 10.0)
    assert found.processor == 20.0
    assert found.had == 0.25


def test_gain__takes_the_ratios_of_turns():
    meter = measure.Meter(say=lambda text: None)
    meter.begin("group")
    two = [(20.0, 2.0, 3.9), (40.0, 1.0, 1.9), (19.0, 1.0, 2.0)]  # 10, 40 and 19 by the clock
    one = [(5.0, 9.0, 1.0), (10.0, 9.0, 0.5), (10.0, 1.0, 1.0)]  # 5, 20 and 10 by the processor
    assert meter.gain("two against one", two, one) == 2.0
    assert meter.values == {"two against one": 2.0}
    assert meter.notes == ["group: two against one: 2.00 times in the same turn, 1.90 to 2.00 in 3"]


def test_timed__does_the_work_again_until_it_lasts():
    done = []
    units, clock, _ = measure.timed(lambda: done.append(1) or 2.0, 0.01)
    assert units == 2.0 * len(done) > 2.0
    assert clock >= 0.01


def test_others__had_what_was_busy_and_not_ours(monkeypatch):
    clock, busy, own = [100.0], [50.0], [7.0]
    monkeypatch.setattr(measure.time, "monotonic", lambda: clock[0])
    monkeypatch.setattr(measure, "_busy", lambda: busy[0])
    monkeypatch.setattr(measure, "_own", lambda: own[0])
    others = measure.Others()
    clock[0], busy[0], own[0] = 110.0, 65.0, 12.0  # ten seconds, fifteen of processors, five ours
    assert others.had() == pytest.approx(1.0)
    busy[0] = 51.0  # less than we had
    assert others.had() is None


def test_others__are_seen_when_they_work():
    """A child that has not been waited for is another program."""
    code = "import time; end = time.time() + 1\nwhile time.time() < end: pass"
    others = measure.Others()
    child = subprocess.Popen([sys.executable, "-c", code])
    time.sleep(1.0)
    if (seen := others.had()) is None:
        pytest.skip("the system does not say what its processors did")
    assert seen > 0.4
    child.wait()
    assert others.had() < seen - 0.3  # it has been, and is ours


def test_programs__together_do_what_each_does_while_both_work():
    class Pipe:
        def __init__(self, *made):
            self.made, self.told = training.Turn(*made), []
            self.send = self.told.append

        def recv(self):
            return self.made

    pipes = [Pipe(8, 60, 1.5, 1.2), Pipe(8, 30, 1.0, 1.0)]
    found = programs._together([programs.Program(None, p) for p in pipes], 2.0)
    assert found == (pytest.approx(2 * (40 + 30)), 2.0, pytest.approx(2 * (0.8 + 1.0)))
    assert pipes[0].told == pipes[1].told


@pytest.mark.parametrize(
    ("had", "others", "expected"),
    [(1.5, 0.0, "1.50 x"), (1.5, 1.0, "not measurable: had 1.50"), (1.9, 2.0, "1.50 x")],
)
def test_gain__is_said_where_the_cores_could_be_had(had, others, expected):
    both = growth.Point("c", "g", 6, 1, 1, 2, 1.0, 1.0, 15.0, 15.0 / had, 1.0, others, gain=1.5)
    assert picture._gain(both, 2) == expected


def test_gain__is_of_the_same_turns():
    """What others do in one turn slows both: medians of different turns would say two."""
    point = growth.Point("c", "g", 6, 1, 1, 1, 1.0, 1.0, 10e6, 10e6, 1.0, 0.0)
    both = point._replace(cores=2, rate=20e6, gain=1.5)
    head, _, row = picture.markdown([point, both], 1).splitlines()
    assert head.endswith("| 2 cores against one |")
    assert row.endswith("| 10.00 | 1.50 x |")
    assert "against one" not in picture.markdown([point], 1)


@pytest.mark.parametrize("share", [1.0, 0.1])
def test_stretches__are_spread_over_all_of_it(share):
    spans = abstraction.stretches(1003, share)
    assert sum(b - a for a, b in spans) == pytest.approx(1003 * share, abs=5)
    assert spans[0][0] == 0
    assert spans[-1][1] > 800
    assert all(a < b <= c for (a, b), (c, _) in pairwise(spans))


def test_crude__buckets_are_in_the_order_of_strength_and_of_one_size():
    buckets = crude(6, (5, 5, 5))
    row = buckets.river[0]
    used = row[row != 255]
    assert np.bincount(used).min() >= len(used) // 5
    assert default_game(3).seats == 3


def test_phevaluator__ranks_hands_as_we_do():
    """Another evaluator's order, where it is installed: lower is better there."""
    phevaluator = pytest.importorskip("phevaluator")
    from benchmarks.cards import hands

    some = hands(2000)
    ours = np.array([evaluate_packed(pack(hand)) for hand in some])
    theirs = np.array([phevaluator.evaluate_cards(*hand) for hand in some.tolist()])
    order = np.argsort(ours, kind="stable")
    assert (np.diff(theirs[order]) <= 0).all()
    assert np.array_equal(np.diff(ours[order]) == 0, np.diff(theirs[order]) == 0)


def test_fit__finds_the_laws_that_made_the_points():
    points = [
        growth.Point("tree size", "g", 6, n, 200, 1, gb, gb, 1.0, 1e9 / (50 + 10 * doubled),
                     3.0 * n**0.25, 0.0)
        for n, doubled in ((10**4, 0), (10**5, 2), (10**6, 5))
        for gb in [CACHE_GB * 2**doubled]
    ]  # fmt: skip
    found = fit.fit(points)
    assert found.visits_power == pytest.approx(0.25)
    assert (found.node_ns, found.miss_ns) == (pytest.approx(50), pytest.approx(10))


def test_go__trains_whole_batches_and_goes_on():
    on = toy_ground("leduc", batch=10)
    stats = go(on, 95)
    assert stats.traversals == 2 * 90
    assert stats.nodes > stats.traversals
    assert on.done == [90]


def test_toy_ground__keeps_the_average_of_every_iteration():
    on = toy_ground("leduc")
    go(on, 10)
    first, second = (on.table.count[a:b].sum() for a, b in pairwise(on.layout.start))
    assert first >= 10 * COUNT  # a visit an iteration, at the least
    assert second > 0


def test_enough__is_of_one_call_that_lasts():
    on = toy_ground("leduc")
    iterations = enough(on, 0.02)
    assert iterations % on.schedule.batch == 0
    assert on.done[0] > 2 * iterations  # what was tried before, and that
    assert training.turn(on, 8 * iterations).clock > 0.02


def test_turn__leaves_out_what_a_call_prepares(monkeypatch):
    on, clock = toy_ground("leduc", batch=10), [0.0]
    found = go(on, on.schedule.batch)

    def prepares(*arguments):
        iterations = arguments[-1] - arguments[-2] + 1
        clock[0] += 5.0 + iterations / 10.0
        return found._replace(traversals=2 * iterations, nodes=9 * iterations)

    for name in ("perf_counter", "process_time"):
        monkeypatch.setattr(training.time, name, lambda: clock[0])
    assert training.turn(on, 30, prepares) == (40, 180, 2.0, 2.0)


def test_go__begins_at_a_whole_batch():
    """Ways with batches of their own train one table in turns."""
    on, asked = toy_ground("leduc", batch=10), []
    on.done[0] = 7
    go(on, 25, lambda *arguments: asked.append(arguments[-2:]))
    go(on._replace(schedule=on.schedule._replace(batch=4)), 1, lambda *a: asked.append(a[-2:]))
    assert asked == [(11, 30), (33, 36)]


def test_traversal__repeats_turns_that_are_too_short(monkeypatch):
    on, sizes = toy_ground("leduc"), []

    def turn(on, iterations):
        sizes.append(iterations)
        return training.Turn(2 * iterations, 9 * iterations, iterations / 100.0, 1.0)

    monkeypatch.setattr(training, "enough", lambda on, seconds: 10)
    monkeypatch.setattr(training, "turn", turn)
    training.traversal(measure.Meter(2, say=lambda text: None), on, 0.5, (1,))
    assert sizes == [10, 20, 40, 40]


def test_traversal__compares_cores_in_the_same_turn(monkeypatch):
    """The host is half as fast in the second of three turns, and the clock of one core runs on."""
    slow, threads = iter([1.0, 1.0, 2.0, 2.0, 1.0, 1.0]), iter([1, 2] * 3)

    def turn(on, iterations):
        slower, n = next(slow), next(threads)
        return training.Turn(20, 100, slower * (2.0 if n == 1 else 0.8), slower * 1.2)

    monkeypatch.setattr(training, "enough", lambda on, seconds: 10)
    monkeypatch.setattr(training, "turn", turn)
    meter = measure.Meter(3, say=lambda text: None)
    found = training.traversal(meter, toy_ground("leduc"), 0.5, (1, 2))
    assert found == {2: pytest.approx(1.5)}
    assert meter.values == {"leduc, 2 cores against one": found[2]}


def test_start__is_a_job_less_its_work_in_the_same_turn(monkeypatch):
    wholes = iter([(1.0, x, 9.0) for x in (9.0, 1.0, 2.5, 1.2)])  # the first compiles
    works = iter([(1.0, x, 9.0) for x in (0.5, 2.2, 0.1)])
    monkeypatch.setattr(startup, "_whole", lambda *arguments: next(wholes))
    monkeypatch.setattr(startup, "_again", lambda *arguments: next(works))
    meter = measure.Meter(3, say=lambda text: None)
    startup._stage(meter, "tree", "of a small game", [])
    assert meter.values == {startup.start("tree"): pytest.approx(0.5)}
    assert meter.notes == [": start of tree, seconds: 0.50 beyond its work, 0.30 to 1.10 in 3"]


def test_departures__are_settings_that_were_given():
    for arguments, expected in (
        ([], []),
        (["--fill", "3"], ["--fill 3.0"]),
        (["--small"], ["--small True"]),
    ):
        with main.make_context("benchmarks", list(arguments)) as context:
            assert _departures(context) == expected
