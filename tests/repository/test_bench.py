"""Parts of `make bench` at their smallest, and what its table says of them."""

import numpy as np
import pyperf
import pytest
from benchmarks import cards, endgames, growth, measure, storage, table, training
from benchmarks.__main__ import main
from benchmarks.games import crude, toy_game

from commands import called
from sixmax.base.errors import UserError
from sixmax.cards.deck import pack
from sixmax.cards.evaluate import evaluate_packed


def line(what="work", rate=100.0, had=None, threads=1, **about):
    """A line of three turns by the clock; each thread had its processor if nothing is said."""
    clock, spent = [2 / rate, 1 / rate, 0.5 / rate], (had or threads) / rate
    about = {"others": 0.0} | about
    return measure.Line(
        "group", what, "things/s", clock, [spent] * 3, 0.5, "2026-01-01", "here", "Python 3",
        threads=threads, **about,
    )  # fmt: skip


def folder(tmp_path, published=()):
    """A root whose page has marks, and where ``published`` is the record."""
    for mark, name, _ in table.PLACES:
        page = tmp_path / name
        page.parent.mkdir(parents=True, exist_ok=True)
        page.write_text(f"<!-- {mark} -->\nold\n<!-- end of {mark} -->\n")
    if published:
        table.save(tmp_path / table.PUBLISHED, published)
    return tmp_path


def test_main__measures_parts_and_keeps_the_others(tmp_path):
    table.save(tmp_path / "table.json", [line()])
    arguments = ["--small", "--only", "cards", "--only", "start", "--out", str(tmp_path)]
    called(*arguments, on=main)
    lines = table.load(tmp_path / "table.json")
    groups = ["group", "evaluator, seven cards, one core", "start of a warm stage"]
    assert [lines[i].group for i in (0, 1, -1)] == groups
    assert all(x.median > 0 and x.departures == "--small" for x in lines[1:])
    assert "all holes of a board" in (tmp_path / "table.md").read_text()
    assert len(pyperf.BenchmarkSuite.load(str(tmp_path / "table.json"))) == len(lines)


def test_endgames__are_solved_to_their_target():
    asked = ["--only", "river, 10", "--threads", "1", "--turns", "1"]
    cells = called(*asked, on=endgames.main).output.splitlines()[-1].split(" | ")
    assert cells[1:4] == ["69", "137 and 304", "dcfr"]
    assert 0 < float(cells[4]) <= 0.3


@pytest.mark.slow
def test_main__measures_every_stage(tmp_path):
    arguments = ["--small", "--out", str(tmp_path), "--run", str(tmp_path / "no-run")]
    called(*arguments, on=main)
    lines = table.load(tmp_path / "table.json")
    assert min(x.median for x in lines) > 0
    assert "not measured" not in table.targets(lines)


class Damaging:
    """A meter before which a store is damaged, once it is written."""

    def __init__(self, folder):
        self.folder, self.done = folder, []

    def begin(self, title):
        pass

    def rate(self, what, unit, amount, work, **about):
        if what == "written":
            work()
        else:
            chunk = max(self.folder.rglob("regret/c/*"), key=lambda path: path.stat().st_size)
            chunk.write_bytes(chunk.read_bytes()[:-9] + b"\0" * 9)
            with pytest.raises(UserError):
                work()
        self.done.append(what)


def test_checkpoint__reading_looks_at_every_array(tmp_path):
    meter = Damaging(tmp_path)
    storage.checkpoint(meter, tmp_path, 1 << 16)
    assert meter.done == ["written", "read and checked"]


def test_growth__measures_every_point():
    meter = measure.Meter(1, 0.0, say=lambda text: None)
    growth.measure(meter, 0.05, 0.02, small=True)
    assert {x.threads for x in meter.lines} == set(measure.ONE_AND_TWO)
    for x in meter.lines:
        assert 0 < x.facts["GB touched"] <= x.facts["GB"] + growth.PAGE / 1e9
        assert x.facts["nodes a traversal"] > 1
        assert (training.GAIN in x.facts) == (x.threads > 1)


def test_turn__leaves_out_what_a_call_prepares(monkeypatch):
    on, clock = toy_game("leduc", batch=10), [0.0]
    stats = training.go(on, 10)

    def prepares(*arguments):
        iterations = arguments[-1] - arguments[-2] + 1
        clock[0] += 5.0 + iterations / 10.0
        return stats._replace(traversals=2 * iterations, nodes=9 * iterations)

    for name in ("perf_counter", "process_time"):
        monkeypatch.setattr(training.time, name, lambda: clock[0])
    monkeypatch.setattr(training, "train", prepares)
    assert training.turn(on, 30) == (40, 180, 2.0, 2.0)


