"""The routes: pages, answers, refusals, and that no input is an error of the server."""

import json
from urllib.parse import quote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from serve.conftest import FLOP, client_of, post
from sixmax.base.errors import UserError
from sixmax.serve.app import Site


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
        ("/api/spot", {**FLOP, "board": "AhKd9x"}, "found '9x', wanted a rank of"),
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
        raise UserError(f"not now: {question._asdict()}")

    site = Site(library)
    for jobs in site.jobs.values():
        jobs.ask = ask
    return client_of(site)


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
