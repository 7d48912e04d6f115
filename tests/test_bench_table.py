"""What is kept of a measurement: tables, what is slower than before, targets, documents."""

import json
import re

import pytest
from benchmarks import change, measure, paper, startup, table, targets, training
from benchmarks import publish as publishing

from sixmax import rates
from sixmax.errors import UserError

MARKS = ("table", "targets", "growth", "paper", "ideas")


def record(lines, others=0.0, departures=(), **about):
    """A table of these lines, all of one group, beside ``others``."""
    lines = [x._replace(others=others) for x in lines]
    stamp = measure.Stamp("2026-01-01", measure.versions(), list(departures))
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


def test_compare__names_what_became_slower_what_went_and_what_came():
    before = record([line("same", 100.0), line("slower", 100.0), line("gone", 100.0)])
    now = record([line("same", 95.0), line("slower", 50.0), line("new", 1.0)])
    slower, gone, said = change.compare(now, before)
    assert len(slower) == 1
    assert "slower: 52.5 things/s by the processor, before 105 (50 %)" in slower[0]
    assert gone == ["Not measured any more: group: gone (things/s)"]
    assert said == ["Not in the reference: group: new (things/s)"]
    text = table.markdown(now, before)
    assert "| -50 % |" in text
    assert "* Slower: group, slower" in text
    assert "group: gone (things/s)" in text
    assert "a note" in text
    assert "group 60 s" in text
    assert "no earlier table" in table.markdown(now, None)
    busy = table.markdown(record([line("work", 1.0)], others=0.5), None)
    assert "Beside others that had processors: group (0.5)." in busy
    assert "Beside" not in text


@pytest.mark.parametrize(
    ("how", "others", "expected"),
    [
        ({"waits": True}, 0.0, True),  # half of it is spent waiting
        ({"threads": 2}, 0.0, True),  # a thread idles
        ({}, 0.0, True),  # it is held by a lock
        ({}, 2.0, False),  # others had the processors
        ({"threads": 2}, 0.5, False),
        ({"threads": 2}, None, False),  # who knows
    ],
)
def test_compare__counts_the_clock_where_processors_were_free(how, others, expected):
    before = record([line("work", 100.0, **how)])
    processor = 100.0 / how.get("threads", 1)
    now = record([line("work", 50.0, processor, **how)], others)
    slower, _, said = change.compare(now, before)
    assert bool(slower) == expected
    assert ("-50 %, clock" in table.markdown(now, before)) == expected
    starved = (
        "Not compared, with too few processors here or in the reference: group: work (things/s)"
    )
    assert (said == [starved]) != expected


def test_compare__says_why_it_does_not():
    before, now = record([line("work", 100.0)]), [line("work", 1.0)]
    for about in ({"processor": "another"}, {"cores": 64}):
        slower, _, said = change.compare(record(now, **about), before)
        assert not slower
        assert said[0].startswith("Not compared: measured on")
    slower, _, said = change.compare(record(now, departures=["--fill 1"]), before)
    assert not slower
    assert said == ["Not compared, the settings being others: group"]
    slower, _, said = change.compare(record(now, versions={"numba": "0"}), before)
    assert len(slower) == 1
    assert "numba" in said[0]


def test_compare__misses_no_line_that_was_skipped_or_not_asked_for():
    other = line("work", 100.0)._replace(group="of another part")
    before = record([line("here", 1.0), line("here, not installed", 1.0), other])
    now = record([line("here", 1.0)]) | {"skipped": [["group", "here, not", "not installed"]]}
    assert change.compare(now, before).gone == []
    assert change.compare(now | {"skipped": []}, before).gone


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


def verdicts(lines, others=3.0, **values):
    """The row of each target."""
    text = targets.markdown(record(lines, others) | {"values": values})
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
    assert "| not measured |" in rows["start of a warm stage, beyond its own work"]


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
    ratio = {training.gain(name, 2): rate / 10.0}
    assert expected in verdicts(lines, **ratio)["two cores against one, first minute"]


def test_targets__a_start_is_that_of_the_stage_that_takes_longest():
    jobs = {"sixmax tree, of a small game": 1.2, "sixmax train, one batch": 1.6,
            "the libraries alone": 0.5}  # fmt: skip
    group = line("x", 1.0)._replace(group="start of a warm stage", waits=True)
    lines = [group._replace(what=what, seconds=seconds) for what, seconds in jobs.items()]
    values = {startup.start("tree"): 1.1, startup.start("train"): 0.9}
    row = verdicts(lines, **values)["start of a warm stage, beyond its own work"]
    assert "| 1.1 s | **no** | whole jobs: tree 1.20 s, train 1.60 s; numpy, numba and" in row


