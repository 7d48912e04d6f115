"""Progress: a bar on a terminal, a line now and then in a log."""

import io
import sys

import pytest

from sixmax.base import progress


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.fixture
def clock(monkeypatch):
    """A clock of the test's own: ``clock[0]`` is the time in seconds."""
    now = [100.0]
    monkeypatch.setattr(progress.time, "monotonic", lambda: now[0])
    return now


def shown(monkeypatch, stream, clock):
    """The display of ten steps of four seconds on ``stream``."""
    monkeypatch.setattr(sys, "stderr", stream)
    for _ in progress.track(range(10), 10, "deal", "deals"):
        clock[0] += 4.0
    return stream.getvalue()


def test_track__draws_one_bar_on_a_terminal(monkeypatch, clock):
    actual = shown(monkeypatch, Terminal(), clock)
    assert "\r" in actual
    assert "deal: 100%|" in actual
    assert "s left" not in actual


def test_track__writes_a_line_every_ten_seconds_to_a_log(monkeypatch, clock):
    actual = shown(monkeypatch, io.StringIO(), clock).splitlines()
    expected = [
        "deal: 30 % (3 of 10 deals), 12 s spent, 28 s left",
        "deal: 60 % (6 of 10 deals), 24 s spent, 16 s left",
        "deal: 90 % (9 of 10 deals), 36 s spent, 4 s left",
    ]
    assert actual == expected


def test_progress__towards_an_unknown_end_says_what_is_done(monkeypatch, clock):
    """A pipe says no size."""
    stream = io.StringIO()
    monkeypatch.setattr(sys, "stderr", stream)
    with progress.Progress(0, "replay", "B") as bar:
        for _ in range(2):
            clock[0] += 6.0
            bar.add(600)
    assert stream.getvalue() == "replay: 1,200 B, 12 s spent\n"


def test_track__short_work_leaves_a_log_empty(monkeypatch, clock):
    stream = io.StringIO()
    monkeypatch.setattr(sys, "stderr", stream)
    assert list(progress.track("abc", 3, "x")) == ["a", "b", "c"]
    assert stream.getvalue() == ""


def test_bars__each_piece_of_work_counts_its_own(monkeypatch, clock):
    """The second begins at nothing, also where the first ended early."""
    stream = io.StringIO()
    monkeypatch.setattr(sys, "stderr", stream)
    with progress.Bars("search", "iterations") as bars:
        for total in (200, 40):
            add = bars.begin(total)
            clock[0] += 12.0
            add(20)
    expected = [
        "search 1: 10 % (20 of 200 iterations), 12 s spent, 108 s left",
        "search 2: 50 % (20 of 40 iterations), 12 s spent, 12 s left",
    ]
    assert stream.getvalue().splitlines() == expected


def test_say__escapes_what_moves_the_cursor(capsys):
    progress.say("agent \x1b[2J\udcff plays\nnext line")
    assert capsys.readouterr().err == "agent \\x1b[2J\\udcff plays\nnext line\n"


def test_track__compiling_does_not_count(monkeypatch, clock):
    """A minute of compiling in the first step, with another kernel inside, is not in the time."""
    stream = io.StringIO()
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setattr(progress, "_noticed", True)
    for i in progress.track(range(10), 10, "deal", "deals"):
        if not i:
            with progress.compiling():
                clock[0] += 20.0
                with progress.compiling():
                    clock[0] += 30.0
                clock[0] += 10.0
        clock[0] += 4.0
    assert stream.getvalue().splitlines()[0] == (
        "deal: 30 % (3 of 10 deals), 12 s spent, 28 s left"
    )


def test_compiling__is_said_once_where_it_is_long(monkeypatch, capsys):
    monkeypatch.setattr(progress, "_SHORT_S", 0.0)
    monkeypatch.setattr(progress, "_spent", 0.0)
    monkeypatch.setattr(progress, "_noticed", False)
    for _ in range(2):
        with progress.compiling():
            if progress._notice:
                progress._notice.join(30)
    assert capsys.readouterr().err.count("compiling kernels, once") == 1
