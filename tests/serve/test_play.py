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


class Seat:
    """A session by requests; ``hand`` is its first, as it begins."""

    def __init__(self, client, **values):
        answer = post(client, "/api/play", {"seed": 4, **values})
        assert answer.status_code == 201, answer.text
        self.client, self.hand = client, answer.json()
        self.at = f"/api/play/{self.hand.pop('name')}"

    def get(self, path=""):
        return self.client.get(self.at + path)

    def post(self, path, **fields):
        return post(self.client, self.at + path, fields)

    def finish(self):
        """Call to the end of the hand: every answer on the way."""
        seen = [self.get().json()]
        while not seen[-1]["over"]:
            answer = self.post("/act", text="c") if seen[-1]["mine"] else self.post("/step")
            seen.append(answer.json())
            assert "error" not in seen[-1]
        return seen


def test_play__hands_by_requests_are_replayed(client, tmp_path):
    seat = Seat(client, against=["call", "random"])
    for n in range(1, 7):
        assert seat.get().json()["number"] == n
        end = seat.finish()[-1]
        assert all(len(each["cards"]) == 2 for each in end["table"]["seats"])
        assert sum(each["won"] for each in end["table"]["seats"]) == pytest.approx(0)
        review = seat.get("/review").json()
        assert review["number"] == n
        for decision in review["decisions"]:
            assert sum(decision["row"]) == pytest.approx(1, abs=0.001)
            assert decision["options"][decision["taken"]]["kind"] in ("check", "call")
            assert len(decision["worth"]) == len(decision["options"])
        seat.post("/next")
    score = seat.get("/score").json()
    assert (score["hands"], score["adjusted"]) == (6, None)
    assert "values" in score["why"]
    for file in ("hands.log", "hands.phhs"):
        (tmp_path / file).write_text(seat.get(f"/{file}").text)
        tally = replay([tmp_path / file])
        assert (tally.hands, tally.mismatches, tally.damaged) == (6, 0, 0)
        assert tally.players["you"].mean == pytest.approx(score["won"]["mean"])


def test_play__heads_up(tmp_path_factory, tmp_path):
    """The button posts the small blind, acts first before the flop and last after it."""
    folder = write_run(tmp_path_factory.mktemp("duel") / "results" / "duel", seats=2)
    client = client_of(Site(Library(open_run(folder)), json.dumps(QUICK)))
    own, mine, rounds = Seat(client, against=["blueprint"]), [], set()
    for _ in range(6):
        end = own.finish()[-1]
        seats = end["table"]["seats"]
        assert sum(seat["won"] for seat in seats) == pytest.approx(0)
        button = next(seat for seat in seats if seat["button"])
        mine.append(button["mine"])
        for key, events in groupby(end["events"], key=lambda event: event["round"]):
            assert (next(events)["seat"] == button["name"]) == (key == "preflop")
            rounds.add(key)
        own.post("/next")
    assert mine[:2] * 3 == mine  # the button goes to and fro
    assert set(mine) == {False, True}
    assert len(rounds) > 1
    (tmp_path / "hands.log").write_text(own.get("/hands.log").text)
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
    seat = Seat(client, against=["call"])
    seat.finish()
    first = seat.get("/score").json()
    assert (first["hands"], first["adjusted"], first["late"]) == (1, None, True)
    assert first["won"]["mean"] != 0
    over.set()
    monkeypatch.setattr(module, "PATIENCE", 60.0)
    last = seat.get("/score").json()
    assert (last["won"], last["late"]) == (first["won"], False)
    assert last["adjusted"]["mean"] == pytest.approx(70.0)  # 7 chips of 100 a big blind


def test_play__no_card_of_others_before_the_end(client):
    own = Seat(client, against=["random"], seed=6)
    for _ in range(8):
        *before, end = own.finish()
        others = [s["cards"] for s in end["table"]["seats"] if not s["mine"]]
        for values in before:
            for seat in values["table"]["seats"]:
                assert bool(seat["cards"]) == seat["mine"]
            seen = json.dumps(values)
            assert not [c for cards in others for c in cards if f'"{c}"' in seen]
        own.post("/next")


