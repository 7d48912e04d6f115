"""Claims stand or fall by their numbers, at the edges too."""

import pytest

from report.synthetic import put
from report.synthetic_evaluation import first_in, gain, match
from sixmax.report.checks import RARE_PERCENT, Check, checks, in_words
from sixmax.report.gather import gather


def by_claim(inputs, word):
    (result,) = [check for check in checks(inputs) if word in check.claim]
    return result


def with_match(inputs, **values):
    row = {**match("blueprint", "rule", 0.0), **values}
    return inputs._replace(matches={**inputs.matches, "matches": [row]})


@pytest.mark.parametrize(
    ("interval", "expected"),
    [([0.1, 9.0], ""), ([0.0, 9.0], "zero"), ([-5.0, 9.0], "zero"), ([-9.0, -5.0], "loses")],
)
def test_checks__a_match_is_won_above_zero_only(inputs, interval, expected):
    actual = by_claim(with_match(inputs, interval=interval), "rule bot")
    assert actual.shown is (not expected)
    assert expected in actual.evidence


@pytest.mark.parametrize(("interval", "expected"), [([-9.0, -0.1], False), ([-9.0, 0.0], True)])
def test_checks__the_last_snapshot_is_not_to_be_lost_to(inputs, interval, expected):
    first = match("blueprint", "snapshot-00001", 50.0)
    last = {**match("blueprint", "snapshot-00004", 0.0), "interval": interval}
    result = inputs._replace(matches={**inputs.matches, "matches": [first, last]})
    assert by_claim(result, "late self").shown is expected
    assert by_claim(result, "early self").shown


def test_checks__continuations_are_no_claim(inputs):
    claims = [check.claim for check in checks(inputs)]
    assert len(claims) == 13
    assert not any("leaning" in claim or "fold" in claim for claim in claims)


@pytest.mark.parametrize(("high", "expected"), [(0.0, True), (-0.1, False)])
def test_checks__search_may_lose_in_no_round(inputs, high, expected):
    record = gain()
    record["gain"]["turn"]["interval"] = [-20.0, high]
    search = {**inputs.search, "gain": inputs.search["gain"] | record}
    assert by_claim(inputs._replace(search=search), "in any round").shown is expected


def test_checks__search_is_judged_against_the_form_that_it_plays(inputs):
    record = inputs.search["gain"] | {"config": {"first": 1, "blueprint": "blueprint-purified"}}
    result = inputs._replace(search={**inputs.search, "gain": record})
    assert "its own blueprint, purified" in by_claim(result, "Search beats").claim


def test_checks__search_claims_are_shown_where_the_numbers_show_them(inputs):
    claims = "Search beats five copies", "Search plays a hand"
    beats, pace = (by_claim(inputs, claim) for claim in claims)
    assert beats.shown
    assert "800 searches of 0.36 s, fast setting" in beats.evidence
    assert pace.shown
    assert pace.evidence.startswith("0.55 s a hand")


def test_checks__search_claims_fall_where_the_interval_holds_zero_or_the_pace_is_slow(run):
    put(run / "evaluation" / "search" / "gain.json", gain(mean=10.0))
    put(run / "evaluation" / "search" / "duel_cost.json", {"seconds": 2401.0, "threads": 2})
    inputs = gather(run)
    assert not by_claim(inputs, "Search beats").shown
    assert not by_claim(inputs, "Search plays a hand").shown


def test_checks__search_claims_name_the_flops_and_their_buckets(run, shown):
    result = gain()
    result |= {"flops": [3, 84, 700], "config": result["config"] | {"buckets": 500}}
    put(run / "evaluation" / "search" / "gain.json", result)
    expected = "400 hands on 3 flops with 500 buckets a round, 800 searches"
    assert expected in by_claim(gather(run), "Search beats").evidence
    assert "on 3 flops with 500 buckets a round" in shown("search")


@pytest.mark.parametrize(("limp", "expected"), [(RARE_PERCENT, True), (RARE_PERCENT + 0.1, False)])
def test_checks__limping(inputs, limp, expected):
    record = first_in(13)
    record["first_in"][1]["limp"] = limp
    assert by_claim(inputs._replace(first_in=record), "Limping").shown is expected


def test_checks__limping_of_the_small_blind_does_not_count(inputs):
    record = first_in(13)
    record["first_in"][4]["limp"] = 90.0
    assert by_claim(inputs._replace(first_in=record), "Limping").shown


def test_checks__equal_raising_is_not_wider(inputs):
    record = first_in(13)
    record["first_in"][1]["raise"] = record["first_in"][0]["raise"]
    check = by_claim(inputs._replace(first_in=record), "First-in")
    assert not check.shown
    assert "HJ does not raise more than UTG" in check.evidence


def test_checks__heads_up_claims_no_order(inputs):
    record = {**first_in(13), "first_in": first_in(13)["first_in"][-1:]}
    claims = [check.claim for check in checks(inputs._replace(first_in=record))]
    assert not any("position" in claim or "Limping" in claim for claim in claims)


@pytest.mark.parametrize(("key", "value"), [("p_value", 1e-7), ("impossible", 1)])
def test_checks__bad_sampling_fails(inputs, key, value):
    fits = [dict(fit) for fit in inputs.check["chi_square"]]
    fits[2][key] = value
    check = {**inputs.check, "chi_square": fits}
    assert not by_claim(inputs._replace(check=check), "continuations").shown


@pytest.mark.parametrize(
    ("shown", "expected"),
    [
        ([True, True], "All 2 checks hold."),
        ([True, False], "1 of 2 checks hold; 1 not shown by this run."),
        ([False, False], "None of the 2 checks is shown by this run."),
    ],
)
def test_in_words(shown, expected):
    assert in_words([Check("c", s, "e") for s in shown]) == expected
