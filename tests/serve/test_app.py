"""The routes: answers, refusals, and that no input is an error of the server."""

import json
import time
from urllib.parse import quote

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from starlette.testclient import TestClient

from search.holdem import RANKS
from serve.conftest import HERE, QUICK
from sixmax.cards.deck import classes, hole_cards, parse_cards
from sixmax.cards.evaluate import rank_holes
from sixmax.errors import UserError
from sixmax.rng import child
from sixmax.search.advice import position, replay
from sixmax.search.config import search_config
from sixmax.search.public_hand import PublicHand
from sixmax.search.searcher import Searcher
from sixmax.search.solvers.problem import quiet
from sixmax.serve.app import Site, make_app
from sixmax.serve.guard import MOST_BODY
from sixmax.serve.jobs.search import SearchQuestion, SpotSearch
from sixmax.serve.library import Library

JSON = {"Content-Type": "application/json"}
FLOP = {"actions": "r350cf/", "board": "AhKd9c"}
RIVER = {"actions": "r350cf/cc/cc/", "board": "AhKd9cTsTd"}


def post(client, path, body, **headers):
    text = body if isinstance(body, (str, bytes)) else json.dumps(body)
    return client.post(path, content=text, headers={**JSON, **headers})


def finished(client, job, seconds=300, path="/api/search"):
    until = time.monotonic() + seconds
    while job["state"] in ("waiting", "running") and time.monotonic() < until:
        time.sleep(0.02)
        job = client.get(f"{path}/{job['id']}").json()
    return job


def test_pages__are_whole_and_safe(client):
    first = client.get("/")
    assert first.status_code == 200
    assert first.url.path == "/explore"
    assert '<option value="against:snapshot-00001">snapshot 1 of small</option>' in first.text
    assert "<script>" not in first.text
    assert "style=" not in first.text
    policy = first.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    for file in ("colours.css", "site.css", "explore.js", "chart.js", "table.js", "icon.svg"):
        answer = client.get(f"/static/{file}")
        assert answer.status_code == 200
        assert "http://" not in answer.text.replace("http://www.w3.org/2000/svg", "")
        assert "https://" not in answer.text


def test_modules__are_few_and_short(client):
    for file in ("explore.js", "chart.js", "table.js", "worth.js", "play.js", "seat.js"):
        assert len(client.get(f"/static/{file}").text.splitlines()) <= 300


def test_spot__is_that_of_its_address(get):
    actual = get("/api/spot", **FLOP, beside="snapshot-00001")
    assert actual["status"] == 200
    assert actual["address"] == {**FLOP, "beside": "snapshot-00001"}
    assert [s["name"] for s in actual["strategies"]] == ["blueprint", "snapshot-00001"]


@pytest.mark.parametrize(
    ("path", "query", "why"),
    [
        ("/api/spot", {"actions": "r120"}, "raises to 120, wanted 200 to 2000"),
        ("/api/spot", {**FLOP, "board": "AhKd9x"}, "found cards 'AhKd9x', wanted 3 such as Ah"),
        ("/api/spot", {"agent": "../../etc"}, "unknown; there are"),
        ("/api/spot", {"run": "x"}, "field 'run'"),
        ("/api/size", {"bord": "", "text": "1"}, "field 'bord'"),
    ],
)
def test_mistakes__are_one_line_as_the_command_line_has_it(get, path, query, why):
    actual = get(path, **query)
    assert actual["status"] == 400
    assert why in actual["error"]
    assert "\n" not in actual["error"]


def test_size__that_means_nothing_is_explained(get):
    actual = get("/api/size", **FLOP, text="1")
    assert (actual["status"], "wanted 450 to 2000" in actual["error"]) == (200, True)
    assert get("/api/size", **FLOP, text="6bb")["word"] == "r950"


