"""The pictures and the table of the comparison with Pluribus's hands."""

import copy
import json

import pytest

from report.synthetic import put
from sixmax.errors import UserError
from sixmax.report import pluribus
from sixmax.report.gather import gather
from sixmax.report.page import render

LOSS = {"mean": 0.5, "probability": 0.7, "standard_error": 0.02, "interval": [0.46, 0.54], "n": 90}
SHARE = {"share": 18.3, "low": 16.0, "high": 21.0, "of": 300}
RECORD = {
    "agent": "blueprint",
    "hands": 2200,
    "decisions": 3474,
    "self_play_hands": 1000,
    "first_in": {
        "decisions": 90,
        "loss": {k: LOSS for k in ("agent", "uniform", "seat", "seat_and_class_left_out")},
        "seats": [
            {
                "name": "UTG",
                "pluribus": {k: SHARE for k in ("fold", "call", "raise")},
                "agent": {"fold": 80.0, "call": 5.0, "raise": 17.0},
            }
        ],
    },
    "totals": {
        k: {"pluribus": SHARE, "agent": 25.0} for k in ("vpip", "pfr", "three_bet", "bb_defends")
    },
    "later": [
        {"round": name, "loss": {k: LOSS for k in ("agent", "uniform", "facing")}}
        for name in ("preflop", "flop", "turn", "river")
    ],
    "sizes": [
        {"round": name, "raise": "first", "sizes": ["½", "1"], "pluribus": [3, 1], "agent": [0, 0]}
        for name in ("preflop", "flop", "turn", "river")
    ],
    "donk": {"pluribus": SHARE, "professionals": SHARE, "agent": SHARE},
}


def test_figures__every_part_and_every_player_is_named():
    drawn = pluribus.figures(RECORD)
    for name in ("first in (90)", "preflop, not first in (90)", "river (90)", "this blueprint"):
        assert name in drawn["held_loss"]
    assert drawn["held_sizes"].count("(4)") == 4


def test_figures__a_part_without_decisions_is_left_out():
    record = copy.deepcopy(RECORD)
    empty = {"mean": None, "probability": None, "standard_error": None, "interval": None, "n": 0}
    record["later"][3]["loss"] = {k: empty for k in ("agent", "uniform", "facing")}
    assert "river (" not in pluribus.figures(record)["held_loss"]


def test_rows__ours_inside_their_interval_or_not():
    found = {row["name"]: row for row in pluribus.rows(RECORD)}
    assert found["UTG first in: raise"]["inside"] == "yes"
    assert found["UTG first in: limp"]["inside"] == "no"
    assert found["VPIP"]["interval"] == "16.0 to 21.0"


def test_page__shows_the_comparison_where_the_run_made_one(run):
    before = render(gather(run))
    assert "Held to its own decisions" not in before
    put(run / "evaluation" / "pluribus.json", RECORD)
    after = render(gather(run))
    assert "2,200 published hands" in after
    assert "held_loss" in after


def test_gather__a_damaged_comparison_is_named(run):
    broken = {k: v for k, v in RECORD.items() if k != "donk"}
    (run / "evaluation" / "pluribus.json").write_text(json.dumps(broken))
    with pytest.raises(UserError, match="has no 'donk'"):
        gather(run)
