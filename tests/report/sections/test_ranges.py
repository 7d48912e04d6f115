"""The squares: places of hands, widths and heights of colours, numbers for the tooltips."""

import re

import pytest

from report.synthetic_evaluation import ranges
from sixmax.report.sections.ranges import CELL, chart, labels


def drawn(spot, ranks=13, names=("limp", "raise"), stack=10000):
    return chart(spot, ranks, names, 100, stack, "first_in")


def boxes(shape):
    """(left, top, width, height) of each piece of an option."""
    pieces = re.findall(r"M(\d+) (\d+)h(\d+)v-(\d+)H(\d+)z", shape)
    assert len(pieces) == shape.count("M")
    return [(int(x), int(y) - int(h), int(w), int(h)) for x, y, w, h, _ in pieces]


def test_labels__suited_hands_lie_above_the_diagonal():
    places = {name: (x // CELL, y // CELL) for name, x, y in labels(13, 169)}
    assert len(places) == 169
    assert places["AA"] == (0, 0)
    assert places["AKs"] == (1, 0)
    assert places["AKo"] == (0, 1)
    assert places["99"] == (5, 5)
    assert [name for name, _, _ in labels(None, 3)] == ["0", "1", "2"]


def test_chart__widths_are_frequencies():
    spot = ranges(13)["first_in"][2]
    spot["classes"] = [[100.0, 0.0, 0.0, 0.0]] * 169
    spot["classes"][1] = [62.5, 12.5, 25.0, 0.0]  # AKs: fold, limp, small raise
    big, small, limp, fold = (boxes(o["shape"]) for o in drawn(spot)["options"])
    assert big == []
    assert small == [(CELL, 0, 25, CELL)]
    assert limp == [(CELL + 25, 0, 13, CELL)]  # 12.5, and a piece ends where the next begins
    area = sum(w * h for _, _, w, h in [*small, *limp, *fold])
    assert area == 169 * CELL**2
    assert len(fold) < 20  # neighbours of one option are one piece


def test_chart__heights_are_reach_beside_the_hand_that_comes_most():
    spot = ranges(6)["facing_three_bet"][0]
    spot["reach"] = [0.0] * 36
    spot["reach"][0], spot["reach"][7] = 80.0, 20.0
    spot["classes"] = [[0.0, 100.0, 0.0]] * 36
    _, call, _ = (boxes(o["shape"]) for o in drawn(spot, 6)["options"])
    assert call == [(0, 0, CELL, CELL), (CELL, CELL + 75, CELL, 25)]


def test_chart__rows_are_the_numbers_of_the_tooltip():
    spot = ranges(13)["facing_three_bet"][0]
    spot["reach"][1], spot["classes"][1] = 62.5, [50.0, 30.25, 19.75]
    result = drawn(spot)
    assert len(result["rows"].split()) == 169
    assert result["rows"].split()[1] == "625,198,302,500"  # reach, then the largest raise first


def test_options__have_words_and_colours_of_the_explorer():
    spot = ranges(13)["facing_raise"][0]
    spot["options"] = ["f", "c", "r700", "r750", "r900", "r10000"]
    spot["total"], spot["classes"] = [50.0, 50.0, 0, 0, 0, 0], [[50.0, 50.0, 0, 0, 0, 0]] * 169
    options = drawn(spot, names=("call", "3-bet"))["options"][::-1]
    names = ["fold", "call", "3-bet to 7", "3-bet to 7.5", "3-bet to 9", "all-in"]
    assert [o["name"] for o in options] == names
    mixes = [o["colour"].rpartition(" ")[2] for o in options[2:5]]
    assert mixes == ["0%)", "50%)", "100%)"]
    variables = [o["colour"] for o in options if o["colour"].startswith("var")]
    assert variables == ["var(--fold)", "var(--call)", "var(--all-in)"]


def test_chart__small_games_are_a_row_of_buckets():
    spot = ranges(6)["first_in"][0]
    spot["classes"], spot["reach"] = [[20.0, 10.0, 70.0, 0.0]] * 3, [100.0] * 3
    assert drawn(spot, None)["side"] == (3 * CELL, CELL)


@pytest.mark.parametrize("ranks", [6, 13])
def test_chart__a_cell_a_class(ranks):
    assert drawn(ranges(ranks)["first_in"][0], ranks)["side"] == (CELL * ranks, CELL * ranks)
