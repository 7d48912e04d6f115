"""The stage `solve`: numbers that are known, and words that say them."""

import json
from pathlib import Path

import pytest

from commands import called
from sixmax.api.endgame_solution import EndgameSolution
from sixmax.api.solve_file import solve
from sixmax.base.errors import UserError

DATA = Path(__file__).parents[3] / "shared" / "data" / "libratus_endgame_river.txt"
# A pot of 200 with 100 behind. The first player has the nuts or nothing, the second catches bluffs:
# with a bet of half the pot it bluffs one time in three and is called two times in three.
BLUFF = "-board AsKsQsJs2d\n-pot 200\n-range Ts9c,3c3d\n-range AhAd\n"


@pytest.fixture
def bluff(tmp_path):
    (tmp_path / "bluff.txt").write_text(BLUFF)
    return tmp_path / "bluff.txt"


def test_solve__bluffs_as_often_as_the_pot_offers(bluff, tmp_path):
    """Bluffs: 100 / 400 of all bets, so a third of the hands that are nothing; the value of the
    game to the first player is the pot for the nuts and for each bluff that goes with it."""
    out = tmp_path / "answer.json"
    text = solve(bluff, stack=100, raises={"sizes": [["A"]], "max_raises": 1}, iterations=2000,
                 method="cfr+", out=out)  # fmt: skip
    result = json.loads(out.read_text())
    assert result["strategy"]["Ts9c"][1] == pytest.approx(1, abs=1e-3)
    assert result["strategy"]["3d3c"][1] == pytest.approx(1 / 3, abs=5e-3)
    # (1 + 1/3) / 2 of the hands bet, and the second player loses the pot to all of those.
    assert result["value"][0] == pytest.approx(200 * 2 / 3, abs=0.5)
    assert sum(result["value"]) == pytest.approx(200, abs=1e-3)
    assert result["exploitability_of_pot"] < 1e-3
    assert result["actions"] == ["c", "b100"]
    assert (result["at"], result["reached"]) == ("", 1)
    assert "value 133.3" in text
    assert "b100: 66.7 % of the range, EV 66." in text
    row = next(line for line in text.split("\n\n")[-2].splitlines() if line.strip()[0] == "T")
    assert row.split().count("100") == 0  # T9o lies below the diagonal, in the row of the nine


def test_solve__of_16_bits_is_stored_and_opens_as_it_was_said(bluff, tmp_path):
    """Half of the memory for the same game: a command as people type it."""
    raises, out = json.dumps({"sizes": [["A"]], "max_raises": 1}), tmp_path / "answer.zarr"
    words = [bluff, "--stack", "100", "--raises", raises, "--iterations", "300"]
    text = called("solve", *words, "--bits", "16", "--out", out).stdout
    opened = EndgameSolution.load(out)
    assert opened.solver.total.itemsize == 2
    assert opened.value[0] == pytest.approx(200 * 2 / 3, abs=2)
    assert f"value {opened.value[0]:,.2f}" in text
    assert "'8' is not one of '16', '32'" in called("solve", *words, "--bits", "8", code=2).output


def test_solve__of_a_turn_deals_all_rivers(tmp_path):
    """Aces up a set: with no bets the value is the share of rivers, ten outs of 44."""
    (tmp_path / "turn.txt").write_text("-board AsKd7c2h\n-pot 200\n-range AhKs\n-range 7s7d\n")
    out = tmp_path / "answer.json"
    solve(tmp_path / "turn.txt", raises={"sizes": [[]], "max_raises": 0}, iterations=1, out=out)
    outs = 4  # two aces and two kings make a better full house
    assert json.loads(out.read_text())["value"][0] == pytest.approx(200 * outs / 44, abs=1e-3)


WRONG = [
    ({"stack": 0}, "stack: found 0, wanted a whole number"),
    ({"raises": {"sizes": [["B"]]}}, "bets: found ..'B'.. with max_raises 20"),
    ({"raises": {"size": [[1]]}}, "raises: unknown key 'size'"),
    ({"at": "c b7"}, "action 'b7': IP is to act, wanted one of c, b100"),
    ({"at": "c c"}, "the hand is over"),
    ({"at": "zz"}, "actions 'zz': wanted f, c, bN"),
    ({"method": "cfr3"}, "method 'cfr3': unknown; .*there are cfr, cfr"),
]


@pytest.mark.parametrize(("options", "expected"), WRONG)
def test_solve__refuses_and_writes_nothing(bluff, tmp_path, options, expected):
    out = tmp_path / "answer.json"
    with pytest.raises(UserError, match=expected):
        solve(bluff, out=out, **options)
    assert not out.exists()


@pytest.mark.skipif(not DATA.exists(), reason=f"{DATA} is not there")
def test_solve__libratus_river(tmp_path):
    """The value that others found (../shared/data/README.md), of a pot of 500."""
    out = tmp_path / "answer.json"
    solve(DATA, iterations=500, out=out)
    result = json.loads(out.read_text())
    assert result["nodes"] == 93
    assert result["exploitability_of_pot"] < 0.003
    assert result["value"][0] == pytest.approx(292.91, abs=1.5)


def test_solve__refuses_a_tree_that_is_too_large(bluff, tmp_path):
    raises = {"sizes": [[0.1, 0.2, 0.3, 0.5, 0.7, 1, 1.5, 2]], "max_raises": 20}
    with pytest.raises(UserError, match=r"bluff\.txt: .*than 100,000 nodes; offer fewer"):
        solve(bluff, stack=200_000, raises=raises, out=tmp_path / "answer.json")
    assert not (tmp_path / "answer.json").exists()
