"""Matches scored by AIVAT on the page: five columns beside the duplicate result."""

import json

import pytest

from report.synthetic import put
from report.synthetic_evaluation import columns, match
from sixmax.base.errors import UserError
from sixmax.report.gather import gather
from sixmax.report.page import render
from sixmax.report.sections import aivat


def scored(folder, b, mean=20.0, game=None):
    """A match scored by AIVAT in ``folder``, and its file."""
    record = match("blueprint", b, mean, 4.0) | columns(mean)
    if game:
        record["protocol"] = record["protocol"] | {"game": game}
    put(folder / "evaluation" / "aivat" / f"blueprint_vs_{b}.json", record)


def test_rows__five_columns_beside_the_duplicate_match(run, only):
    only(aivat)
    for b, mean in (("snapshot-00002", 20.0), ("continuation-fold", -20.0)):
        scored(run, b, mean)
    inputs = gather(run)
    rows = aivat.rows(inputs)
    played = {m["b"]: m for m in inputs.matches["matches"]}
    assert [row["mean"] for row in rows] == [20.0, -20.0]
    assert rows[0]["duplicate"] == played["snapshot-00002"]
    html = render(inputs)
    assert 'id="aivat"' in html
    assert '<td class="above">+24.0 ± 26.0</td>' in html
    assert f"{played['snapshot-00002']['mean']:+.1f} ± 12.5" in html
    assert "÷ 9.5, –" in html


def test_page__without_aivat_says_nothing_of_it(inputs, page):
    assert not aivat.rows(inputs)
    assert 'id="aivat"' not in page


def test_gather__refuses_matches_of_another_game(run):
    scored(run, "snapshot-00002", game="ff" * 8)
    with pytest.raises(UserError, match="played on game ffff"):
        gather(run)
    path = run / "evaluation" / "aivat" / "blueprint_vs_snapshot-00002.json"
    path.write_text(json.dumps({"a": "blueprint"}))
    with pytest.raises(UserError, match="protocol: Field required"):
        gather(run)
