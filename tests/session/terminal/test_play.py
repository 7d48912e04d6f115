"""The command ``play``, driven by its input: hands, garbage, the end of input, interrupts."""

import json
import re
import time

import numpy as np
import pytest

from commands import called
from sixmax.base.errors import UserError
from sixmax.cards.deck import format_cards
from sixmax.hands.replay import records, replay
from sixmax.session.luck import Luck
from sixmax.session.session import Session
from sixmax.session.terminal import play as module
from sixmax.session.terminal import review as review_module
from sixmax.session.terminal.words import Paint


@pytest.fixture(autouse=True)
def opened(run, luck, monkeypatch, tmp_path):
    monkeypatch.setattr(module, "open_run", lambda folder: run)
    monkeypatch.setattr(review_module, "open_run", lambda folder: run)
    monkeypatch.setattr(module, "_luck", lambda run: luck)
    monkeypatch.setattr(module, "_PATIENCE", 600.0)
    return tmp_path


@pytest.fixture
def log(opened):
    return opened / "x.log"


def table(typed, *words, code=0):
    """The output of `sixmax play` where ``typed`` is its input."""
    args = ["play", "--run", "small", "--seed", "1", *words]
    return called(*args, input=typed, code=code).stdout


def test_play__hands_are_saved_and_replay_agrees(opened, log):
    phh = opened / "phh"
    out = table("c\n" * 60, "--hands", "4", "--save", str(log), "--phh", str(phh))
    assert "4 hands saved in" in out
    tally = replay([log])
    assert (tally.hands, tally.mismatches, tally.damaged) == (4, 0, 0)
    mean = tally.players["you"].mean
    assert f"{mean:+,.0f} mbb/hand" in out.splitlines()[-3]
    assert "luck taken off by AIVAT: " in out
    assert len(list(phh.iterdir())) == 4


def test_play__the_same_seed_and_keys_give_the_same_lines():
    typed = "r pot\nc\nc\nc\no\nc\nc\na\n" + "c\n" * 30
    assert table(typed, "--hands", "3") == table(typed, "--hands", "3")


def test_play__goes_on_in_the_same_log(log):
    table("c\n" * 60, "--hands", "2", "--save", str(log))
    out = table("c\n" * 60, "--hands", "2", "--save", str(log))
    assert "it goes on with hand 3" in out
    assert replay([log]).hands == 4


def test_play__end_of_input_leaves_whole_hands(log):
    for keys in range(9):
        log.unlink(missing_ok=True)
        out = table("c\n" * keys, "--save", str(log), "--against", "call")
        assert "was not finished and does not count" in out
        saved = re.search(r"(\d+) hands? saved", out)
        hands = replay([log]).hands if log.exists() else 0
        assert hands == (int(saved[1]) if saved else 0)
    assert hands > 0


def test_play__ctrl_c_leaves_whole_hands(log, monkeypatch):
    act, acts = Session.act, []

    def interrupted(session, action):
        acts.append(action)
        if len(acts) == 6:
            raise KeyboardInterrupt
        act(session, action)

    monkeypatch.setattr(Session, "act", interrupted)
    out = table("c\n" * 60, "--save", str(log), "--against", "call", code=130)
    assert "was not finished and does not count" in out
    assert "saved in" in out
    tally = replay([log])
    assert (tally.hands, tally.damaged, tally.mismatches) == (1, 0, 0)


def test_play__garbage_is_answered_and_changes_nothing():
    good = table("c\n" * 40, "--hands", "3", "--against", "call")
    noise = ["", "fodl", "r", "r 1", "r 99999", "?", "\x1b[31mred", "'; drop", "ß" * 300, "s"]
    typed = "".join("\n".join([*noise, "c", ""]) for _ in range(40))
    bad = table(typed, "--hands", "3", "--against", "call")
    assert "did you mean 'fold'?" in bad
    assert "\x1b" not in bad
    events = r"^  (?:BTN|SB|BB) .*$|^(?:flop|turn|river)  .*$"
    assert re.findall(events, bad, re.M) == re.findall(events, good, re.M)


def test_play__random_bytes():
    random = np.random.default_rng(3)
    typed = bytes(random.integers(0, 256, 4000).tolist()).decode("latin-1")
    out = table(typed, "--against", "random")
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f]", out)


def test_play__shows_no_cards_of_others_while_a_hand_goes_on(log):
    out = table("c\nr pot\n" * 60, "--hands", "6", "--save", str(log), "--against", "call,random")
    hands = re.split(r"^hand (?=\d)", out, flags=re.M)[1:]
    for record, text in zip(records(log, module.open_run(None).game), hands, strict=True):
        at = record.names.index("you")
        going_on = text.split("all cards")[0]
        for seat, hole in enumerate(record.holes):
            if seat != at:
                shown = format_cards(hole)
                assert f"{shown[:2]} {shown[2:]}" not in going_on
    assert len(hands) == 6