def test_play__the_same_seed_the_same_hand(client):
    first, again = (Seat(client, against=["random"], seed=8) for _ in range(2))
    assert first.at != again.at
    assert first.finish()[-1] == again.finish()[-1]


def test_hint__is_counted_and_shows_no_more_than_the_own_hand(client):
    seat = Seat(client, against=["call"], seat="BTN")
    values = seat.post("/hint").json()
    own = next(each for each in seat.hand["table"]["seats"] if each["mine"])
    assert values["cards"] == sorted(own["cards"], key=values["cards"].index)
    assert values["taken"] is None
    assert seat.get().json()["helped"] == 1


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
    seat = Seat(client, against=["call"], seat="BTN")
    for text in ("", "r", "r 1", "r 99999", "o", "q", "fodl", "x" * 30, "\x00"):
        assert seat.post("/act", text=text).status_code == 400, text
        assert seat.get().json() == seat.hand
    for body in ({}, {"text": 1}, {"text": "c" * 41}):
        assert seat.post("/act", **body).status_code == 400
    assert seat.post("/next").status_code == seat.get("/review").status_code == 400
    assert seat.post("/step").json() == seat.hand  # no agent is to act


def test_enough__ends_the_search_of_an_agent_and_says_so(library):
    """The agent would search for hours; told to end, it plays, and the next hand says nothing."""
    hours = {"iterations": 20_000_000, "vector_iterations": [20_000_000] * 4}
    site = Site(library, json.dumps({"buckets": 0, "first": 0, **hours}))
    seat = Seat(client_of(site), against=["search"], seat="BB", setting="full")
    assert seat.hand["thinking"]
    with ThreadPoolExecutor(1) as pool:
        answer = pool.submit(lambda: seat.post("/step").json())
        while not (far := seat.get("/progress").json())["share"]:
            assert not answer.done()
        assert (far["search"], 0 < far["share"] < 0.9) == (1, True)
        seat.post("/enough")
        after = answer.result(60)
    assert len(after["events"]) == 1
    assert after["events"][0]["cut"]


def test_enough__of_no_search_changes_nothing(client):
    seat = Seat(client, against=["random"], seat="BB")
    assert seat.post("/enough").status_code == 200
    assert "cut" not in seat.post("/step").json()["events"][0]


def test_play__unknown_sessions_and_old_ones(client):
    assert client.get("/api/play/0123456789abcdef").status_code == 404
    first, *_, last = (Seat(client, against=["call"]) for _ in range(MOST + 1))
    assert (first.get().status_code, last.get().status_code) == (404, 200)


def test_play__another_site_cannot(client):
    at, headers = Seat(client, against=["call"]).at, {"Origin": "http://example.org", **JSON}
    for subject in ("act", "step", "next", "hint", "enough"):
        answer = client.post(f"{at}/{subject}", content="{}", headers=headers)
        assert answer.status_code == 403


def test_next__a_session_has_an_end(client, monkeypatch):
    monkeypatch.setattr(module, "HANDS", 1)
    seat = Seat(client, against=["call"])
    assert seat.finish()[-1]["last"]
    answer = seat.post("/next")
    assert answer.status_code == 400
    assert "begin another session" in answer.json()["error"]


@settings(max_examples=60)
@given(text=st.text(max_size=45))
def test_act__any_text_is_an_action_or_refused(client, text):
    seat = Seat(client, against=["call"], seat="BTN")
    assert seat.post("/act", text=text).status_code in (200, 400)


def test_step__random_requests_never_break_a_session(client):
    random = np.random.default_rng(2)
    seat = Seat(client, against=["random"])
    words = ["act", "act", "step", "step", "next", "hint", "enough"]
    for _ in range(150):
        subject = words[random.integers(len(words))]
        text = ["c", "f", "r min", "r pot", "a", "r 12"][random.integers(6)]
        assert seat.post(f"/{subject}", text=text).status_code in (200, 400)
        assert seat.get("/progress").status_code == 200
    assert seat.get().status_code == 200
