"""Files of hands as they come: marks, gzip, pipes, folders of archives, and other formats."""

import codecs
import gzip
import os
import shutil
import threading

import pytest

from commands import called
from hands.small import PHH, counts
from processes import PYTHON, finished, printed
from sixmax.base.errors import UserError
from sixmax.evaluation.pluribus import decisions
from sixmax.hands import acpc, formats, hand_file, record, replay
from sixmax.hands.hand_file import STDIN, found, name_of, size

LOG = "".join(
    f"STATE:{n}:fffff:Ah2d|7s6s|3c3d|4c4d|5c5d|8c8d:-50|50|0|0|0|0:a|b|c|d|e|f\n" for n in (0, 1)
)
TWO = f"[1]\n{PHH}[2]\n{PHH}"
POKER_STARS = "PokerStars Hand #1: Hold'em No Limit ($1/$2)\n" + "Seat 1: a ($200 in chips)\n" * 99
SMALL = record.rules([300] * 3, [1, 2, 0], [0] * 3, [2, 0, 0, 0])
MARKS = [codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE]
ENCODINGS = dict(zip(MARKS, ("utf-8", "utf-16-le", "utf-16-be"), strict=True))


@pytest.mark.parametrize("mark", MARKS)
@pytest.mark.parametrize(("name", "text", "hands"), [("x.log", LOG, 2), ("x.phhs", TWO, 2)])
def test_replay__a_mark_before_the_first_line_takes_no_hand(tmp_path, mark, name, text, hands):
    (tmp_path / name).write_bytes(mark + text.encode(ENCODINGS[mark]))
    assert counts(replay.replay([tmp_path / name])) == (hands, 0, 0)


def test_replay__a_mark_before_the_game_of_a_log_leaves_it(tmp_path):
    head = "".join(f"# {line}\n" for line in acpc.form_game(SMALL).splitlines())
    hand = "STATE:0:r6ff:||:-1|-2|3:a|b|c\n"
    (tmp_path / "x.log").write_text(head + hand, encoding="utf-8-sig")
    tally = replay.replay([tmp_path / "x.log"])
    assert counts(tally) == (1, 0, 0)
    assert list(tally.games) == ["3 players, blinds 1/2, stacks 300"]
    (hand,) = replay.records(tmp_path / "x.log", SMALL)
    assert hand.payoffs.tolist() == [-1, -2, 3]


@pytest.mark.parametrize("mark", MARKS)
def test_read_game__after_a_mark(tmp_path, mark):
    text = acpc.form_game(SMALL).removeprefix("GAMEDEF\n")  # its first line is nolimit
    (tmp_path / "x.game").write_bytes(mark + text.encode(ENCODINGS[mark]))
    assert acpc.read_game(tmp_path / "x.game").stacks == [300] * 3


def test_read_game__a_key_with_two_values_is_refused(tmp_path):
    (tmp_path / "x.game").write_text(acpc.form_game(SMALL) + "stack = 500\n")
    with pytest.raises(UserError, match=r"found stack twice, \['300', '300', '300'\] and \['500'"):
        acpc.read_game(tmp_path / "x.game")
    (tmp_path / "x.game").write_text(acpc.form_game(SMALL) * 2)
    assert acpc.read_game(tmp_path / "x.game").stacks == [300] * 3


@pytest.mark.parametrize(("name", "text", "hands"), [("x.log", LOG, 2), ("x.phhs", TWO, 2)])
def test_replay__gzip_is_unpacked_whatever_its_name(tmp_path, name, text, hands):
    plain = tmp_path / name
    plain.write_text(text)
    for packed in (f"{name}.gz", name.replace("x", "y")):
        (tmp_path / packed).write_bytes(gzip.compress(codecs.BOM_UTF8 + text.encode()))
        done = []
        tally = replay.replay([tmp_path / packed], progress=done.append)
        assert counts(tally) == (hands, 0, 0)
        assert sum(done) == size([tmp_path / packed])
    done = []
    replay.replay([plain], progress=done.append)
    assert sum(done) == size([plain])


@pytest.mark.parametrize("cut", [-1, -9, 30])
def test_replay__damaged_gzip_is_a_line(tmp_path, cut):
    path = tmp_path / "x.log.gz"
    path.write_bytes(gzip.compress((LOG * 5000).encode())[:cut])
    tally = replay.replay([path])
    assert (tally.mismatches, tally.damaged) == (0, 1)
    assert tally.mistakes[0].startswith(f"{path}: damaged: it cannot be unpacked (")
    path.write_bytes(b"\x1f\x8bno gzip")
    assert "it cannot be unpacked" in replay.replay([path]).mistakes[0]
    with pytest.raises(UserError, match="cannot be unpacked"):
        list(replay.records(path, SMALL))


@pytest.mark.parametrize(("place", "text"), [("-", TWO), ("/dev/stdin", LOG)])
def test_command__reads_a_pipe(place, text):
    said = printed(PYTHON, "-m", "sixmax", "replay", place, given=text)
    assert "2 hands, 0 mismatches, 0 damaged" in said


def test_command__names_the_line_of_a_pipe_that_is_damaged():
    done = finished(PYTHON, "-m", "sixmax", "replay", "-", given=LOG + "STATE:1\n")
    assert done.returncode == 1
    assert "standard input, line 3: found 'STATE:1'" in done.stdout
    assert "2 hands, 0 mismatches, 1 damaged" in done.stdout