@pytest.mark.parametrize("spot", [RIVER, FLOP])
def test_search__is_that_of_advise(client, run, spot):
    job = finished(client, post(client, "/api/search", {**spot, "setting": "full"}).json())
    assert job["state"] == "done", job
    config, policy = search_config(QUICK), run.policy("blueprint")
    hand = PublicHand(run, policy, config, Searcher(run, policy, config), int(child(1, "advise")))
    replay(hand, *position(spot["actions"], spot["board"]))
    play, belief = hand.play(), hand.now()
    result = job["result"]
    assert result["offered"] == play.offered
    mine = belief[hand.betting.actor]
    assert np.allclose(result["total"], mine @ play.played, atol=1e-4)
    assert np.allclose(result["average"]["total"], mine @ play.believed, atol=1e-4)
    for seat in result["beliefs"]:
        theirs = belief[hand.betting.names.index(seat["seat"])]
        weight = np.bincount(classes(run.ranks), theirs, run.ranks**2)
        assert (np.array(seat["grid"]) > 1e-3).sum() <= (weight > 0).sum()
    assert [seat["seat"] for seat in result["beliefs"]] == ["SB", "BTN"]
    again = client.get("/api/spot", params=spot).json()
    assert [each["id"] for each in again["search"]] == [job["id"]]


def test_values__are_those_of_fold_and_call_by_hand(run, library):
    """The small blind bets all: the button's value is its average strategy times the showdown."""
    config = {**json.loads(QUICK), "tremble": 0, "believe_blueprint": 0}
    work, board = SpotSearch(library, json.dumps(config), 1), parse_cards("AhKd9cTsTd", RANKS)
    question = SearchQuestion("r350cf/cc/cc/r2000", "AhKd9cTsTd", "full")
    result = work(question, quiet)
    hand = work._hand(question, quiet)
    (theirs, _, _), (fold, call) = hand.now(), hand.play().believed.T
    rank, pairs = np.empty(len(call), np.int32), hole_cards(RANKS)
    rank_holes(board, RANKS, rank)
    apart = ~(pairs[:, None, :, None] == pairs[None, :, None, :]).any((2, 3))
    weight = np.where(apart, theirs, 0.0)
    pot, price = 350 + 350 + 100, 1650
    won = np.sign(rank[:, None] - rank[None, :])
    chips = np.select([won > 0, won < 0], [pot + price, -price], pot / 2)
    expected = call * (weight * chips).sum(1) / np.maximum(weight.sum(1), 1e-300)
    label = classes(RANKS)
    for name, values in result["ev"]["holes"].items():
        holes = np.flatnonzero((label == name) & (rank >= 0))
        known = [k for k, value in enumerate(values) if value is not None]
        actual = [values[k][0][0] for k in known]
        assert np.allclose(actual, expected[holes[known]], atol=2), name  # chips
    assert result["values"] == "ready"
    assert np.allclose((fold + call)[rank >= 0], 1)


def test_values__of_a_flop_are_made_on_request_alone(client):
    ask = {**FLOP, "setting": "full"}
    assert finished(client, post(client, "/api/search", ask).json())["result"]["ev"] is None
    job = finished(client, post(client, "/api/search", {**ask, "values": True}).json())
    assert job["result"]["values"] == "ready"
    assert np.isfinite(job["result"]["ev"]["range"]).all()


def test_search__can_be_cancelled(client):
    job = post(client, "/api/search", {"actions": "", "setting": "fast"}).json()
    cancelled = post(client, f"/api/search/{job['id']}/cancel", {})
    assert cancelled.status_code == 200
    assert finished(client, cancelled.json())["state"] in ("cancelled", "done")


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"actions": "ff"}, 400),
        ({"actions": "r350cf/"}, 400),
        ({**FLOP, "setting": "slow"}, 400),
        ({**FLOP, "values": "yes"}, 400),
        ({**FLOP, "config": "{}"}, 400),
        ([], 400),
        ("{", 400),
        (b"\xff", 400),
        ("[" * 5000, 400),
        ({"actions": "c" * MOST_BODY}, 413),
    ],
)
def test_search__refuses_what_is_no_decision(client, body, status):
    assert post(client, "/api/search", body).status_code == status


def test_search__of_a_run_without_continuations_says_so(run, tmp_path):
    (tmp_path / "blueprint").symlink_to(run.folder / "blueprint")
    bare = run._replace(folder=tmp_path)
    client = TestClient(make_app(Site(Library(bare))), base_url=HERE, headers={"Origin": HERE})
    answer = post(client, "/api/search", FLOP)
    assert answer.status_code == 400
    assert "continuation" in answer.json()["error"]
    assert "continuation" in client.get("/explore").text


