"""The winnings of players, game by game, as text and as JSON."""

import json

import pytest
from click.testing import CliRunner

from sixmax.cli import app
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
    six, two = (
        "6 players, blinds 50/100, stacks 10,000",
        "2 players, blinds 50/100, stacks 20,000",
    )
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
    result = CliRunner().invoke(app, ["replay", str(won), str(files[0]), *more, "--out", str(out)])
    assert result.exit_code == 0
    low, high = interval(Sums(2, 1500.0, 500.0**2 + 1000.0**2))
    assert payoff in result.output
    assert f"{low:+.1f} to {high:+.1f}" in result.output
    record = json.loads(out.read_text())
    assert record["payoff"] == payoff
    two, six = record["games"]
    assert two["players"][0] == {
        "player": "a",
        "hands": 2,
        "mean": 750.0,
        "standard_error": 250.0,
        "interval": [pytest.approx(low), pytest.approx(high)],
    }
    assert six["players"][0]["player"] == "b"


def test_text__one_hand_has_no_interval(tmp_path):
    path, out = tmp_path / "x.log", tmp_path / "out.json"
    path.write_text(TWO.format(0) + "\n")
    result = CliRunner().invoke(app, ["replay", str(path), "--out", str(out)])
    assert "inf" not in result.output
    assert json.loads(out.read_text())["games"][0]["players"][0]["interval"] is None


def test_replay__a_definition_names_the_game(files, tmp_path):
    game = rules([500] * 2, [100, 50], [0, 0], [1, 0, 0, 0])
    path = tmp_path / "x.game"
    path.write_text(form_game(game))
    result = CliRunner().invoke(app, ["replay", str(files[1]), "--game", str(path)])
    assert "2 players, blinds 50/100, stacks 500\n" in result.output


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
