"""Logs as dealers and accidents leave them: scores, comments, files and lines of anything."""

import tracemalloc

import pytest
from click.testing import CliRunner

from oracles.games import holdem
from sixmax.cli import app
from sixmax.hands.replay import replay

HEAD = (
    "# name/game/hands/seed m holdem.nolimit.2p.reverse_blinds.game 3 0\n#--t_response 600000\n\n"
)
HANDS = [
    "STATE:0:f:Ah2d|7s6s:50|-50:a|b",
    "STATE:1:r300f:Ah2d|7s6s:-100|100:b|a",
    "STATE:2:cc/cc/cc/cc:AhAd|AcAs/2c3d8h/9s/Jd:0|0:a|b",
]
TOTAL = "150|-150:a|b"


def log(tmp_path, lines, name="x.log"):
    path = tmp_path / name
    path.write_text(HEAD + "\n".join(lines) + "\n")
    return path


def judged(tally):
    return tally.hands, tally.mismatches, tally.damaged


@pytest.mark.parametrize("total", [TOTAL, "-150|150:b|a", "150.000000|-150.0:a|b"])
def test_score__of_all_hands(tmp_path, total):
    path = log(tmp_path, [*HANDS, f"SCORE:{total}"])
    assert judged(replay([path])) == (3, 0, 0)
    assert judged(replay([path], boards=0)) == (3, 0, 0)


@pytest.mark.parametrize("total", ["149|-149:a|b", "-150|150:a|b", "150|-150:a|c"])
def test_score__another_is_a_mismatch(tmp_path, total):
    path = log(tmp_path, [*HANDS, f"SCORE:{total}"])
    actual = replay([path])
    assert judged(actual) == (3, 1, 0)
    assert actual.mistakes[0].startswith(f"{path}, line 7: found score ")
    assert actual.mistakes[0].endswith("the hands before it pay 150|-150 of a|b")


@pytest.mark.parametrize(("more", "mismatches"), [("005", 0), ("0061", 1), ("007", 1), ("1", 1)])
def test_score__misses_by_less_than_a_rounded_hundredth(tmp_path, more, mismatches):
    path = log(tmp_path, [*HANDS, f"SCORE:150.{more}|-150:a|b"])
    assert judged(replay([path])) == (3, mismatches, 0)
    path = log(tmp_path, [*HANDS, f"SCORE:150|-150.{more}:a|b"])
    assert judged(replay([path])) == (3, mismatches, 0)


@pytest.mark.parametrize("lines", [HANDS[1:], HANDS[:1] + HANDS[2:], []])
def test_score__of_a_part_of_the_hands_is_not_compared(tmp_path, lines):
    path = log(tmp_path, [*lines, "SCORE:1000|-1000:a|b"])
    assert judged(replay([path])) == (len(lines), 0, 0)


def test_score__after_damage_is_not_compared(tmp_path):
    path = log(tmp_path, [*HANDS, "STATE:3:f", "SCORE:1|-1:a|b"])
    assert judged(replay([path])) == (3, 0, 1)


def test_score__of_each_match_in_one_file(tmp_path):
    one = [*HANDS, f"SCORE:{TOTAL}"]
    wrong = [*HANDS, "SCORE:151|-151:a|b"]
    path = log(tmp_path, [*one, *wrong, *one])
    actual = replay([path])
    assert judged(actual) == (9, 1, 0)
    assert actual.mistakes[0].startswith(f"{path}, line 11: ")


@pytest.mark.parametrize("text", ["", "x", "1|2:a", "1|x:a|b", "9" * 5000 + ":a"])
def test_score__damaged(tmp_path, text):
    assert judged(replay([log(tmp_path, [*HANDS, f"SCORE:{text}"])])) == (3, 0, 1)


def test_score__payoffs_that_are_rounded_add_up_roughly(tmp_path):
    lines = [
        f"STATE:{k}:cccc/cccc/cccc/cccc:AhKd|AcKc|AsKs|7s2c/3d4h5h/9s/Jd"
        ":33.33|33.33|33.33|-100:a|b|c|d"
        for k in range(30)
    ]
    path = log(tmp_path, [*lines, "SCORE:1000|1000|1000|-3000:a|b|c|d"])
    assert judged(replay([path], holdem([1000] * 4))) == (30, 0, 0)
    # The hands pay 999.9; each may add .006 chips, and the total as much: .186.
    for total, mismatches in (("1000.08", 0), ("999.72", 0), ("1000.09", 1), ("999.71", 1)):
        path = log(tmp_path, [*lines, f"SCORE:{total}|1000|1000|-3000:a|b|c|d"])
        assert judged(replay([path], holdem([1000] * 4))) == (30, mismatches, 0), total


