"""Searches in the background: order, limits, progress, cancelling, failures."""

import threading
import time

import pytest

from sixmax.base.errors import UserError
from sixmax.serve.jobs.background import BusyError, Jobs, Watch
from sixmax.serve.jobs.search import SearchQuestion


class Slow:
    """Work that goes on until it is let go."""

    def __init__(self):
        self.go, self.asked = threading.Event(), []

    def __call__(self, question, begin):
        self.asked.append(question.actions)
        progress = begin(10)
        while not self.go.is_set():
            progress(0)
            time.sleep(0.002)
        progress(10)
        if question.actions == "mistake":
            raise UserError("a mistake")
        if question.actions == "bug":
            raise ZeroDivisionError
        return {"answer": question.actions}


@pytest.fixture
def slow():
    work = Slow()
    yield work
    work.go.set()


def ended(job, seconds=10.0):
    until = time.monotonic() + seconds
    while job.state in ("waiting", "running") and time.monotonic() < until:
        time.sleep(0.005)
    return job.as_values()


def question(actions):
    return SearchQuestion(actions, "", "fast")


def running(job):
    while job.state == "waiting":
        time.sleep(0.002)
    return job


def test_ask__answers_one_after_the_other(slow):
    searches = Jobs(slow)
    first, second = searches.ask(question("a")), searches.ask(question("b"))
    running(first)
    assert (first.state, second.state) == ("running", "waiting")
    slow.go.set()
    assert ended(second)["result"] == {"answer": "b"}
    assert slow.asked == ["a", "b"]
    assert first.as_values()["share"] == 1.0


def test_ask__refuses_a_third_and_takes_it_once_one_is_cancelled(slow):
    searches = Jobs(slow)
    searches.ask(question("a"))
    second = searches.ask(question("b"))
    with pytest.raises(BusyError):
        searches.ask(question("c"))
    searches.cancel(second)
    assert second.as_values()["state"] == "cancelled"
    third = searches.ask(question("c"))
    slow.go.set()
    assert ended(third)["state"] == "done"
    assert slow.asked == ["a", "c"]


def test_ask__the_same_question_is_asked_once(slow):
    searches = Jobs(slow)
    slow.go.set()
    first = searches.ask(question("a"))
    ended(first)
    assert searches.ask(question("a")) is first
    assert searches.of_spot("a", "") == [first]
    assert searches.of_spot("b", "") == []


def test_cancel__ends_the_search_at_work(slow):
    searches = Jobs(slow)
    job = running(searches.ask(question("a")))
    searches.cancel(job)
    assert job.as_values()["state"] == "cancelled"
    assert ended(job)["state"] == "cancelled"
    assert job.result is None
    assert searches.of_spot("a", "") == []
    slow.go.set()
    assert ended(searches.ask(question("a")))["state"] == "done"  # it can be asked again


@pytest.mark.parametrize(
    ("actions", "error"), [("mistake", "a mistake"), ("bug", "the search failed")]
)
def test_failure__is_one_line_and_the_next_search_runs(slow, actions, error, capsys):
    searches = Jobs(slow)
    slow.go.set()
    values = ended(searches.ask(question(actions)))
    assert values["state"] == "failed"
    assert values["error"].startswith(error)
    assert ("ZeroDivisionError" in capsys.readouterr().err) == (actions == "bug")
    assert ended(searches.ask(question("good")))["state"] == "done"


def test_watch__counts_pieces_and_ends_each_once_it_is_told():
    watch = Watch(KeyError)
    watch.begin(10)(4)
    values = watch.as_values()
    assert (values["search"], values["total"], values["share"]) == (1, 10, 0.4)
    progress = watch.begin(5)
    watch.ended.set()
    assert not watch.cut
    with pytest.raises(KeyError):
        progress(1)
    assert (watch.piece, watch.cut) == (2, True)
    watch.open()
    watch.begin(3)(3)
    assert (watch.piece, watch.cut, watch.as_values()["share"]) == (1, False, 1.0)
