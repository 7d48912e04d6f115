"""`make bench` at its smallest: every measurement runs, and tables are kept and compared."""

import json

import numpy as np
import pytest
from benchmarks import fit, growth, measure, picture, table, targets
from benchmarks import publish as publishing
from benchmarks.__main__ import main
from benchmarks.ground import crude, default_game, toy_ground
from benchmarks.training import go
from click.testing import CliRunner

from sixmax.cards.deck import pack
from sixmax.cards.evaluate import evaluate_packed
from sixmax.errors import UserError
from sixmax.rates import CACHE_GB

MARKS = ("table", "targets", "growth", "paper", "ideas")
GROUPS = ("memory", "evaluator", "features", "clustering", "betting tree", "external sampling",
          "traversal", "discount", "checkpoint", "start", "continuation", "match",
          "search: a river", "search: a flop")  # fmt: skip


def record(lines):
    return {"machine": measure.machine(), "when": "2026-01-01", "seconds": 60, "skipped": [],
            "notes": ["a note"], "lines": [x._asdict() for x in lines], "values": {},
            "spent": {"group": 60.0}}  # fmt: skip


def line(what, rate):
    return measure.Line("group", what, "things/s", rate, rate, rate, rate, 1.0, 3)


@pytest.mark.slow
def test_bench__measures_every_stage_and_keeps_the_table_before(tmp_path):
    run = ["--small", "--out", str(tmp_path), "--run", str(tmp_path / "no-run")]
    first = CliRunner().invoke(main, run, catch_exceptions=False)
    assert first.exit_code == 0
    found = json.loads((tmp_path / "table.json").read_text())
    for group in GROUPS:
        rates = [x["median"] for x in found["lines"] if x["group"].startswith(group)]
        assert rates, f"nothing was measured of {group}"
        assert min(rates) > 0
    assert "the trained default table is not measured" in (tmp_path / "table.md").read_text()
    assert found["machine"]["versions"]["numba"]


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


def test_report__names_what_became_slower():
    before = {("group", n, "things/s"): line(n, 100.0) for n in ("same", "slower", "gone")}
    now = [line("same", 95.0), line("slower", 50.0), line("new", 1.0)]
    found = table.slower(now, before)
    assert len(found) == 1
    assert "slower: 50" in found[0]
    text = table.markdown(record(now), record(list(before.values())))
    assert "-50 %" in text
    assert "a note" in text
    assert "group 60 s" in text
    assert "no earlier table" in table.markdown(record(now), None)


def test_record__keeps_the_groups_that_were_not_measured_anew(tmp_path):
    meter = measure.Meter(say=lambda text: None)
    for group in ("old", "new"):
        meter.begin(group)
        meter.add("work", "things/s", [(1.0, 1.0, 1.0)])
    meter.values["value"] = 1.0
    meter.end()
    (tmp_path / "table.json").write_text(json.dumps(table.record(meter)))
    again = measure.Meter(say=lambda text: None)
    again.begin("new")
    again.add("work", "things/s", [(5.0, 1.0, 1.0)])
    again.end()
    found = table.record(again, keep=tmp_path / "table.json")
    assert [(x["group"], x["median"]) for x in found["lines"]] == [("old", 1.0), ("new", 5.0)]
    assert found["values"] == {"value": 1.0}
    assert set(found["spent"]) == {"old", "new"}


def test_targets__are_met_missed_or_not_measured():
    lines = [line("all holes of a board", 200e6), line("phevaluator, a call", 4e6)]
    text = targets.markdown(record([x._replace(group="evaluator") for x in lines]))
    rows = {x.split("|")[1].strip(): x for x in text.splitlines()[2:]}
    assert len(rows) == len(targets.TARGETS)
    assert "| 200 M | yes |" in rows["evaluator, a board enumerated, hands/s/core"]
    assert "| 50 x | **no** |" in rows["the same against phevaluator's Python call"]
    assert "| not measured |" in rows["start of a warm stage"]


def test_targets__find_all_their_lines_in_a_table():
    """The names of the lines and what the targets look for are in step: the published table."""
    found = table.load(publishing.ROOT / "benchmarks" / "table.json")
    assert "not measured" not in targets.markdown(found)


def test_meter__reports_median_and_spread():
    meter = measure.Meter(say=lambda text: None)
    meter.begin("group")
    found = meter.add("work", "things/s", [(10.0, 1.0, 0.5), (10.0, 2.0, 0.5), (10.0, 5.0, 0.5)])
    assert (found.low, found.median, found.high) == (2.0, 5.0, 10.0)
    assert found.processor == 20.0


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
    traversals, nodes = go(on, 95)
    assert traversals == 2 * 90
    assert nodes > traversals
    assert on.done == [90]


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


def test_publish__documents_have_the_marks():
    text = (publishing.ROOT / "docs" / "performance.md").read_text()
    for name in MARKS:
        assert "inside" in publishing.between_marks(text, name, "inside")
