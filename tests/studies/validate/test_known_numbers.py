"""The table beside the answers, by command and in the docs, and the verdict over it."""

import json
from pathlib import Path

import pytest

from commands import called
from sixmax.base.errors import UserError
from sixmax.games import GAMES
from sixmax.studies.checks import missed
from sixmax.studies.validate.known_numbers import cells, read_curves, rows, write_table
from studies.validate.curves import curve

DOCUMENT = Path(__file__).parents[3] / "docs" / "notebook" / "validation" / "answers.md"


def find(actual, method, iterations):
    (row,) = [r for r in actual if (r.method, r.iterations) == (method, iterations)]
    return row


def test_rows__exploitability_is_half_of_nash_conv():
    actual = rows([curve()])
    assert [(row.method, row.iterations) for row in actual] == [
        ("uniform", 0), ("cfr", 10), ("cfr", 100)
    ]  # fmt: skip
    row = find(actual, "cfr", 10)
    assert (row.measured, row.known, row.uniform) == (0.0687, ".0687", 0.4583335)
    assert all(row.met for row in actual)


@pytest.mark.parametrize(
    ("four", "one", "met"),
    [(0.6, 1.4, [True, True]), (0.9, 0.7, [True, False]), (1.1, 1.4, [False, True]),
     (1.0, 1.0, [False, False])],
)  # fmt: skip
def test_rows__search_is_held_to_its_blueprint_and_to_one_value(four, one, met):
    """As they were measured; as good is not better. Where neither was, there is no row."""
    result = [
        curve("leduc", method="coarse", iterations=(100, 100_000), scores=((3.0, 1.0),)),
        curve("leduc", method="search1", iterations=(100, 300), scores=((2.0, one),)),
        curve("leduc", method="search4", iterations=(100, 300), scores=((2.0, four),)),
    ]
    actual = [row for row in rows(result) if row.method == "search4"]
    assert [row.met for row in actual] == met
    assert [(row.known, row.high) for row in actual] == [("< coarse", 0.5), ("< search1", one / 2)]
    assert not [row for row in rows(result[2:]) if row.method == "search4"]


def test_rows__three_players_are_judged_by_nash_conv():
    (_, row) = rows([curve(seats=3, iterations=(10,), scores=((0.3125,),))])
    assert (row.game, row.quantity, row.measured) == ("kuhn3", "NashConv", 0.3125)
    assert row.met


@pytest.mark.parametrize(("nash_conv", "met"), [(0.1374, True), (0.1376, False), (0.1371, False)])
def test_rows__full_width_has_to_print_the_same_digits(nash_conv, met):
    actual = rows([curve(iterations=(10,), scores=((nash_conv,),))])
    assert find(actual, "cfr", 10).met is met


@pytest.mark.parametrize(("last", "met"), [(0.0064, True), (0.0071, False)])
def test_rows__sampled_by_the_mean_of_its_seeds_and_better_is_well(last, met):
    """Kuhn, 100,000 iterations: at most .0032."""
    scores = ((0.001,), (0.0118,), (last,))
    row = find(
        rows([curve(method="mccfr", iterations=(100_000,), scores=scores)]), "mccfr", 100_000
    )
    assert (row.least, row.most, row.seeds) == (0.0005, 0.0059, 3)
    assert row.met is met


def test_rows__a_number_that_is_none_is_not_met():
    row = find(rows([curve(iterations=(10,), scores=((float("nan"),),))]), "cfr", 10)
    assert not row.met


def test_rows__the_value_of_the_game():
    actual = rows([curve(method="cfr+", iterations=(10_000,), scores=((1.92e-5,),))])
    value = [row for row in actual if row.quantity == "value"]
    assert [(row.measured, row.uniform, row.met) for row in value] == [(-1 / 18, 0.125, True)]


def test_table__is_read_by_the_verdict(tmp_path):
    good, bad = rows([curve()]), rows([curve(scores=((0.2, 0.01646),))])
    for actual in (good, bad):
        write_table(actual, tmp_path / "table.json", tmp_path / "table.txt")
        lines, count = missed(tmp_path / "table.json")
        assert count == "all 3 checks hold"
        text = (tmp_path / "table.txt").read_text().splitlines()
        assert len(text) == 5
        assert [" NO " in line for line in text] == [False] * 3 + [bool(lines), False]
    assert len(lines) == 1
    assert lines[0].startswith("kuhn, cfr after 10: exploitability 0.1, wanted .0687 ± 5e-05")
    assert "uniform: 0.4583" in lines[0]
    assert cells(bad[1])[-2] == "NO"


@pytest.mark.parametrize("text", ['{"checks": []}', "{}", "["])
def test_verdict__nothing_measured_is_nothing_met(tmp_path, text):
    (tmp_path / "table.json").write_text(text)
    with pytest.raises(UserError, match=r"table\.json"):
        missed(tmp_path / "table.json")


def test_curves__are_sorted_by_game_and_method_and_checked(tmp_path):
    for i, result in enumerate([curve("leduc"), curve(method="mccfr"), curve()]):
        (tmp_path / f"{i}.json").write_text(json.dumps(result))
    files = sorted(tmp_path.glob("*.json"))
    actual = [(c["game"], c["method"]) for c in read_curves(files)]
    assert actual == [("kuhn", "cfr"), ("kuhn", "mccfr"), ("leduc", "cfr")]
    (tmp_path / "0.json").write_text('{"game": "kuhn"}')
    with pytest.raises(UserError, match=r"not a curve of a small game .*`sixmax measure`"):
        read_curves(files)


def judge(tmp_path, record, code=0):
    """What `sixmax stage verdict` says of one record."""
    (tmp_path / "curve.json").write_text(json.dumps(record))
    files = [f"--{kind}={tmp_path / kind}" for kind in ("out", "text", "page")]
    called("stage", "answers", tmp_path / "curve.json", *files)
    assert all((tmp_path / kind).stat().st_size for kind in ("out", "text", "page"))
    return called("stage", "verdict", tmp_path / "out", code=code).output


def test_verdict__all_bounds_met(tmp_path):
    assert judge(tmp_path, curve()) == f"{tmp_path.name}: all 3 checks hold\n"


def test_verdict__a_line_for_each_bound_that_is_missed(tmp_path):
    said = judge(tmp_path, curve(scores=((0.2, 0.2),)), code=1)
    assert [line.split(":")[:2] for line in said.splitlines()] == [
        ["missed", " kuhn, cfr after 10"],
        ["missed", " kuhn, cfr after 100"],
    ]


def test_document__has_a_row_for_every_answer():
    lines = [line for line in DOCUMENT.read_text().splitlines() if line.startswith("| ")]
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]
    actual = {(c[0], c[1], c[2], c[3], c[5], c[9]) for c in cells}
    answers = [answer for game in GAMES.values() for answer in game.answers()]
    expected = {
        (a.game, a.method, f"{a.iterations:,}", a.quantity, a.known, a.source) for a in answers
    }
    assert actual == expected
    assert all(c[8] == "yes" for c in cells)