def test_replay__a_named_pipe(tmp_path):
    """As of a shell's <(zcat a.log.gz): it has no size, and can be read but once."""
    os.mkfifo(tmp_path / "x")
    writer = threading.Thread(target=(tmp_path / "x").write_bytes, args=[LOG.encode()])
    writer.start()
    assert formats.histories([tmp_path / "x"]) == [tmp_path / "x"]
    assert size([tmp_path / "x"]) == 0
    assert counts(replay.replay([tmp_path / "x"])) == (2, 0, 0)
    writer.join()


@pytest.mark.parametrize(
    ("text", "begins"),
    [
        (POKER_STARS, "PokerStars Hand #1: Hold'em No Limit"),
        ("\ufeff" + POKER_STARS, "PokerStars Hand #1: Hold'em No Limit"),
        ("# a comment\n\n{'json': 1}\n", "{'json': 1}"),
        ("MATCHSTATE:0:30::9s8h|\n", "MATCHSTATE:0:30::9s8h|"),
        ("\x1b[2J\n", r"\\x1b[2J"),
    ],
)
def test_replay__another_format_is_one_line_that_names_those_read(tmp_path, text, begins):
    path = tmp_path / "x.txt"
    path.write_text(text, encoding="utf-8")
    tally = replay.replay([path])
    assert counts(tally) == (0, 0, 1)
    (line,) = tally.mistakes
    assert line.startswith(f"{path}: begins with ")
    assert begins in line
    assert line.endswith("wanted an ACPC log (lines of STATE:…) or PHH (.phh, .phhs)")
    with pytest.raises(UserError, match="of no format that is read"):
        list(replay.records(path, SMALL))


@pytest.mark.parametrize("name", ["x", "x.txt", "x.log", "x.phh.txt"])
def test_opened__formats_are_told_by_their_lines(tmp_path, name):
    for text, kind in ((LOG, "acpc"), (TWO, "phh"), (PHH, "phh"), ("# nothing\n", "acpc")):
        (tmp_path / name).write_text(text)
        with formats.opened(tmp_path / name) as (told, file):
            assert told is formats.FORMATS[kind]
            assert "".join(file.lines) == text


def test_opened__the_head_is_bounded(tmp_path, monkeypatch):
    monkeypatch.setattr(hand_file, "LONGEST", 10)
    (tmp_path / "x.log").write_text("#" * 100 + "\nSTATE:1\n# more\n")
    with formats.opened(tmp_path / "x.log") as (_, file):
        assert file.head == ["#" * 11]
        assert list(file.lines) == ["#" * 11, "STATE:1\n", "# more\n"]


@pytest.fixture
def archive(tmp_path):
    """A folder as archives of other systems leave it."""
    folder = tmp_path / "unpacked"
    for name in ("b.log", "a.phh", "1/2/c.PHHS", "1/d.log.gz", "._a.phh", "__MACOSX/1/._c.phhs"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(b"\0\5\26\7\0\2\0\0Mac OS X")
    (folder / "b.log").write_text(LOG)
    (folder / "a.phh").write_text(PHH)
    (folder / "1" / "2" / "c.PHHS").write_text(TWO.replace("\n", "\r\n"), newline="")
    (folder / "1" / "d.log.gz").write_bytes(gzip.compress(LOG.encode()))
    (folder / "1" / "notes.txt").write_text("of no format")
    return folder


def test_histories__of_folders_in_folders_without_hidden_files(archive, capsys):
    expected = [archive / name for name in ("1/2/c.PHHS", "1/d.log.gz", "a.phh", "b.log")]
    assert formats.histories([archive]) == expected
    said = capsys.readouterr().err
    assert said == f"{archive}: left out 2 hidden files, such as ._a.phh\n"
    assert formats.histories([archive / "._a.phh", archive / "b.log"])[0] == archive / "._a.phh"
    assert found(archive, (".log",)) == [archive / "1/d.log.gz", archive / "b.log"]


def test_command__replays_an_archive(archive):
    assert "7 hands, 0 mismatches, 0 damaged" in called("replay", archive).output


def test_histories__in_a_hidden_folder_that_is_named(archive):
    """The place itself may be hidden, or lie in a hidden folder."""
    hidden = archive.with_name(".hidden")
    archive.rename(hidden)
    assert len(formats.histories([hidden])) == 4


def test_histories__of_nothing(tmp_path):
    with pytest.raises(UserError, match="no such file"):
        formats.histories([tmp_path / "d.log"])
    (tmp_path / "empty").mkdir()
    (tmp_path / "empty" / "._a.log").write_text("")
    with pytest.raises(UserError, match="no hand histories"):
        formats.histories([tmp_path / "empty"])
    assert formats.histories([STDIN]) == [STDIN]
    assert name_of(STDIN) == "standard input"


def test_pluribus__logs_of_archives(archive):
    text = LOG.replace("a|b|c|d|e|f", "Pluribus|b|c|d|e|f")
    (archive / "b.log").write_text("\ufeff" + text, encoding="utf-8")
    (archive / "e.log").write_text(POKER_STARS)
    (archive / "._b.log").write_text("Mac OS X")
    lines, tally = decisions.hands(archive)
    assert (len(lines), tally.hands, tally.damaged) == (4, 4, 1)
    before = decisions.logs_digest(archive)
    (archive / "._c.log").write_text("Mac OS X")
    assert decisions.logs_digest(archive) == before
    shutil.move(archive / "b.log", archive / "f.log")
    assert decisions.logs_digest(archive) != before
