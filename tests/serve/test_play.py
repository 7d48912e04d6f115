"""The routes of Play: hands by requests, nothing seen too early, bad input harmless."""

import json
from concurrent.futures import ThreadPoolExecutor
from itertools import groupby
from threading import Event

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from serve.conftest import JSON, QUICK, client_of, post, write_run
from sixmax.blueprint.run import open_run
from sixmax.hands.replay import replay
from sixmax.serve.app import Site
from sixmax.serve.library import Library
from sixmax.serve.seat import tables as module
from sixmax.serve.seat.routes import MOST


def begin(client, **values):
    answer = post(client, "/api/play", {"seed": 4, **values})
    assert answer.status_code == 201, answer.text
    return answer.json()


def finish(client, name, hand, choose=lambda hand: "c"):
    """Play the hand to its end: every answer on the way."""
    seen = [hand]
    while not hand["over"]:
        if hand["mine"]:
            hand = post(client, f"/api/play/{name}/act", {"text": choose(hand)}).json()
        else:
            hand = post(client, f"/api/play/{name}/step", {}).json()
        assert "error" not in hand
        seen.append(hand)
    return seen


def test_play__hands_by_requests_are_replayed(client, tmp_path):
    first = begin(client, against=["call", "random"])
    name, hand = first["name"], first
    for n in range(1, 7):
        assert hand["number"] == n
        end = finish(client, name, hand)[-1]
        assert all(len(seat["cards"]) == 2 for seat in end["table"]["seats"])
        assert sum(seat["won"] for seat in end["table"]["seats"]) == pytest.approx(0)
        review = client.get(f"/api/play/{name}/review").json()
        assert review["number"] == n
        for decision in review["decisions"]:
            assert sum(decision["row"]) == pytest.approx(1, abs=0.001)
            assert decision["options"][decision["taken"]]["kind"] in ("check", "call")
            assert len(decision["worth"]) == len(decision["options"])
        hand = post(client, f"/api/play/{name}/next", {}).json()
    score = client.get(f"/api/play/{name}/score").json()
    assert (score["hands"], score["adjusted"]) == (6, None)
    assert "values" in score["why"]
    for file in ("hands.log", "hands.phhs"):
        (tmp_path / file).write_text(client.get(f"/api/play/{name}/{file}").text)
        tally = replay([tmp_path / file])
        assert (tally.hands, tally.mismatches, tally.damaged) == (6, 0, 0)
        assert tally.players["you"].mean == pytest.approx(score["won"]["mean"])


def test_play__heads_up(tmp_path_factory, tmp_path):
    """The button posts the small blind, acts first before the flop and last after it."""
    folder = write_run(tmp_path_factory.mktemp("duel") / "results" / "duel", seats=2)
    client = client_of(Site(Library(open_run(folder)), json.dumps(QUICK)))
    hand = begin(client, against=["blueprint"])
    name, mine, rounds = hand["name"], [], set()
    for _ in range(6):
        end = finish(client, name, hand)[-1]
        seats = end["table"]["seats"]
        assert sum(seat["won"] for seat in seats) == pytest.approx(0)
        button = next(seat for seat in seats if seat["button"])
        mine.append(button["mine"])
        for key, events in groupby(end["events"], key=lambda event: event["round"]):
            assert (next(events)["seat"] == button["name"]) == (key == "preflop")
            rounds.add(key)
        hand = post(client, f"/api/play/{name}/next", {}).json()
    assert mine[:2] * 3 == mine  # the button goes to and fro
    assert set(mine) == {False, True}
    assert len(rounds) > 1
    (tmp_path / "hands.log").write_text(client.get(f"/api/play/{name}/hands.log").text)
    tally = replay([tmp_path / "hands.log"])
    assert (tally.hands, tally.mismatches, tally.damaged) == (6, 0, 0)
    assert set(tally.players) == {"you", "blueprint"}


def test_score__comes_at_once_and_without_luck_later(client, site, monkeypatch):
    """AIVAT's kernels compile for minutes: a slow one stands for them."""
    over = Event()

    class Slow:
        def columns(self, hand):
            assert over.wait(60)
            return np.full(5, 7.0)

    monkeypatch.setattr(module, "PATIENCE", 0.01)
    monkeypatch.setattr(site.seat, "luck", Slow())
    hand = begin(client, against=["call"])
    finish(client, hand["name"], hand)
    path = f"/api/play/{hand['name']}/score"
    first = client.get(path).json()
    assert (first["hands"], first["adjusted"], first["late"]) == (1, None, True)
    assert first["won"]["mean"] != 0
    over.set()
    monkeypatch.setattr(module, "PATIENCE", 60.0)
    last = client.get(path).json()
    assert (last["won"], last["late"]) == (first["won"], False)
    assert last["adjusted"]["mean"] == pytest.approx(70.0)  # 7 chips of 100 a big blind


def test_play__no_card_of_others_before_the_end(client):
    hand = begin(client, against=["random"], seed=6)
    name = hand["name"]
    for _ in range(8):
        *before, end = finish(client, name, hand)
        others = [s["cards"] for s in end["table"]["seats"] if not s["mine"]]
        for values in before:
            for seat in values["table"]["seats"]:
                assert bool(seat["cards"]) == seat["mine"]
            seen = json.dumps(values)
            assert not [c for cards in others for c in cards if f'"{c}"' in seen]
        hand = post(client, f"/api/play/{name}/next", {}).json()


def test_play__the_same_seed_the_same_hand(client):
    first, again = (begin(client, against=["random"], seed=8) for _ in range(2))
    ends = [finish(client, hand["name"], hand)[-1] for hand in (first, again)]
    assert first["name"] != again["name"]
    assert ends[0] == ends[1]


