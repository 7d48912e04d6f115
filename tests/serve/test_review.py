"""The routes of Review: a file sent, its hands stepped through, damaged ones refused."""

import pytest

from serve.conftest import post
from session.person import Person, play
from sixmax.hands.formats import FORMATS, text_of
from sixmax.serve.seat import reviews as module
from sixmax.serve.seat.routes import MOST
from sixmax.session import opinion, review, session


@pytest.fixture(scope="module")
def records(run):
    return play(session.Session(run, ["blueprint", "random"], seed=3), 5, Person(1))


@pytest.mark.parametrize("kind", FORMATS.values(), ids=FORMATS)
def test_review__is_that_of_the_command(client, run, records, kind, tmp_path):
    text = text_of(kind, run.game, records)
    answer = post(client, "/api/review", {"text": text})
    assert answer.status_code == 201, answer.text
    file = answer.json()
    assert [hand["number"] for hand in file["hands"]] == [r.number for r in records]
    path = tmp_path / "x"
    path.write_text(text)
    for expected in review.review(run, path, opinion.Adviser(run), "you"):
        k = expected.record.number - 1
        url = f"/api/review/{file['name']}/{k}"
        actual = client.get(url, params={"seat": expected.seat}).json()
        costs = [decision["cost"]["mean"] for decision in actual["decisions"]]
        assert costs == pytest.approx([o.cost.mean for o in expected.opinions], abs=0.01)
        count = sum(len(part) for part in expected.record.actions)
        assert len(actual["events"]) == count
        assert len(actual["steps"]) == count + 1
        for decision in actual["decisions"]:
            step = actual["steps"][decision["at"]]
            assert [s["mine"] for s in step["seats"] if s["acts"]] == [True]
            assert step["pot"] == decision["pot"]
            assert step["board"] == decision["board"]
        end = actual["steps"][-1]
        assert [seat["won"] for seat in end["seats"]] == expected.record.payoffs.tolist()


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "no hands in the file"),
        ("hello", "wanted an ACPC log or PHH"),
        ("STATE:1:x\n", "line 1: found"),
        ("[1]\nvariant = 'NT'\n", "line 2: found no antes"),
        ("STATE:1:f:9c9d|AcAd:50|-50:a|you\n", "found 2 players, wanted 3"),
        (7, "text: wanted"),
    ],
)
def test_review__refuses_other_files(client, text, why):
    answer = post(client, "/api/review", {"text": text})
    assert answer.status_code == 400
    error = answer.json()["error"]
    assert why in error
    assert "/tmp" not in error


def test_review__limits(client, run, records, monkeypatch):
    text = text_of(FORMATS["acpc"], run.game, records)
    assert post(client, "/api/review", {"text": "x" * (2 * module.BYTES)}).status_code == 413
    assert post(client, "/api/search", {"text": "x" * 9000}).status_code == 413
    monkeypatch.setattr(module, "HANDS", 3)
    assert "more than 3 hands" in post(client, "/api/review", {"text": text}).json()["error"]
    monkeypatch.undo()
    names = [post(client, "/api/review", {"text": text}).json()["name"] for _ in range(MOST + 1)]
    assert client.get(f"/api/review/{names[0]}/0").status_code == 404
    for query, status in (({"seat": "9"}, 400), ({"seat": "x"}, 400), ({"agent": "nobody"}, 400)):
        url = f"/api/review/{names[-1]}/0"
        assert client.get(url, params=query).status_code == status
    assert client.get(f"/api/review/{names[-1]}/99").status_code == 400
