"""Hands on disk: whole after each, gone on with, never mixed with those of another game."""

import pytest

from session.person import Person, play
from sixmax.base.errors import UserError
from sixmax.hands.replay import replay
from sixmax.session.book import Book
from sixmax.session.session import Session


@pytest.fixture
def log(tmp_path):
    return tmp_path / "new" / "hands.log"


def test_add__every_hand_is_on_disk_when_it_is_over(run, log, tmp_path):
    phh = tmp_path / "phh"
    book = Book(run.game, log, phh)
    session = Session(run, ["random"], seed=1, keep=book.add)
    for n in (1, 2, 3):
        play(session, 1, Person(n))
        assert replay([log]).hands == replay(sorted(phh.iterdir())).hands == book.hands == n
    assert [file.name for file in sorted(phh.iterdir())] == [
        f"hand-00000{n}.phh" for n in (1, 2, 3)
    ]


def test_book__goes_on_behind_the_hands_that_are_there(run, log, tmp_path):
    for first in (1, 4):
        book = Book(run.game, log, tmp_path / "phh")
        assert book.first == first
        session = Session(run, ["random"], seed=1, keep=book.add, first=book.first)
        play(session, 3, Person(1))
    once = Session(run, ["random"], seed=1)
    held = [record.holes.tolist() for record in play(once, 6, Person(1))]
    tally = replay([log])
    assert (tally.hands, tally.damaged, tally.mismatches) == (6, 0, 0)
    assert len({str(each) for each in held}) == 6
    assert log.read_text().count("GAMEDEF") == 2  # one head: its first and its last line
    assert len(list((tmp_path / "phh").iterdir())) == 6


def test_book__a_log_of_another_game(run, log):
    Book(run.game, log).add(play(Session(run, ["call"], seed=1), 1, Person(1))[0])
    other = run.game.model_copy(update={"stacks": [3000] * 3})
    with pytest.raises(UserError, match=r"hands\.log: a log of another game; name another file"):
        Book(other, log)


def test_book__a_torn_last_line(run, log):
    Book(run.game, log).add(play(Session(run, ["call"], seed=1), 1, Person(1))[0])
    log.write_text(log.read_text()[:-20])
    with pytest.raises(UserError, match="its last line is torn"):
        Book(run.game, log)


def test_book__a_damaged_hand(run, log):
    Book(run.game, log).add(play(Session(run, ["call"], seed=1), 1, Person(1))[0])
    log.write_text(log.read_text() + "STATE:x:\n")
    with pytest.raises(UserError, match=r"hands\.log, line \d+: found"):
        Book(run.game, log)


def test_book__a_place_that_cannot_be_written(run, tmp_path):
    (tmp_path / "file").write_text("x")
    for log, phh in ((tmp_path / "file" / "x.log", None), (None, tmp_path / "file")):
        with pytest.raises((UserError, OSError)):
            Book(run.game, log, phh)