def test_number__of_too_many_digits(tmp_path):
    assert judged(replay([log(tmp_path, [HANDS[0].replace(":0:", f":{'9' * 5000}:", 1)])])) == (
        0,
        0,
        1,
    )


def test_file__with_a_definition_that_is_none(tmp_path):
    bad, good = tmp_path / "bad.log", log(tmp_path, HANDS)
    bad.write_text("# GAMEDEF\n# ---- my match\n" + HANDS[0] + "\n")
    actual = replay([bad, good])
    assert judged(actual) == (3, 0, 1)
    assert actual.mistakes[0].startswith(f"{bad}: found numrounds = None")


def test_file__that_cannot_be_read(tmp_path):
    actual = replay([tmp_path / "gone.log", tmp_path, tmp_path / "gone.phh", log(tmp_path, HANDS)])
    assert judged(actual) == (3, 0, 3)
    assert actual.mistakes[0] == f"{tmp_path / 'gone.log'}: No such file or directory"


def test_file__whose_first_hand_is_damaged_is_known_by_the_next(tmp_path):
    actual = replay([log(tmp_path, [HANDS[0] + "|c|d", *HANDS])])
    assert judged(actual) == (3, 0, 1)


@pytest.mark.parametrize("kind", [b"x", b"#", b"STATE:"])
@pytest.mark.parametrize("size", [1_100_000, 9_000_000])
def test_line__too_long_is_one_damaged_line(tmp_path, kind, size):
    path = log(tmp_path, HANDS)
    text = (kind * size)[:size]
    path.write_bytes(path.read_bytes() + text + b"\n" + HANDS[0].encode() + b"\nSTATE\n" + text)
    actual = replay([path])
    assert judged(actual) == (4, 0, 3)
    assert [m.split(":")[0] for m in actual.mistakes] == [f"{path}, line {k}" for k in (7, 9, 10)]


def replay_and_peak(path):
    """The tally of ``path``, and the most bytes allocated meanwhile."""
    tracemalloc.start()
    actual = replay([path])
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return actual, most


@pytest.mark.parametrize("name", ["x.log", "x.phhs"])
def test_memory__of_a_file_without_lines(tmp_path, name):
    path = tmp_path / name
    replay([log(tmp_path, HANDS, "warm.log")])  # compiled
    with path.open("wb") as stream:
        for _ in range(60):
            stream.write(b"[" * (1 << 20))
    actual, most = replay_and_peak(path)
    assert judged(actual) == (0, 0, 1)
    assert most < 32 << 20


def test_memory__of_a_phh_without_hands(tmp_path):
    path = tmp_path / "x.phh"
    path.write_text("a = 1 # nothing\n" * 500_000)
    actual, most = replay_and_peak(path)
    assert judged(actual) == (0, 0, 1)
    assert most < 16 << 20


@pytest.mark.parametrize("name", ["x.log", "x.phhs"])
def test_file__of_comments_is_not_damaged(tmp_path, name):
    path = tmp_path / name
    path.write_text("# nothing\n\n" * 5_000)
    assert judged(replay([path])) == (0, 0, 0)


def test_file__a_hand_after_too_many_comments_is_damaged(tmp_path):
    path = tmp_path / "x.phhs"
    path.write_text("# nothing\n" * 5_000 + "variant = 'NT'\n")
    assert judged(replay([path])) == (0, 0, 1)


@pytest.mark.parametrize("name", ["x.log", "x.phhs"])
@pytest.mark.parametrize("text", ["", "# nothing\n\n"])
def test_command__a_file_without_hands_is_no_success(tmp_path, name, text):
    path = tmp_path / name
    path.write_text(text)
    actual = CliRunner().invoke(app, ["replay", str(path)])
    assert actual.exit_code == 1
    assert f"{path}: no hands in it; --allow-empty lets that pass" in actual.output
    allowed = CliRunner().invoke(app, ["replay", str(path), "--allow-empty"])
    assert allowed.exit_code == 0
    assert "0 hands, 0 mismatches, 0 damaged" in allowed.output