def test_phevaluator__ranks_hands_as_we_do():
    """Another evaluator's order: lower is better there."""
    phevaluator = pytest.importorskip("phevaluator")
    hands = cards.hands(2000)
    ours = np.array([evaluate_packed(pack(hand)) for hand in hands])
    theirs = np.array([phevaluator.evaluate_cards(*hand) for hand in hands.tolist()])
    order = np.argsort(ours, kind="stable")
    assert (np.diff(theirs[order]) <= 0).all()
    assert np.array_equal(np.diff(ours[order]) == 0, np.diff(theirs[order]) == 0)


def test_crude__buckets_are_of_one_size():
    row = crude(6, (5, 5, 5)).river[0]
    used = row[row != 255]
    assert np.bincount(used).min() >= len(used) // 5


def test_line__has_median_spread_and_processors():
    actual = line(threads=2, had=1.25)
    assert actual.median == pytest.approx(100.0)
    assert actual.spread == "50 to 200"
    assert (actual.by_processor, actual.had) == (pytest.approx(80.0), pytest.approx(1.25))


def test_gains__are_of_the_same_turns():
    two = [(20.0, 2.0, 3.9), (40.0, 1.0, 1.9), (19.0, 1.0, 2.0)]  # 10, 40 and 19 by the clock
    one = [(5.0, 9.0, 1.0), (10.0, 9.0, 0.5), (10.0, 1.0, 1.0)]  # 5, 20 and 10 by the processor
    assert measure.gains(two, one) == [1.9, 2.0, 2.0]


def test_others__had_what_was_busy_and_not_ours(monkeypatch):
    clock, busy, own = [100.0], [50.0], [7.0]
    monkeypatch.setattr(measure.time, "monotonic", lambda: clock[0])
    monkeypatch.setattr(measure, "_busy", lambda: busy[0])
    monkeypatch.setattr(measure.os, "times", lambda: own)
    others = measure.Others()
    clock[0], busy[0], own[0] = 110.0, 65.0, 12.0  # ten seconds, fifteen of processors, five ours
    assert others.had() == pytest.approx(1.0)
    busy[0] = 51.0  # less than we had
    assert others.had() is None


@pytest.mark.parametrize(
    ("now", "expected"),
    [
        (line(rate=50.0), ["group: work, things/s 50, before 100"]),
        (line(rate=90.0), []),
        (line(rate=50.0)._replace(machine="there"), []),
        (line(rate=50.0, had=0.5, others=2.0), []),  # others had the processors
        (line("new", rate=50.0), []),
    ],
)
def test_slower__names_lines_that_can_be_compared(now, expected):
    assert table.slower([now], [line()]) == expected


@pytest.mark.parametrize(
    ("now", "message"),
    [
        (line(departures="--small"), "measured with --small"),
        (line(others=0.5), "others that had 0.50 processors"),
        (line(others=None), "an unknown number of processors"),
        (line(rate=50.0), "slower than published: group: work"),
    ],
)
def test_publish__refuses(tmp_path, now, message):
    root = folder(tmp_path, [line()])
    table.save(tmp_path / "out" / "table.json", [now])
    with pytest.raises(UserError, match=message):
        table.publish(tmp_path / "out", root)
    assert all("old" in (root / page).read_text() for _, page, _ in table.PLACES)


def test_publish__puts_the_table_between_its_marks_and_keeps_the_record(tmp_path):
    root = folder(tmp_path)
    with pytest.raises(UserError, match="run `make bench` first"):
        table.publish(tmp_path / "out", root)
    lines = [line(facts={"gain": [1.0, 2.0, 3.0], "nodes": 5})]
    table.save(tmp_path / "out" / "table.json", lines)
    table.publish(tmp_path / "out", root)
    text = "".join((root / page).read_text() for _, page, _ in table.PLACES)
    assert "| work, things | 100 | 50 to 200 | 100 | 1.00 of 1 | 0.5 s | gain 2 (1 to 3);" in text
    assert "old" not in text
    assert table.load(root / table.PUBLISHED) == lines


def test_targets__are_judged_where_threads_had_their_processors():
    slow = line("all holes", 1e6)._replace(group="evaluator")
    assert "| ≥ 150 M | 1 M | **no** |" in table.targets([slow])
    written = line("written", 0.1, 1.0, threads=2, others=2.0, waits=True)
    text = table.targets([written._replace(group="checkpoint")])
    assert "| ≤ 10 s | 40 s | not measurable: too few processors |" in text
    assert "not measured: evaluator, all holes" in text
