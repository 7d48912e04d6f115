"""Reading the endgames of `python -m benchmarks.river`."""

import click
import numpy as np
import pytest
from benchmarks.river import main, read
from click.testing import CliRunner

from sixmax.cards.deck import hole_id, parse_cards

HOLES = 1326


def endgame(folder, *lines):
    file = folder / "endgame.txt"
    file.write_text("\n".join(["-round 4", *lines, ""]))
    return file


def test_read__puts_the_holes_of_the_file_where_ours_are(tmp_path):
    reach = ["0"] * (2 * HOLES)
    reach[0], reach[2 * HOLES - 1] = "0.5", "0.25"  # 2s2h of the first player, AdAc of the other
    file = endgame(tmp_path, "-board 4s8hTc9h2s", "-pot 500", "-reach " + " ".join(reach))
    board, pot, ranges = read(file)
    assert (board, pot) == ("4s8hTc9h2s", 500)
    expected = np.zeros((2, HOLES))
    expected[0, hole_id(*parse_cards("2s2h"))] = 0.5
    expected[1, hole_id(*parse_cards("AdAc"))] = 0.25
    assert np.array_equal(ranges, expected)


def test_read__says_which_line_is_missing(tmp_path):
    with pytest.raises(click.ClickException, match="no line -reach; wanted --file"):
        read(endgame(tmp_path, "-board 4s8hTc9h2s", "-pot 500"))


def test_main__wants_a_file_in_one_line():
    found = CliRunner().invoke(main, [])
    assert found.exit_code == 1
    assert found.output.startswith("Error: no file: wanted --file")
    assert found.output.count("\n") == 1
