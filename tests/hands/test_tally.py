"""The winnings of players, game by game; the totals of matches; files and lines of anything."""

import json
import tracemalloc

import pytest

from commands import called
from hands.small import counts
from oracles.games import holdem
from sixmax.hands.acpc import form_game
from sixmax.hands.record import rules
from sixmax.hands.replay import replay
from sixmax.hands.tally import label
from sixmax.scores.statistics import Sums, interval

SIX = "STATE:{}:fffff:Ah2d|7s6s|3c3d|4c4d|5c5d|8c8d:-50|50|0|0|0|0:a|b|c|d|e|f"
TWO = "STATE:{}:f:Ah2d|7s6s:50|-50:a|b"


@pytest.fixture
def files(tmp_path):
    six, two = tmp_path / "six.log", tmp_path / "two.log"
    six.write_text("".join(SIX.format(k) + "\n" for k in range(3)))
    two.write_text("".join(TWO.format(k) + "\n" for k in range(2)))
    return six, two


def test_replay__games_are_not_put_together(files):
    actual = replay(files).games
    six, two = (f"{n} players, blinds 50/100, stacks {k}0,000" for n, k in ((6, 1), (2, 2)))
    assert list(actual) == [six, two]
    assert [actual[six]["a"].mean, actual[two]["a"].mean] == [-500, 500]
    assert [actual[six]["a"].n, actual[two]["a"].n] == [3, 2]


def test_label__of_antes_stacks_and_blinds():
    assert label(rules([5, 6], [2, 1], [0, 0], [1, 0, 0, 0])) == (
        "2 players, blinds 1/2, stacks not equal"
    )
    assert label(rules([50, 50], [0, 0], [2, 2], [1, 0, 0, 0])) == (
        "2 players, blinds none, antes 2, stacks 50"
    )


@pytest.mark.parametrize(
    ("more", "payoff"),
    [
        ([], "net chips as played, no variance reduction"),
        (["--all-in", "0"], "net chips, all-in pots by their mean over all boards"),
    ],
)
def test_replay__says_what_is_counted_and_how_sure(files, tmp_path, more, payoff):
    won = tmp_path / "won.log"
    won.write_text("\n".join([TWO.format(0), "STATE:1:r300f:Ah2d|7s6s:-100|100:b|a"]) + "\n")
    out = tmp_path / "out.json"
    said = called("replay", won, files[0], *more, "--out", out).output
    low, high = interval(Sums(2, 1500.0, 500.0**2 + 1000.0**2))
    assert payoff in said
    assert f"{low:+.1f} to {high:+.1f}" in said
    record = json.loads(out.read_text())
    assert record["payoff"] == payoff
    two, six = record["games"]
    figures = {"mean": 750.0, "standard_error": 250.0, "interval": pytest.approx([low, high])}
    assert two["players"][0] == {"player": "a", "hands": 2} | figures
    assert six["players"][0]["player"] == "b"


def test_text__one_hand_has_no_interval(tmp_path):
    path, out = tmp_path / "x.log", tmp_path / "out.json"
    path.write_text(TWO.format(0) + "\n")
    assert "inf" not in called("replay", path, "--out", out).output
    assert json.loads(out.read_text())["games"][0]["players"][0]["interval"] is None


def test_replay__a_definition_names_the_game(files, tmp_path):
    game = rules([500] * 2, [100, 50], [0, 0], [1, 0, 0, 0])
    path = tmp_path / "x.game"
    path.write_text(form_game(game))
    said = called("replay", files[1], "--game", path).output
    assert "2 players, blinds 50/100, stacks 500\n" in said


def test_text__one_of_each(tmp_path):
    path = tmp_path / "one.log"
    path.write_text(TWO.format(0).replace("50|-50", "60|-60") + "\nSTATE:1\n")
    assert "1 hand, 1 mismatch, 1 damaged; 2 players" in replay([path]).text()


def test_text__control_characters_are_escaped(tmp_path):
    """A name that clears the screen, or turns what follows it around, does neither."""
    path = tmp_path / "evil\x1b[2J.log"
    path.write_text(
        SIX.format(0).replace("|f", "|\x1b]0;f\u202e") + "\nSTATE:1\x07\n", encoding="utf-8"
    )
    tally = replay([path])
    assert "\x1b]0;f\u202e" in tally.players
    text = tally.text()
    assert text.replace("\n", "").isprintable()
    assert r"\x1b]0;f\u202e " in text
    assert r"evil\x1b[2J.log, line 2" in text


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


SCORES = {  # payoffs are rounded to hundredths
    0: [TOTAL, "-150|150:b|a", "150.000000|-150.0:a|b", "150.005|-150:a|b", "150|-150.005:a|b"],
    1: ["149|-149:a|b", "-150|150:a|b", "150|-150:a|c", "150.0061|-150:a|b", "150|-150.0061:a|b"],
}
NO_SCORES = ["", "x", "1|2:a", "1|x:a|b", "9" * 5000 + ":a"]