def test_play__fits_80_columns_without_colour():
    out = table("o\nc\n?\nr pot\na\ns\n" * 20, "--hands", "5", "--against", "random,call")
    assert max(map(len, out.splitlines())) <= 80
    assert "\x1b" not in out


def test_play__opinion_is_counted_as_help():
    assert "help asked for 2 times" in table("o\no\nc\nc\nc\nc\nc\n", "--hands", "1")
    assert "help asked for" not in table("c\n" * 9, "--hands", "1")


@pytest.mark.parametrize(
    ("option", "why"),
    [
        (("--against", "blueprnt"), "agent 'blueprnt': unknown"),
        (("--against", "call,call,call,call"), "found 4 agents"),
        (("--seat", "UTG"), "seat 'UTG': unknown"),
    ],
)
def test_play__mistakes_come_before_the_first_hand(option, why):
    with pytest.raises(UserError, match=why):
        table("", *option)


def test_play__an_agent_that_searches_says_so(monkeypatch):
    thinking = Session.state

    def state(session):
        seen = thinking(session)
        return seen._replace(thinking=seen.actor >= 0 and not seen.mine)

    monkeypatch.setattr(Session, "state", state)
    out = table("c\n" * 9, "--hands", "1", "--against", "call", "--seat", "SB")
    assert re.search(r"^  BTN   call +searches … \d+\.\d s, (calls|checks)$", out, re.M)


def test_play__aivat_that_takes_long_is_awaited_at_the_end(monkeypatch):
    monkeypatch.setattr(module, "_PATIENCE", 0.05)
    columns = Luck.columns

    def slow(luck, hand):
        time.sleep(1.0)
        return columns(luck, hand)

    monkeypatch.setattr(Luck, "columns", slow)
    out = table("c\n" * 9, "--hands", "1", "--against", "call")
    first, last = re.findall("luck taken off by AIVAT: (.*)", out)
    assert first == "at work, kernels compile once"
    assert last.endswith("mbb/hand")
    assert "AIVAT is still at work; Ctrl-C leaves without its result" in out


def test_paint__colour_only_where_it_is_wanted(monkeypatch):
    class Screen:
        def isatty(self):
            return True

    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    assert Paint(Screen())("Ah") == "\x1b[31mAh\x1b[0m"
    assert Paint(Screen())("9c, all", "bold") == "\x1b[1m\x1b[32m9c\x1b[0m\x1b[1m, all\x1b[0m"
    for name, value in (("NO_COLOR", "1"), ("TERM", "dumb")):
        with monkeypatch.context() as patch:
            patch.setenv(name, value)
            assert Paint(Screen())("Ah 9c", "bold") == "Ah 9c"


def test_review__the_hands_just_played(log):
    played = table("c\nr pot\n" * 40, "--hands", "3", "--save", str(log), "--against", "call")
    args = ["review", str(log), "--run", "small"]
    whole = called(*args, "--player", "you").stdout
    assert re.findall(r"^hand \d", whole, re.M) == ["hand 1", "hand 2", "hand 3"]
    rows = r"^(?:preflop|flop|turn|river) +[\d,]+  .*$"
    count = len(re.findall(rows, whole, re.M))
    assert count == len(re.findall(rows, played, re.M))
    assert f"3 hands, {count} decisions; blueprint does the same in " in whole
    worst = called(*args, "--player", "you", "--worst", 3).stdout
    costs = [line.split("±")[0].split()[-1] for line in re.findall(rows, worst, re.M)]
    chips = [float(cost.replace(",", "")) for cost in costs]
    assert chips == sorted(chips, reverse=True)
    assert len(chips) == 3
    assert max(map(len, (whole + worst).splitlines())) <= 80


def test_review__as_json_tells_what_the_text_tells(opened, log):
    out = opened / "made" / "decisions.json"
    table("c\nr pot\n" * 40, "--hands", "3", "--save", str(log), "--against", "call")
    text = called("review", log, "--run", "small", "--player", "you", "--out", out).output
    values = json.loads(out.read_text(), parse_constant=pytest.fail)
    rows = [row for hand in values["hands"] for row in hand["decisions"]]
    assert (values["opinion"], values["seed"]) == ("blueprint", 1)
    assert values["summary"]["decisions"] == len(rows) > 2
    assert {hand["player"] for hand in values["hands"]} == {"you"}
    for hand in values["hands"]:
        assert f"hand {hand['number']} · you, {hand['position']}" in text
    for row in rows:
        share = {each["action"]: each["share"] for each in row["actions"]}
        worth = {each["action"]: each["worth"]["mean"] for each in row["actions"]}
        assert sum(share.values()) == pytest.approx(1)
        expected = sum(share[k] * worth[k] for k in share) - worth[row["done"]]
        assert row["cost"]["mean"] == pytest.approx(expected, abs=1e-6)
        assert row["cost"]["low"] <= row["cost"]["mean"] <= row["cost"]["high"]


def test_review__no_file(opened):
    with pytest.raises(UserError, match="no such file; wanted an ACPC log or a PHH file"):
        called("review", opened / "none.log", "--run", "small")
