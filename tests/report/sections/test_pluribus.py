"""The pictures and the table of the comparison with Pluribus's hands."""

import copy
import json

import pytest

from report.synthetic import put
from sixmax.base.errors import UserError
from sixmax.evaluation.pluribus.scores import CASES
from sixmax.report.gather import gather
from sixmax.report.sections import pluribus

FOUND = {"mean": 0.5, "standard_error": 0.02, "interval": [0.46, 0.54], "n": 90}
SHARE = {"share": 18.3, "low": 16.0, "high": 21.0, "of": 300}


def part(*players):
    """The scores at ninety decisions."""
    result = {k: dict(FOUND) for k in ("agent", "itself", "uniform", *players)}
    scored = {name: result for name in ("loss", "mixed", "brier", "agreement")}
    cases = {k: {"decisions": 9, "of_loss": 0.1} for k in CASES}
    return {"decisions": 90, "cases": cases, **scored}


ROUNDS = ("preflop", "flop", "turn", "river")
DONKS = {k: SHARE for k in ("pluribus", "professionals", "agent")}
UTG = {
    "name": "UTG", "pluribus": {k: SHARE for k in ("fold", "call", "raise")},
    "agent": {"fold": 80.0, "call": 5.0, "raise": 17.0},
}  # fmt: skip
SIZES = {"raise": "first", "sizes": ["½", "1"], "pluribus": [3, 1], "agent": [0, 0]}
RECORD = {
    "agent": "blueprint", "random_share": 0.05, "hands": 2200, "decisions": 3474,
    "self_play_hands": 1000,
    "first_in": {**part("seat", "seat_and_class_left_out"), "seats": [UTG]},
    "totals": {
        k: {"pluribus": SHARE, "agent": 25.0} for k in ("vpip", "pfr", "three_bet", "bb_defends")
    },
    "later": [{"round": name, **part("facing")} for name in ROUNDS],
    "sizes": [{"round": name, **SIZES} for name in ROUNDS],
    "donk": {**DONKS, "rounds": [{"round": "turn", **DONKS}]},
}  # fmt: skip
SEARCHED = {"hands": 30, "rounds": [{"round": "flop", **part("search")}]}
SEARCHED["rounds"][0]["difference"] = {k: FOUND for k in ("mixed", "agreement")}


def test_figures__every_part_and_every_player_is_named():
    drawn = pluribus.figures(RECORD)
    for name in ("first in (90)", "preflop, not first in (90)", "river (90)", "this blueprint"):
        assert name in drawn["held_loss"]
    assert drawn["held_sizes"].count("(4)") == 4
    assert "size as a fraction of the pot" in drawn["held_sizes"]
    assert set(drawn) == {"held_loss", "held_cases", "held_sizes"}
    assert drawn["held_cases"].count("10 %") == 5 * len(CASES)  # nine decisions of ninety


def test_figures__search_where_it_was_asked_for():
    drawn = pluribus.figures({**RECORD, "search": SEARCHED})
    for name in ("search", "this blueprint", "uniform over what is legal", "flop (90)"):
        assert name in drawn["held_search"]


def test_figures__a_part_without_decisions_is_left_out():
    record = copy.deepcopy(RECORD)
    empty = {"mean": None, "standard_error": None, "interval": None, "n": 0}
    river = {name: {"agent": empty, "uniform": empty} for name in ("loss", "mixed", "agreement")}
    record["later"][3] = {"round": "river", "decisions": 0, "cases": {}, **river}
    assert "river (" not in pluribus.figures(record)["held_loss"]


def test_never__its_share_of_decisions_and_loss_after_the_first_round():
    expected = {"percent": 10, "of_loss": 20}  # 9 of 90; 0.1 of 0.5 nats
    assert pluribus.never(RECORD) == pytest.approx(expected)


def test_rows__ours_inside_their_interval_or_not():
    result = {row["name"]: row for row in pluribus.rows(RECORD)}
    assert result["UTG first in: raise"]["inside"] == "yes"
    assert result["UTG first in: limp"]["inside"] == "no"
    assert result["VPIP"]["interval"] == "16.0 to 21.0"
    assert list(result)[-2:] == ["donk bets", "donk bets, turn"]
    assert result["donk bets, turn"]["ours"] == "18.3\N{NARROW NO-BREAK SPACE}% (16.0 to 21.0)"


def test_page__shows_the_comparison_where_the_run_made_one(run, shown, monkeypatch):
    drawn = pluribus.figures({**RECORD, "search": SEARCHED})
    of_play = {name: figure for name, figure in drawn.items() if name != "held_search"}
    figures = {True: drawn, False: of_play}
    monkeypatch.setattr(pluribus, "figures", lambda record: figures["search" in record])

    def page(**more):
        put(run / "evaluation" / "pluribus.json", RECORD | more)
        return shown("pluribus")

    assert "Held to its own decisions" not in shown("pluribus")
    plain = page()
    for words, there in (
        ("2,200 published hands", True), ("held_loss", True), ("drawn at random", False),
        ("damaged", False),
    ):  # fmt: skip
        assert (words in plain) == there
    for damaged, words in ((12, "12 damaged lines of the logs are"), (1, "one damaged line")):
        assert f"2,200 published hands ({words}" in page(damaged=damaged)
    searched = page(search=SEARCHED)
    assert "Search in 30 of these hands" in searched
    assert "changes by +0.5 (+0.5 to +0.5) points" in searched


def test_gather__a_damaged_comparison_is_named(run):
    broken = {k: v for k, v in RECORD.items() if k != "donk"}
    (run / "evaluation" / "pluribus.json").write_text(json.dumps(broken))
    with pytest.raises(UserError, match="donk: Field required"):
        gather(run)
