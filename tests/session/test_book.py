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
    """The chips of the session are those of its replayed hands."""
    phh, hands = tmp_path / "phh", range(1, 31)
    book = Book(run.game, log, phh)
    session = Session(run, ["blueprint", "random"], seed=4, keep=book.add)
    for n in hands:
        play(session, 1, Person(n))
        if n in (1, 2, 30):
            for files in ([log], sorted(phh.iterdir())):
                tally = replay(files)
                assert (tally.hands, tally.mismatches, tally.damaged) == (n, 0, 0)
                assert tally.players["you"].mean == pytest.approx(session.scores.result().won.mean)
    assert set(tally.players) == {"you", "blueprint", "random"}
    assert sorted(file.name for file in phh.iterdir()) == [f"hand-{n:06}.phh" for n in hands]


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


@pytest.mark.parametrize(
    ("stack", "change", "why"),
    [
        (3000, lambda text: text, r"hands\.log: a log of another game; name another file"),
        (2000, lambda text: text[:-20], "its last line is torn"),
        (2000, lambda text: text + "STATE:x:\n", r"hands\.log, line \d+: found"),
    ],
    ids=["another game", "torn", "damaged"],
)
def test_book__refuses_a_log_that_it_cannot_go_on_with(run, log, stack, change, why):
    Book(run.game, log).add(play(Session(run, ["call"], seed=1), 1, Person(1))[0])
    log.write_text(change(log.read_text()))
    with pytest.raises(UserError, match=why):
        Book(run.game.model_copy(update={"stacks": [stack] * 3}), log)


def test_book__a_place_that_cannot_be_written(run, tmp_path):
    (tmp_path / "file").write_text("x")
    for log, phh in ((tmp_path / "file" / "x.log", None), (None, tmp_path / "file")):
        with pytest.raises((UserError, OSError)):
            Book(run.game, log, phh)
