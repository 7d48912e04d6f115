"""Results of matches together."""

import json

import pytest

from sixmax.base.errors import UserError
from sixmax.base.files import write_json
from sixmax.evaluation.match.results import gather_league
from sixmax.scores.statistics import PAYOFF, Protocol, Result, Sums

TERMS = Protocol("two runs", PAYOFF, "deal", 2, 100, "game")


def written(folder, *pairs, terms=TERMS):
    """A file with the result of each of ``pairs``: of the k-th, 10 k mbb/game."""
    files = []
    for k, (a, b) in enumerate(pairs):
        sums = Sums(100, 1000.0 * k, 1e6 + 1e4 * k * k)
        file = folder / f"{len(list(folder.iterdir()))}.json"
        write_json(file, Result(a, b, terms, (1,), 200, sums, (sums, sums)).to_json())
        files.append(file)
    return files


def test_gather_league__all_matches_in_one_table(tmp_path):
    files = written(tmp_path, ("a/x", "b/x"), ("b/x", "a/x"))
    record = gather_league(files, tmp_path / "table.json", tmp_path / "table.txt")
    assert record == json.loads((tmp_path / "table.json").read_text())
    assert record["entrants"] == ["a/x", "b/x"]
    assert [row["mean"] for row in record["matches"]] == [0.0, 10.0]
    assert "b/x" in (tmp_path / "table.txt").read_text()


def test_gather_league__results_of_two_games_are_refused(tmp_path):
    files = written(tmp_path, ("a/x", "b/x"))
    files += written(
        tmp_path, ("b/x", "a/x"), terms=Protocol("one run", PAYOFF, "deal", 2, 100, "g")
    )
    with pytest.raises(UserError, match="design is"):
        gather_league(files, tmp_path / "table.json", tmp_path / "table.txt")
    assert not (tmp_path / "table.json").exists()