def test_hint__is_counted_and_shows_no_more_than_the_own_hand(client):
    hand = begin(client, against=["call"], seat="BTN")
    values = post(client, f"/api/play/{hand['name']}/hint", {}).json()
    own = next(seat for seat in hand["table"]["seats"] if seat["mine"])
    assert values["cards"] == sorted(own["cards"], key=values["cards"].index)
    assert values["taken"] is None
    assert client.get(f"/api/play/{hand['name']}").json()["helped"] == 1


@pytest.mark.parametrize(
    ("values", "why"),
    [
        ({"against": ["nobody"]}, "agent 'nobody': unknown"),
        ({"against": []}, "wanted one for all seats"),
        ({"against": ["call"] * 4}, "wanted one for all seats"),
        ({"against": ["../../etc/passwd"]}, "unknown"),
        ({"against": ["acpc:18791"]}, "plays hand by hand"),
        ({"against": [1]}, "wanted names of agents"),
        ({"seat": "UTG"}, "seat 'UTG': unknown"),
        ({"seed": -1}, "seed: wanted"),
        ({"seed": True}, "seed: wanted int"),
        ({"setting": "slow"}, "setting 'slow': wanted full or fast"),
        ({"more": 1}, "more: unknown"),
    ],
)
def test_begin__refuses(client, values, why):
    answer = post(client, "/api/play", values)
    assert answer.status_code == 400
    assert why in answer.json()["error"]


def test_act__refuses_and_changes_nothing(client):
    hand = begin(client, against=["call"], seat="BTN")
    name = hand.pop("name")
    for text in ("", "r", "r 1", "r 99999", "o", "q", "fodl", "x" * 30, "\x00"):
        answer = post(client, f"/api/play/{name}/act", {"text": text})
        assert answer.status_code == 400, text
        assert client.get(f"/api/play/{name}").json() == hand
    for body in ({}, {"text": 1}, {"text": "c" * 41}):
        assert post(client, f"/api/play/{name}/act", body).status_code == 400
    assert post(client, f"/api/play/{name}/next", {}).status_code == 400
    assert client.get(f"/api/play/{name}/review").status_code == 400
    assert post(client, f"/api/play/{name}/step", {}).json() == hand  # no agent is to act


def test_enough__ends_the_search_of_an_agent_and_says_so(library):
    """The agent would search for hours; told to end, it plays, and the next hand says nothing."""
    hours = {"iterations": 20_000_000, "vector_iterations": [20_000_000] * 4}
    site = Site(library, json.dumps({"buckets": 0, "first": 0, **hours}))
    client = client_of(site)
    hand = begin(client, against=["search"], seat="BB", setting="full")
    at = f"/api/play/{hand['name']}"
    assert hand["thinking"]
    with ThreadPoolExecutor(1) as pool:
        answer = pool.submit(lambda: post(client, f"{at}/step", {}).json())
        while not (far := client.get(f"{at}/progress").json())["share"]:
            assert not answer.done()
        assert (far["search"], 0 < far["share"] < 0.9) == (1, True)
        post(client, f"{at}/enough", {})
        after = answer.result(60)
    assert len(after["events"]) == 1
    assert after["events"][0]["cut"]


def test_enough__of_no_search_changes_nothing(client):
    hand = begin(client, against=["random"], seat="BB")
    at = f"/api/play/{hand['name']}"
    assert post(client, f"{at}/enough", {}).status_code == 200
    assert "cut" not in post(client, f"{at}/step", {}).json()["events"][0]


def test_play__unknown_sessions_and_old_ones(client):
    assert client.get("/api/play/0123456789abcdef").status_code == 404
    names = [begin(client, against=["call"])["name"] for _ in range(MOST + 1)]
    assert client.get(f"/api/play/{names[0]}").status_code == 404
    assert client.get(f"/api/play/{names[-1]}").status_code == 200


def test_play__another_site_cannot(client):
    name = begin(client, against=["call"])["name"]
    headers = {"Origin": "http://example.org", **JSON}
    for subject in ("act", "step", "next", "hint", "enough"):
        answer = client.post(f"/api/play/{name}/{subject}", content="{}", headers=headers)
        assert answer.status_code == 403


def test_next__a_session_has_an_end(client, monkeypatch):
    monkeypatch.setattr(module, "HANDS", 1)
    hand = begin(client, against=["call"])
    assert finish(client, hand["name"], hand)[-1]["last"]
    answer = post(client, f"/api/play/{hand['name']}/next", {})
    assert answer.status_code == 400
    assert "begin another session" in answer.json()["error"]


@settings(max_examples=60)
@given(text=st.text(max_size=45))
def test_act__any_text_is_an_action_or_refused(client, text):
    hand = begin(client, against=["call"], seat="BTN")
    answer = post(client, f"/api/play/{hand['name']}/act", {"text": text})
    assert answer.status_code in (200, 400)


def test_step__random_requests_never_break_a_session(client):
    random = np.random.default_rng(2)
    name = begin(client, against=["random"])["name"]
    words = ["act", "act", "step", "step", "next", "hint", "enough"]
    for _ in range(150):
        subject = words[random.integers(len(words))]
        text = ["c", "f", "r min", "r pot", "a", "r 12"][random.integers(6)]
        answer = post(client, f"/api/play/{name}/{subject}", {"text": text})
        assert answer.status_code in (200, 400)
        assert client.get(f"/api/play/{name}/progress").status_code == 200
    assert client.get(f"/api/play/{name}").status_code == 200