def test_targets__threads_that_leave_a_quiet_machine_idle_are_judged():
    name = f"{training.SIX}, young table"
    lines = [line(f"{name}, 1 core", 10.0, 10.0), line(f"{name}, 2 cores", 17.0, 9.6, 2)]
    lines = [x._replace(group="traversal", unit="decision nodes/s") for x in lines]
    ratio = {training.gain(name, 2): 1.7}
    row = verdicts(lines, others=0.1, **ratio)["two cores against one, first minute"]
    assert "| 1.7 x | **no** | had 1.77 processors" in row


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


def test_paper__says_one_cost():
    found = paper.estimate()
    assert found.traversals_s == pytest.approx(rates.TRAVERSALS / found.visits / found.visit)
    assert f"{found.visit:.2f} times as much" in paper.text(found)


def test_publish__replaces_what_stands_between_the_marks(tmp_path):
    for folder in ("docs", "benchmarks"):
        (tmp_path / folder / "results").mkdir(parents=True)
    page, kept = tmp_path / "docs" / "results" / "performance.md", tmp_path / "benchmarks"
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
    for worse, what in ((line("work", 15.0), "75 %"), (line("other", 20.0), "any more")):
        (tmp_path / "table.json").write_text(json.dumps(record([worse])))
        with pytest.raises(UserError, match=f"{what}.*--slower"):
            publishing.publish(tmp_path, tmp_path)
    (tmp_path / "table.json").write_text((kept / "table.json").read_text())
    assert table.load(kept / "table-before.json")["lines"][0]["median"] == 10.0
    publishing.publish(tmp_path, tmp_path)  # again: nothing changes
    assert page.read_text() == text
    assert "another machine" not in text
    elsewhere = record([line("work", 1.0)], processor="another")
    (tmp_path / "table.json").write_text(json.dumps(elsewhere))
    publishing.publish(tmp_path, tmp_path)  # slower, but who can say
    assert page.read_text().count("| start of a warm stage, beyond its own work |") == 2


@pytest.mark.parametrize("name", ["table.json", "growth.json", "ideas.json"])
def test_publish__refuses_a_busy_machine_and_other_settings(tmp_path, name):
    def refused(found, busy=False):
        (tmp_path / name).write_text(json.dumps(found))
        publishing.refuse(tmp_path / name, busy)

    def kind(others, departures):
        whole = record([line("work", 1.0)], others, departures)
        about = {"machine": whole["machine"], "others": others, **whole["groups"]["group"]}
        return whole if name == "table.json" else about

    refused(kind(0.1, []))
    for others, said in ((0.3, "0.30"), (None, "an unknown number of")):
        with pytest.raises(UserError, match=f"others that had {said} processors on average"):
            refused(kind(others, []))
    refused(kind(0.3, []), busy=True)
    with pytest.raises(UserError, match="measured with --fill 1"):
        refused(kind(0.0, ["--fill 1"]), busy=True)
    with pytest.raises(UserError, match="measure again"):
        refused({"machine": {"cores": 2}})


@pytest.mark.parametrize(("short", "long", "quiet"), [(0.5, 0.0, True), (0.0, 0.5, False)])
def test_publish__refuses_by_what_others_had_on_average(tmp_path, short, long, quiet):
    found = record([line("short", 1.0), line("long", 1.0)._replace(seconds=50.0)])
    for each, others in zip(found["lines"], (short, long), strict=True):
        each["others"] = others
    (tmp_path / "table.json").write_text(json.dumps(found))
    if quiet:
        publishing.refuse(tmp_path / "table.json", busy=False)
    else:
        with pytest.raises(UserError, match="on average"):
            publishing.refuse(tmp_path / "table.json", busy=False)


def test_publish__documents_say_what_the_records_say(tmp_path):
    """What stands between the marks was not typed, and every target was measured."""
    kept = publishing.ROOT / "benchmarks"
    page = publishing.ROOT / "docs" / "results" / "performance.md"
    for folder in ("docs", "benchmarks"):
        (tmp_path / folder / "results").mkdir(parents=True)
    (tmp_path / "docs" / "results" / page.name).write_text(page.read_text())
    for name in ("table.json", "table-before.json"):
        (tmp_path / "benchmarks" / name).write_text((kept / name).read_text())
    publishing.publish(kept, tmp_path, busy=True)
    assert (tmp_path / "docs" / "results" / page.name).read_text() == page.read_text()
    rows = targets.rows(table.load(kept / "table.json")).splitlines()
    assert not [row for row in rows if re.search(r"[≥≤].*\| not measured \|", row)]
