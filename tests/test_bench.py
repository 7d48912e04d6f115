"""`make bench` at its smallest: every measurement runs, and tables are kept and compared."""

import json
from itertools import pairwise

import numpy as np
import pytest
from benchmarks import (
    change,
    fit,
    growth,
    measure,
    memory,
    paper,
    picture,
    table,
    targets,
    training,
)
from benchmarks import publish as publishing
from benchmarks.__main__ import main
from benchmarks.ground import crude, default_game, toy_ground
from benchmarks.training import enough, go
from click.testing import CliRunner

from sixmax import rates
from sixmax.cards.deck import pack
from sixmax.cards.evaluate import evaluate_packed
from sixmax.cfr.log import COUNT
from sixmax.errors import UserError
from sixmax.rates import CACHE_GB

MARKS = ("table", "targets", "growth", "paper", "ideas")
GROUPS = ("memory", "evaluator", "features", "clustering", "betting tree", "external sampling",
          "traversal", "discount", "checkpoint", "start", "average", "continuation", "match",
          "quality", "experiment", "AIVAT", "search: a river", "search: a flop")  # fmt: skip


def record(lines, load=0.0, departures=(), **about):
    """A table of these lines, all of one group."""
    stamp = measure.Stamp("2026-01-01", load, measure.versions(), list(departures))
    return {"machine": measure.machine() | {"cores": 2} | about, "when": "2026-01-01",
            "seconds": 60, "skipped": [], "notes": ["a note"],
            "lines": [x._asdict() for x in lines], "values": {}, "spent": {"group": 60.0},
            "groups": {x.group: stamp._asdict() for x in lines}}  # fmt: skip


def line(what, rate, processor=None, threads=1, waits=False):
    """``rate`` by the clock; by processor seconds 5 % more a thread, if nothing is said."""
    processor = processor or 1.05 * rate / threads
    return measure.Line(
        "group", what, "things/s", rate, rate, rate, processor, 1.0, 3, threads, waits
    )


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
    assert "the trained default table is not measured" in text
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
    assert {p["cores"] for p in points} == {1, 2}
    assert "<svg" in (tmp_path / "growth.svg").read_text()
    for p in points:
        assert 0 < p["touched_gb"] <= p["table_gb"] + growth.PAGE / 1e9
        assert p["visits"] > 1
    assert f"{points[0]['decisions']:,}" in picture.markdown([growth.Point(**p) for p in points])


@pytest.mark.slow
def test_ideas__measure_every_form(tmp_path):
    run = ["ideas", "--small", "--out", str(tmp_path)]
    assert CliRunner().invoke(main, run, catch_exceptions=False).exit_code == 0
    found = json.loads((tmp_path / "ideas.json").read_text())["found"]
    assert len(found) == 9
    for x in found:
        assert min(x["having"], x["without"]) > 0


def test_compare__names_what_became_slower_what_went_and_what_came():
    before = record([line("same", 100.0), line("slower", 100.0), line("gone", 100.0)])
    now = record([line("same", 95.0), line("slower", 50.0), line("new", 1.0)])
    slower, said = change.compare(now, before)
    assert len(slower) == 1
    assert "slower: 52.5 things/s by the processor, before 105 (50 %)" in slower[0]
    assert said == ["Not measured any more: group: gone (things/s)",
                    "Not in the reference: group: new (things/s)"]  # fmt: skip
    text = table.markdown(now, before)
    assert "| -50 % |" in text
    assert "* Slower: group, slower" in text
    assert "group: gone (things/s)" in text
    assert "a note" in text
    assert "group 60 s" in text
    assert "no earlier table" in table.markdown(now, None)
    busy = table.markdown(record([line("work", 1.0)], load=2.5), None)
    assert "Beside a load of others above 2: group (2.5)." in busy
    assert "Beside" not in text


@pytest.mark.parametrize(
    ("how", "load", "expected"),
    [
        ({"waits": True}, 0.0, True),  # half of it is spent waiting
        ({"threads": 2}, 0.0, True),  # a thread idles
        ({}, 0.0, False),  # one thread that computes: somebody else had the processor
        ({"waits": True}, 6.0, False),  # others had the processors
        ({"threads": 2}, 6.0, False),
    ],
)
def test_compare__counts_the_clock_of_waits_and_threads_where_processors_were_free(
    how, load, expected
):
    before = record([line("work", 100.0, **how)])
    processor = 100.0 / how.get("threads", 1)
    now = record([line("work", 50.0, processor, **how)], load)
    slower, _ = change.compare(now, before)
    assert bool(slower) == expected
    assert ("-50 %, clock" in table.markdown(now, before)) == expected