@pytest.mark.parametrize(
    ("lines", "total", "expected"),
    [
        *((HANDS, total, (3, wrong, 0)) for wrong, each in SCORES.items() for total in each),
        *((HANDS, total, (3, 0, 1)) for total in NO_SCORES),
        (HANDS[1:], "1000|-1000:a|b", (2, 0, 0)),  # a part of the hands is not compared
        (HANDS[:1] + HANDS[2:], "1000|-1000:a|b", (2, 0, 0)),
        ([], "1000|-1000:a|b", (0, 0, 0)),
        ([*HANDS, "STATE:3:f"], "1|-1:a|b", (3, 0, 1)),  # nor hands of which one is damaged
    ],
)
def test_score__beside_the_hands_before(tmp_path, lines, total, expected):
    path = log(tmp_path, [*lines, f"SCORE:{total}"])
    actual = replay([path])
    assert counts(actual) == counts(replay([path], boards=0)) == expected
    if expected[1]:
        assert actual.mistakes[0].startswith(f"{path}, line 7: found score ")
        assert actual.mistakes[0].endswith("the hands before it pay 150|-150 of a|b")


def test_score__of_each_match_in_one_file(tmp_path):
    one = [*HANDS, f"SCORE:{TOTAL}"]
    wrong = [*HANDS, "SCORE:151|-151:a|b"]
    path = log(tmp_path, [*one, *wrong, *one])
    actual = replay([path])
    assert counts(actual) == (9, 1, 0)
    assert actual.mistakes[0].startswith(f"{path}, line 11: ")


def test_score__payoffs_that_are_rounded_add_up_roughly(tmp_path):
    lines = [
        f"STATE:{k}:cccc/cccc/cccc/cccc:AhKd|AcKc|AsKs|7s2c/3d4h5h/9s/Jd"
        ":33.33|33.33|33.33|-100:a|b|c|d"
        for k in range(30)
    ]
    path = log(tmp_path, [*lines, "SCORE:1000|1000|1000|-3000:a|b|c|d"])
    assert counts(replay([path], holdem([1000] * 4))) == (30, 0, 0)
    # The hands pay 999.9; each may add .006 chips, and the total as much: .186.
    for total, mismatches in (("1000.08", 0), ("999.72", 0), ("1000.09", 1), ("999.71", 1)):
        path = log(tmp_path, [*lines, f"SCORE:{total}|1000|1000|-3000:a|b|c|d"])
        assert counts(replay([path], holdem([1000] * 4))) == (30, mismatches, 0), total


def test_number__of_too_many_digits(tmp_path):
    long = HANDS[0].replace(":0:", f":{'9' * 5000}:", 1)
    assert counts(replay([log(tmp_path, [long])])) == (0, 0, 1)


def test_file__with_a_definition_that_is_none(tmp_path):
    bad, good = tmp_path / "bad.log", log(tmp_path, HANDS)
    bad.write_text("# GAMEDEF\n# ---- my match\n" + HANDS[0] + "\n")
    actual = replay([bad, good])
    assert counts(actual) == (3, 0, 1)
    assert actual.mistakes[0].startswith(f"{bad}: found numrounds = None")


def test_file__that_cannot_be_read(tmp_path):
    actual = replay([tmp_path / "gone.log", tmp_path, tmp_path / "gone.phh", log(tmp_path, HANDS)])
    assert counts(actual) == (3, 0, 3)
    assert actual.mistakes[0] == f"{tmp_path / 'gone.log'}: No such file or directory"


def test_file__whose_first_hand_is_damaged_is_known_by_the_next(tmp_path):
    actual = replay([log(tmp_path, [HANDS[0] + "|c|d", *HANDS])])
    assert counts(actual) == (3, 0, 1)


@pytest.mark.parametrize("kind", [b"x", b"#", b"STATE:"])
@pytest.mark.parametrize("size", [1_100_000, 9_000_000])
def test_line__too_long_is_one_damaged_line(tmp_path, kind, size):
    path = log(tmp_path, HANDS)
    text = (kind * size)[:size]
    path.write_bytes(path.read_bytes() + text + b"\n" + HANDS[0].encode() + b"\nSTATE\n" + text)
    actual = replay([path])
    assert counts(actual) == (4, 0, 3)
    assert [m.split(":")[0] for m in actual.mistakes] == [f"{path}, line {k}" for k in (7, 9, 10)]


def replay_and_peak(path):
    """The tally of ``path``, and the most bytes allocated meanwhile."""
    tracemalloc.start()
    actual = replay([path])
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return actual, most


@pytest.mark.parametrize(
    ("name", "text", "times", "mib"),
    [("x.log", b"[" * (1 << 20), 60, 32), ("x.phhs", b"[" * (1 << 20), 60, 32),
     ("x.phh", b"a = 1 # nothing\n", 500_000, 16)],
)  # fmt: skip
def test_memory__of_a_file_without_lines_or_hands(tmp_path, name, text, times, mib):
    path = tmp_path / name
    replay([log(tmp_path, HANDS, "warm.log")])  # compiled
    with path.open("wb") as stream:
        for _ in range(times):
            stream.write(text)
    actual, most = replay_and_peak(path)
    assert counts(actual) == (0, 0, 1)
    assert most < mib << 20


def test_file__a_hand_after_too_many_comments_is_damaged(tmp_path):
    path = tmp_path / "x.phhs"
    path.write_text("# nothing\n" * 5_000 + "variant = 'NT'\n")
    assert counts(replay([path])) == (0, 0, 1)


@pytest.mark.parametrize("name", ["x.log", "x.phhs"])
@pytest.mark.parametrize("text", ["", "# nothing\n\n" * 5_000])
def test_command__a_file_without_hands_is_no_success(tmp_path, name, text):
    path = tmp_path / name
    path.write_text(text)
    actual = called("replay", path, code=1).output
    assert f"{path}: no hands in it; --allow-empty lets that pass" in actual
    allowed = called("replay", path, "--allow-empty").output
    assert "0 hands, 0 mismatches, 0 damaged" in allowed
