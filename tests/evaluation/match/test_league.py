"""Leagues of several runs."""

import json

import pytest

from sixmax.base.errors import UserError
from sixmax.base.files import write_json
from sixmax.evaluation.match.league import Entrant, gather, matches, refuse_missing
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


def test_entrant__a_run_and_its_agent():
    assert Entrant.parse("default") == ("default", "blueprint")
    assert Entrant.parse("old/snapshot-00008-purified") == ("old", "snapshot-00008-purified")
    assert Entrant.parse("old").file == "old.blueprint"


@pytest.mark.parametrize("text", ["old/search", "old/nobody", "/blueprint", ""])
def test_entrant__refused(text):
    with pytest.raises(UserError, match="wanted a run, or a run and its agent"):
        Entrant.parse(text)


def test_refuse_missing__nobody_or_a_run_that_is_not_there(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UserError, match="is empty; name two or more"):
        refuse_missing([], "own")
    both = [Entrant.parse("own"), Entrant.parse("old/snapshot-00008-purified")]
    with pytest.raises(UserError, match=r"found no results/old/blueprint/run\.json"):
        refuse_missing(both, "own")
    for file in both[1].files:
        path = tmp_path / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    assert both[1].files[1] == "results/old/blueprint/snapshot/00008.zarr"
    refuse_missing(both, "own")
    with pytest.raises(UserError, match="found no results/own"):
        refuse_missing(both, "old")


def test_matches__both_ways_round():
    a, b, c = map(Entrant.parse, ("a", "b", "c"))
    assert set(matches([a, b, c])) == {(a, b), (b, a), (a, c), (c, a), (b, c), (c, b)}


def test_gather__all_matches_in_one_table(tmp_path):
    files = written(tmp_path, ("a/x", "b/x"), ("b/x", "a/x"))
    record = gather(files, tmp_path / "table.json", tmp_path / "table.txt")
    assert record == json.loads((tmp_path / "table.json").read_text())
    assert record["entrants"] == ["a/x", "b/x"]
    assert [row["mean"] for row in record["matches"]] == [0.0, 10.0]
    assert "b/x" in (tmp_path / "table.txt").read_text()


def test_gather__results_of_two_games_are_refused(tmp_path):
    files = written(tmp_path, ("a/x", "b/x"))
    files += written(
        tmp_path, ("b/x", "a/x"), terms=Protocol("one run", PAYOFF, "deal", 2, 100, "g")
    )
    with pytest.raises(UserError, match="design is"):
        gather(files, tmp_path / "table.json", tmp_path / "table.txt")
    assert not (tmp_path / "table.json").exists()