def test_compare__says_why_it_does_not():
    before, now = record([line("work", 100.0)]), [line("work", 1.0)]
    for about in ({"processor": "another"}, {"cores": 64}):
        slower, said = change.compare(record(now, **about), before)
        assert not slower
        assert said[0].startswith("Not compared: measured on")
    slower, said = change.compare(record(now, departures=["--fill 1"]), before)
    assert not slower
    assert said == ["Not compared, the settings being others: group"]
    slower, said = change.compare(record(now, versions={"numba": "0"}), before)
    assert len(slower) == 1
    assert "numba" in said[0]


def test_record__keeps_the_groups_that_were_not_measured_anew(tmp_path):
    meter = measure.Meter(say=lambda text: None)
    for group in ("old", "new"):
        meter.begin(group)
        meter.add("work", "things/s", [(1.0, 1.0, 1.0)])
    meter.skip("a line", "a reason")
    meter.values["value"] = 1.0
    meter.end()
    (tmp_path / "table.json").write_text(json.dumps(table.record(meter)))
    again = measure.Meter(say=lambda text: None, departures=["--fill 1"])
    again.begin("new")
    again.add("work", "things/s", [(5.0, 1.0, 1.0)])
    again.end()
    found = table.record(again, keep=tmp_path / "table.json")
    assert [(x["group"], x["median"]) for x in found["lines"]] == [("old", 1.0), ("new", 5.0)]
    assert found["values"] == {"value": 1.0}
    assert set(found["spent"]) == {"old", "new"}
    assert [x["departures"] for x in found["groups"].values()] == [[], ["--fill 1"]]
    assert "new: measured apart" in table.markdown(found, None)
    assert "with --fill 1" in table.markdown(found, None)


@pytest.mark.parametrize("change", [{"machine": {"processor": "another", "cores": 1}}, {}])
def test_record__refuses_to_keep_what_was_measured_elsewhere(tmp_path, change):
    kept = record([line("work", 1.0)]) | change
    if not change:
        del kept["groups"]
    (tmp_path / "table.json").write_text(json.dumps(kept))
    meter = measure.Meter(say=lambda text: None)
    meter.begin("group")
    meter.end()
    with pytest.raises(UserError, match="measure all"):
        table.record(meter, keep=tmp_path / "table.json")


def verdicts(lines):
    """The row of each target."""
    text = targets.markdown(record(lines))
    rows = [x for x in text.splitlines() if x.startswith("| ")][1:]
    assert len(rows) == len(targets.TARGETS)
    return {x.split("|")[1].strip(): x for x in rows}


def test_targets__are_met_missed_or_not_measured():
    lines = [line("all holes of a board", 1e6, 200e6), line("one hand at a time", 1e6, 80e6),
             line("phevaluator, a call", 1e6, 4e6)]  # fmt: skip
    rows = verdicts([x._replace(group="evaluator") for x in lines])
    assert "| 200 M | yes |" in rows["evaluator, a board enumerated, hands/s/core"]
    row = rows["a board enumerated against phevaluator's Python call a hand"]
    assert "| ≥ 100 x | 50 x | **no** | a hand takes 5 ns, phevaluator's call 250 ns |" in row
    row = rows["like for like: one hand at a time against phevaluator's Python call"]
    assert "|  | 20 x | no target |" in row
    assert "| not measured |" in rows["start of a warm stage"]


@pytest.mark.parametrize(
    ("rate", "processor", "expected"),
    [
        (19.0, 9.6, "| 1.9 x | yes | had 1.98 processors"),
        (15.0, 7.6, "| 1.5 x | **no** | had 1.97 processors"),
        (11.0, 9.6, "| 1.1 x | not measurable: had 1.15 of 2 processors |"),
        (19.0, 19.0, "| 1.9 x | not measurable: had 1.00 of 2 processors |"),
    ],
)
def test_targets__two_cores_are_judged_where_they_were_had(rate, processor, expected):
    name = f"{training.SIX}, young table"
    lines = [line(f"{name}, 1 core", 5.0, 10.0), line(f"{name}, 2 cores", rate, processor, 2)]
    lines = [x._replace(group="traversal", unit="decision nodes/s") for x in lines]
    assert expected in verdicts(lines)["two cores against one, first minute"]


@pytest.mark.parametrize(
    ("rate", "processor", "expected"),
    [
        (0.5, 0.52, "| 8 s | yes |"),
        (0.2, 0.21, "| 20 s | **no** | 19 s of processor |"),
        (0.2, 0.5, "| 20 s | not measurable: had 0.40 of 1 processors | 8 s of processor |"),
        (0.5, 1.0, "| 8 s | yes |"),
    ],
)
def test_targets__what_waits_is_judged_by_the_clock(rate, processor, expected):
    written = line("written", rate, processor, waits=True)._replace(group="checkpoint")
    assert expected in verdicts([written])["a checkpoint of 4 GB written"]


def test_meter__reports_median_and_spread():
    meter = measure.Meter(say=lambda text: None)
    meter.begin("group")
    found = meter.add("work", "things/s", [(10.0, 1.0, 0.5), (10.0, 2.0, 0.5), (10.0, 5.0, 0.5)])
    assert (found.low, found.median, found.high) == (2.0, 5.0, 10.0)
    assert found.processor == 20.0
    assert found.had == 0.25


