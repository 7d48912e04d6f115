"""Results of matches together."""

import json

from sixmax.base.files import write_json
from sixmax.evaluation.match.results import gather_league
from sixmax.scores.statistics import PAYOFF, Protocol, Result, Sums


def test_gather_league__all_matches_in_one_table(tmp_path):
    terms, files = Protocol("two runs", PAYOFF, "deal", 2, 100, "game"), []
    for k, (a, b) in enumerate([("a/x", "b/x"), ("b/x", "a/x")]):
        sums = Sums(100, 1000.0 * k, 1e6 + 1e4 * k * k)
        files.append(tmp_path / f"{k}.json")
        write_json(files[k], Result(a, b, terms, (1,), 200, sums, (sums, sums)).to_json())
    record = gather_league(files, tmp_path / "table.json", tmp_path / "table.txt")
    assert record == json.loads((tmp_path / "table.json").read_text())
    assert record["entrants"] == ["a/x", "b/x"]
    assert [row["mean"] for row in record["matches"]] == [0.0, 10.0]
    assert "b/x" in (tmp_path / "table.txt").read_text()
