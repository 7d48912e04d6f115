"""The search on the page: claims that fall with their numbers, rows, a picture."""

from report.synthetic import put
from report.synthetic_evaluation import gain
from sixmax.report import page
from sixmax.report.checks import checks
from sixmax.report.gather import gather
from sixmax.report.sections import search


def of(inputs, word):
    return next(c for c in checks(inputs) if word in c.claim)


def test_claims__are_shown_where_the_numbers_show_them(inputs):
    beats, pace = of(inputs, "Search beats five copies"), of(inputs, "Search plays a hand")
    assert beats.shown
    assert "800 searches of 0.36 s, fast setting" in beats.evidence
    assert pace.shown
    assert pace.evidence.startswith("0.55 s a hand")


def test_claims__fall_where_the_interval_holds_zero_or_the_pace_is_slow(run):
    put(run / "evaluation" / "search" / "gain.json", gain(mean=10.0))
    put(run / "evaluation" / "search" / "duel_cost.json", {"seconds": 2401.0, "threads": 2})
    inputs = gather(run)
    assert not of(inputs, "Search beats").shown
    assert not of(inputs, "Search plays a hand").shown


def test_claims__name_the_flops_and_their_buckets(run):
    result = gain()
    result |= {"flops": [3, 84, 700], "config": result["config"] | {"buckets": 500}}
    put(run / "evaluation" / "search" / "gain.json", result)
    inputs = gather(run)
    expected = "400 hands on 3 flops with 500 buckets a round, 800 searches"
    assert expected in of(inputs, "Search beats").evidence
    assert "on 3 flops with 500 buckets a round" in page.render(inputs)


def test_rows__are_those_that_were_measured(run, only):
    only(search)
    result = search.rows(gather(run))
    assert result[0]["name"] == "search in every round from the flop on"
    assert [row["hands"] for row in result] == [400] * 4 + [120] * 2
    assert "the last iterate of a search wins more" in page.render(gather(run))
    old = gain()
    del old["more"]  # of a version that did not compare them
    put(run / "evaluation" / "search" / "gain.json", old)
    assert "the last iterate of a search wins more" not in page.render(gather(run))
    for name in ("duel", "gain"):
        (run / "evaluation" / "search" / f"{name}.json").unlink()
        inputs = gather(run)
        html = page.render(inputs)
        for said in ("Hands that were played took", "AIVAT of those hands", "by AIVAT"):
            assert (said in html) == ("duel" in inputs.search)
        assert ('id="search"' in html) == bool(inputs.search)
    assert not search.claims(inputs)