def test_timed__does_the_work_again_until_it_lasts():
    done = []
    units, clock, _ = measure.timed(lambda: done.append(1) or 2.0, 0.01)
    assert units == 2.0 * len(done) > 2.0
    assert clock >= 0.01


def test_others__are_what_the_load_leaves(monkeypatch):
    clock, spent = [100.0], [0.0]
    monkeypatch.setattr(measure.time, "monotonic", lambda: clock[0])
    monkeypatch.setattr(measure, "_spent", lambda: spent[0])
    monkeypatch.setattr(measure.os, "getloadavg", lambda: (3.0, 0.0, 0.0))
    others = measure.Others()
    assert others.load() == pytest.approx(3.0)
    clock[0], spent[0] = 1100.0, 2000.0  # long enough that all of the average is of then
    assert others.load() == pytest.approx(1.0, abs=1e-3)


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
                     3.0 * n**0.25)
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
    on, clock = toy_ground("leduc"), [0.0]
    found = go(on, on.schedule.batch)

    def prepares(on, iterations):
        clock[0] += 5.0 + iterations / 10.0
        return found._replace(traversals=2 * iterations, nodes=9 * iterations)

    monkeypatch.setattr(training, "go", prepares)
    for name in ("perf_counter", "process_time"):
        monkeypatch.setattr(training.time, name, lambda: clock[0])
    assert training.turn(on, 30) == (40, 180, 2.0, 2.0)


def test_traversal__repeats_turns_that_are_too_short(monkeypatch):
    on, sizes = toy_ground("leduc"), []

    def turn(on, iterations):
        sizes.append(iterations)
        return training.Turn(2 * iterations, 9 * iterations, iterations / 100.0, 1.0)

    monkeypatch.setattr(training, "enough", lambda on, seconds: 10)
    monkeypatch.setattr(training, "turn", turn)
    training.traversal(measure.Meter(2, say=lambda text: None), on, 0.5, (1,))
    assert sizes == [10, 20, 40, 40]


def test_paper__says_one_cost():
    found = paper.estimate()
    assert found.traversals_s == pytest.approx(rates.TRAVERSALS / found.visits / found.visit)
    assert f"{found.visit:.2f} times as much" in paper.text(found)


def test_publish__replaces_what_stands_between_the_marks(tmp_path):
    for folder in ("docs", "benchmarks"):
        (tmp_path / folder).mkdir()
    page, kept = tmp_path / "docs" / "performance.md", tmp_path / "benchmarks"
    marks = [f"<!-- {name} -->\nold\n<!-- end of {name} -->" for name in MARKS]
    page.write_text("\n".join(["before", *marks, "after"]))
    with pytest.raises(UserError, match="nothing measured"):
        publishing.publish(tmp_path, tmp_path)
    for rate in (10.0, 20.0):
        (tmp_path / "table.json").write_text(json.dumps(record([line("work", rate)])))
        publishing.publish(tmp_path, tmp_path)
    text = page.read_text()
    assert text.startswith("before\n<!-- table -->\n2026-01-01")
    assert "| work, things | 20 " in text
    assert "+100 %" in text
    assert table.load(kept / "table-before.json")["lines"][0]["median"] == 10.0
    publishing.publish(tmp_path, tmp_path)  # again: nothing changes
    assert page.read_text() == text


@pytest.mark.parametrize("name", ["table.json", "growth.json", "ideas.json"])
def test_publish__refuses_a_busy_machine_and_other_settings(tmp_path, name):
    def refused(found, busy=False):
        (tmp_path / name).write_text(json.dumps(found))
        publishing.refuse(tmp_path / name, busy)

    def kind(load, departures):
        whole = record([line("work", 1.0)], load, departures)
        about = {"machine": whole["machine"], **whole["groups"]["group"]}
        return whole if name == "table.json" else about

    refused(kind(1.9, []))
    with pytest.raises(UserError, match=r"load of others of 2\.1"):
        refused(kind(2.1, []))
    refused(kind(2.1, []), busy=True)
    with pytest.raises(UserError, match="measured with --fill 1"):
        refused(kind(0.0, ["--fill 1"]), busy=True)
    with pytest.raises(UserError, match="measure again"):
        refused({"machine": {"cores": 2}})


def test_publish__compares_with_the_table_that_it_replaces():
    kept = publishing.ROOT / "benchmarks"
    before, now = (table.load(kept / name) for name in ("table-before.json", "table.json"))
    assert before["lines"]
    assert before != now


def test_publish__documents_have_the_marks():
    text = (publishing.ROOT / "docs" / "performance.md").read_text()
    for name in MARKS:
        assert "inside" in publishing.between_marks(text, name, "inside")
