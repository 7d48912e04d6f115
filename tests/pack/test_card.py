"""The card of a packed run: its measurements, in JSON and in words."""

import json
import re

import pytest

from report.synthetic_evaluation import gain
from sixmax.blueprint.run import open_run
from sixmax.evaluation.records import WHOLE_GAIN
from sixmax.pack.card import card, text
from sixmax.pack.run_file import licence
from sixmax.store.archive.read import opened
from sixmax.store.records import write


@pytest.fixture
def expected(run):
    return json.loads((run / "evaluation" / "matches.json").read_text())


def test_card__has_the_matches_of_the_run_with_their_intervals(run, expected):
    actual = card(open_run(run), "small")["strength"]
    assert [row["b"] for row in actual] == ["call", "rule"]
    for row, wanted in zip(actual, expected["matches"], strict=True):
        assert row.pop("protocol") == expected["protocol"]
        assert row.items() <= wanted.items()
        assert {"mean", "interval", "hands", "deals"} <= row.keys()


def test_card__says_how_it_was_trained(run):
    opened_run = open_run(run)
    actual = card(opened_run, "small")
    assert actual["run"] == opened_run.identity["digest"]
    assert (actual["training"]["iterations"], actual["training"]["hands"]) == (2000, 4000)
    assert actual["size"]["actions"] == opened_run.layout.size
    assert actual["settings"] == opened_run.identity["settings"]
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", actual["training"]["ended"])


def test_text__has_every_number_that_people_ask_for(file, expected):
    with opened(file) as archive:
        written, about = archive.read("card.txt").decode(), json.loads(archive.read("card.json"))
        assert archive.read("LICENSE") == licence()
        assert b"MIT" in licence()
    assert written == text(about)
    assert written.startswith(
        "small: a strategy of 2 players for holdem, 24 cards, 20 big blinds\n"
    )
    for match in expected["matches"]:
        low, high = match["interval"]
        row = next(line for line in written.splitlines() if f"of {match['b']}:" in line)
        for number in (f"{abs(match['mean']):,.1f}", f"{abs(low):,.1f}", f"{abs(high):,.1f}"):
            assert number in row
        assert f"{match['hands']:,} hands" in row
    assert "2,000 iterations, 4,000 hands" in written
    assert "Research" in written


def test_text__of_a_run_without_matches_says_so(run):
    about = card(open_run(run), "small") | {"strength": [], "search": None}
    assert text(about).endswith("strength  not measured\n")


def test_show__prints_the_card_and_checks_every_part(file, sixmax, tmp_path):
    actual = sixmax("show", file)
    with opened(file) as archive:
        assert actual.startswith(archive.read("card.txt").decode())
    assert actual.rstrip().endswith("every part matches its digest")
    assert re.search(r"buckets +[\d.]+ +[\d.]+", actual)


@pytest.mark.parametrize(
    ("config", "shown"),
    [
        ({}, True),  # from before it could be chosen
        ({"blueprint": "blueprint-purified"}, True),
        ({"blueprint": "snapshot-00006"}, False),
    ],
)
def test_card__has_the_gain_over_what_is_packed(copy, config, shown):
    record = gain() | {"config": config}
    write(copy / "evaluation" / "search" / "gain.json", WHOLE_GAIN, record)
    about = card(open_run(copy), "small")
    assert ("gain of search over it: +" in text(about)) is shown
    if shown:
        expected = record["gain"]["all"] | {"hands": record["hands"], "unit": record["unit"]}
        assert about["search"] == expected
