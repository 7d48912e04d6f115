"""Results with intervals on the page: AIVAT, best responses, search."""

import json

import pytest

from report.synthetic import put
from report.synthetic_evaluation import columns, gain, match
from report.synthetic_evaluation import protocol as of_matches
from sixmax.base.errors import UserError
from sixmax.evaluation.exploitability.lbr import protocol
from sixmax.report.checks import checks
from sixmax.report.gather import gather
from sixmax.report.sections import estimates
from sixmax.scores.statistics import Result, Sums


def scored(folder, b, mean=20.0, game=None):
    """A match scored by AIVAT in ``folder``, and its file."""
    record = match("blueprint", b, mean, 4.0) | columns(mean)
    if game:
        record["protocol"] = record["protocol"] | {"game": game}
    put(folder / "evaluation" / "aivat" / f"blueprint_vs_{b}.json", record)


def test_aivat__five_columns_beside_the_duplicate_match(run, shown):
    for b, mean in (("snapshot-00002", 20.0), ("continuation-fold", -20.0)):
        scored(run, b, mean)
    inputs = gather(run)
    rows = estimates.aivat(inputs)["rows"]
    played = {m["b"]: m for m in inputs.matches["matches"]}
    assert [row["mean"] for row in rows] == [20.0, -20.0]
    assert rows[0]["duplicate"] == played["snapshot-00002"]
    html = shown("aivat")
    assert 'id="aivat"' in html
    assert '<td class="above">+24.0 ± 26.0</td>' in html
    assert f"{played['snapshot-00002']['mean']:+.1f} ± 12.5" in html
    assert "÷ 9.5, –" in html


def test_aivat__page_without_it_says_nothing_of_it(inputs, page):
    assert estimates.aivat(inputs) is None
    assert 'id="aivat"' not in page


def test_gather__refuses_matches_of_another_game(run):
    scored(run, "snapshot-00002", game="ff" * 8)
    with pytest.raises(UserError, match="played on game ffff"):
        gather(run)
    path = run / "evaluation" / "aivat" / "blueprint_vs_snapshot-00002.json"
    path.write_text(json.dumps({"a": "blueprint"}))
    with pytest.raises(UserError, match="protocol: Field required"):
        gather(run)


def bound(agent, total, name="fcpa", game=None):
    kind = protocol(name, 100, game or of_matches()["game"], "net chips")
    sums = Sums(100, total, total * total / 100 + 1e6)
    return Result(f"lbr-{name}", agent, kind, (1,), 400, sums, (sums, sums)).to_json()


def test_page__shows_bounds_where_the_run_has_them(run, shown):
    assert "Lower bounds on exploitability" not in shown("bounds")
    result = {"bounds": [bound("blueprint", 50_000.0), bound("random", 730_000.0)]}
    put(run / "evaluation" / "bounds.json", result)
    page = shown("bounds")
    for words in (
        "Lower bounds on exploitability", "<th>fcpa</th>", "+500.0", "+7,300.0 ± 10.1",
        "turn and river fold, call, pot, all-in",
    ):  # fmt: skip
        assert words in page
    assert page.count('class="beside"') == 1


def test_page__shows_bounds_against_search_where_the_run_has_them(run, shown):
    folder = run / "evaluation" / "lbr_search"
    error = {"standard_error": 20.0, "level": 0.95}
    figure = {"mean": -123.0, "interval": [-200.0, -46.0]} | error
    plain = {"mean": -99.0, "interval": [-300.0, 102.0]} | error
    record = {
        "a": "lbr-fcpa", "protocol": of_matches(), "deals": 40, "hands": 80, "searches": 160,
        "setting": "fast", "config": {}, "known_each": 20, "unit": "mbb/game",
        "of": [[1, 0, 40]], "won": {}, "known": [],
        "figures": {"controlled": figure, "search": plain, "difference": plain, "known": plain},
    }  # fmt: skip
    put(folder / "fcpa.json", record)
    put(folder / "fcpa_cost.json", {"seconds": 200.0, "threads": 1})
    page = shown("bounds")
    for words in ("Lower bounds against search", "−123.0", "<td>2.5</td>"):
        assert words in page
    put(folder / "fcpa.json", record | {"protocol": of_matches() | {"game": "another"}})
    with pytest.raises(UserError, match="played on game another"):
        gather(run)


def test_rows__uniform_play_stands_beside_and_protocols_in_their_order(run):
    result = [bound("blueprint", 50_000.0), bound("random", 730_000.0)]
    result.append(bound("blueprint", 9.0, "fc"))
    put(run / "evaluation" / "bounds.json", {"bounds": result})
    actual = estimates.bounds(gather(run))["rows"]
    assert [(r["name"], r["mean"], r["hands"]) for r in actual] == [
        ("fc", pytest.approx(0.09), 400), ("fcpa", 500.0, 400),
    ]  # fmt: skip
    assert actual[1]["uniform"] == result[1]
    assert actual[0]["uniform"] is None


RESPONSE = {
    "agent": "blueprint", "game": of_matches()["game"], "unit": "mbb/game", "nash_conv": 12.5,
    "seats": [{"name": "SB", "value": -55.5, "gain": 5.25}, {"name": "BB", "value": 55.5,
                                                            "gain": 7.25}],
    "uniform": {"nash_conv": 916.67, "seats": [{"name": "SB", "value": 125.0, "gain": 500.0},
                                               {"name": "BB", "value": -125.0, "gain": 416.67}]},
}  # fmt: skip


def test_page__shows_best_responses_where_the_run_has_them(run, shown):
    put(run / "evaluation" / "response.json", RESPONSE)
    page = shown("bounds")
    for words in (
        "Best responses, exactly", "half of it is the exploitability", "7.25",
        "NashConv, is 12.50 mbb/game; of uniform play it is\n916.67",
    ):  # fmt: skip
        assert words in page


@pytest.mark.parametrize(
    ("name", "record", "message"),
    [
        ("response", {"agent": "blueprint", "game": "x"}, "nash_conv"),
        ("response", RESPONSE | {"game": "another"}, "played on game another, the matches on"),
        (
            "bounds", {"bounds": [bound("blueprint", 5e4, game="another")]},
            "played on game another, the matches on",
        ),
    ],
)  # fmt: skip
def test_gather__a_damaged_or_foreign_record_is_named(run, name, record, message):
    put(run / "evaluation" / f"{name}.json", record)
    with pytest.raises(UserError, match=rf"{name}\.json: .*{message}"):
        gather(run)


def test_search__rows_are_those_that_were_measured(run, shown):
    result = estimates.search(gather(run))["rows"]
    assert result[0]["name"] == "search in every round from the flop on"
    assert [row["hands"] for row in result] == [400] * 4 + [120] * 2
    new = shown("search")
    old = gain() | {"won_more": {}, "more": gain()["gain"]}  # of a version that had another row
    put(run / "evaluation" / "search" / "gain.json", old)
    assert shown("search") == new
    for name in ("duel", "gain"):
        (run / "evaluation" / "search" / f"{name}.json").unlink()
        inputs, html = gather(run), shown("search")
        for said in ("Hands that were played took", "AIVAT of those hands", "by AIVAT"):
            assert (said in html) == ("duel" in inputs.search)
        assert ('id="search"' in html) == bool(inputs.search)
    assert not [check for check in checks(inputs) if check.claim.startswith("Search")]
