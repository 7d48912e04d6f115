"""The squares: who is where, and how wide its colours are."""

import pytest

from report.synthetic import first_in
from sixmax.report.sections.first_in import CELL, charts


@pytest.mark.parametrize("ranks", [6, 13])
def test_charts__one_cell_a_class(ranks):
    utg = charts(first_in(ranks), 100)[0]
    assert len(utg.cells) == ranks**2
    assert utg.side == (CELL * ranks, CELL * ranks)
    places = {cell.name: (cell.x // CELL, cell.y // CELL) for cell in utg.cells}
    assert places["AA"] == (0, 0)
    assert places["AKs"] == (1, 0)  # suited hands above the diagonal
    assert places["AKo"] == (0, 1)
    assert places["99"] == (5, 5)


def test_charts__widths_are_frequencies():
    record = first_in(13)
    classes = record["first_in"][2]["classes"]
    classes["raise"][1], classes["limp"][1], classes["fold"][1] = 25.0, 12.5, 62.5
    cell = charts(record, 100)[2].cells[1]
    assert (cell.raised, cell.limped) == (CELL / 4, CELL / 8)
    assert cell.title.replace("\u202f", " ") == "AKs: raise 25.0 %, limp 12.5 %, fold 62.5 %"


def test_charts__raise_sizes_in_big_blinds():
    assert charts(first_in(13), 100)[0].sizes.startswith("2.5 bb ")


def test_charts__small_games_are_a_row_of_buckets():
    record = first_in(6)
    record["ranks"] = None
    for spot in record["first_in"]:
        spot["classes"] = {kind: [10.0, 20.0, 70.0] for kind in ("fold", "limp", "raise")}
    chart = charts(record, 1)[0]
    assert [cell.name for cell in chart.cells] == ["0", "1", "2"]
    assert chart.side == (3 * CELL, CELL)