@pytest.mark.parametrize(
    ("host", "passes"),
    [
        ("127.0.0.1:8000", True),
        ("localhost:8000", True),
        ("LOCALHOST:8000", True),
        ("[::1]:8000", True),
        ("127.0.0.1", False),
        ("127.0.0.1:8001", False),
        ("evil.example:8000", False),
        ("127.0.0.1.evil.example:8000", False),
        ("", False),
        ("a:b:c", False),
    ],
)
def test_host__of_another_name_is_refused(client, host, passes):
    status = client.get("/api/spot", headers={"Host": host}).status_code
    assert status == (200 if passes else 403)


def test_host__of_a_server_for_all_may_be_any_number_but_no_name(site):
    anywhere = make_app(site, "0.0.0.0", 8000)
    client = TestClient(anywhere, base_url="http://192.168.7.5:8000")
    assert client.get("/api/spot").status_code == 200
    assert client.get("/api/spot", headers={"Host": "evil.example:8000"}).status_code == 403


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": "https://127.0.0.1:8000"}, 403),
        ({"Origin": "http://localhost:8000"}, 403),  # another origin than that of the Host
        ({"Content-Type": "text/plain"}, 415),
        ({"Content-Type": "application/x-www-form-urlencoded"}, 415),
    ],
)
def test_post__from_elsewhere_is_refused(client, headers, status):
    assert post(client, "/api/search", FLOP, **headers).status_code == status


def test_post__without_an_origin_is_refused(site):
    client = TestClient(make_app(site), base_url=HERE)
    assert post(client, "/api/search", FLOP).status_code == 403


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"])
def test_methods__other_than_get_and_post_are_refused(client, method):
    assert client.request(method, "/api/spot").status_code == 405


def test_body__that_goes_on_is_cut_off(client):
    def parts():
        for _ in range(100):
            yield b" " * 1000

    answer = client.post("/api/search", content=parts(), headers=JSON)
    assert answer.status_code == 413


@pytest.mark.parametrize(
    "path", ["/static/../app.py", "/static/%2e%2e/app.py", "/static//etc/passwd", "/nothing"]
)
def test_files__beside_the_pages_are_not_served(client, path):
    assert client.get(path).status_code == 404


CARDS = st.text(alphabet="9TJQKAcdhs/ x", max_size=12)
WORDS = st.one_of(st.text(max_size=20), st.text(alphabet="fcr/0123459", max_size=24), CARDS)
KNOWN = st.sampled_from(["actions", "board", "agent", "beside", "text"])
FIELDS = st.dictionaries(st.one_of(KNOWN, st.text(max_size=5)), WORDS, max_size=5)
VALUES = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), WORDS),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(WORDS, inner, max_size=3)),
    max_leaves=6,
)


@settings(max_examples=250)
@given(fields=FIELDS)
def test_fuzz__no_query_is_an_error_of_the_server(client, fields):
    for path in ("/explore", "/api/spot", "/api/size"):
        answer = client.get(path, params=fields)
        assert answer.status_code in (200, 400), answer.text
        if path != "/explore":
            json.loads(answer.text, parse_constant=lambda name: pytest.fail(name))


@pytest.fixture(scope="module")
def idle(library):
    """A site that begins no search: how many there are at once would be a matter of time."""

    def ask(question):
        raise UserError(f"not now: {question.fields}")

    site = Site(library)
    for jobs in site.jobs.values():
        jobs.ask = ask
    return TestClient(make_app(site), base_url=HERE, headers={"Origin": HERE})


@settings(max_examples=150)
@given(
    body=st.one_of(
        VALUES,
        st.dictionaries(
            st.sampled_from(["actions", "board", "setting", "values", "agent", "beside"]), VALUES
        ),
    ),
    number=st.one_of(st.integers(0, 2**70), WORDS),
)
def test_fuzz__no_body_is_an_error_of_the_server(idle, body, number):
    for path in ("/api/search", "/api/worth"):
        answer = post(idle, path, body)
        assert answer.status_code in (202, 400, 429), answer.text
        job = f"{path}/{quote(str(number), safe='')}"
        cancel = post(idle, f"{job}/cancel", body)
        assert cancel.status_code in (200, 400, 404, 405, 403), cancel.text
        assert idle.get(job).status_code in (200, 404, 405), job
