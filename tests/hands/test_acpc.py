"""Lines and games of the ACPC: reading, writing and refusals."""

import pytest

from oracles.games import holdem
from oracles.judges.acpc import referee, verdicts
from sixmax.base.errors import UserError
from sixmax.hands.acpc import form_game, parse_state, read_answer, read_game


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("STATE:0:30::9s8h|", "wanted MATCHSTATE:<position>:<hand>:<actions>:<cards>"),
        ("MATCHSTATE:0:30::|9s8h", "no cards of position 0"),
        ("MATCHSTATE:2:30::9s8h|", "no cards of position 2"),
        ("MATCHSTATE:0:30:x:9s8h|", "wanted f, c and rN"),
        ("MATCHSTATE:0:30::9s9s|", "dealt twice"),
    ],
)
def test_parse_state__damaged(line, expected):
    with pytest.raises(UserError, match=expected):
        parse_state(line)


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        *((f"30::9s8h|:{word}", "f, c or rN") for word in ("", "x", "r", "r0", "c c", "rr200")),
        ("31::9s8h|:c", "MATCHSTATE:0:30"),
    ],
)
def test_read_answer__refuses(answer, expected):
    with pytest.raises(UserError, match=f"wanted {expected}"):
        read_answer(f"MATCHSTATE:0:{answer}", "MATCHSTATE:0:30::9s8h|")


def test_game__written_and_read(tmp_path):
    game = holdem([10_000, 9_000, 8_000])
    path = tmp_path / "three.game"
    path.write_text(form_game(game))
    actual = read_game(path)
    for name in ("stacks", "blinds", "antes", "first"):
        assert getattr(actual, name) == getattr(game, name)


def test_game__of_other_bytes_and_words(tmp_path):
    path = tmp_path / "latin.game"
    path.write_bytes(b"# f\xfcr drei\n---- ours\n" + form_game(holdem([1000] * 3)).encode())
    assert read_game(path).stacks == [1000] * 3


@pytest.mark.parametrize("players", ["0", "-1", "11", "999999999999", "9" * 5000])
def test_game__of_too_many_players(tmp_path, players):
    path = tmp_path / "x.game"
    path.write_text(form_game(holdem([1000] * 3)).replace("Players = 3", f"Players = {players}"))
    with pytest.raises(UserError, match=str(path)):
        read_game(path)


@pytest.mark.skipif(referee() is None, reason="no C++ compiler, or OpenSpiel without the ACPC")
def test_verdicts__find_fault(tmp_path):
    game = tmp_path / "x.game"
    game.write_text(form_game(holdem([20_000, 20_000])))
    lines = [
        "MATCHSTATE:0:30:c:9s8h|:r150",
        "MATCHSTATE:0:30:c:9s8h|:f",
        "MATCHSTATE:0:30::9s8h|:c",
        "MATCHSTATE:0:30:c:9s8h|:r20001",
        "MATCHSTATE:0:30:c:9s8h|:r200x",
        "STATE:0:cc/r200c/cr600r1800f:9s8h|9c6h/8c5d6c/6s:500|-500:other|button",
        "STATE:0:cc/r200c/cr600r1800f:9s8h|9c6h/8c5d6c/6s:600|-600:other|button",
    ]
    illegal = "an illegal action"
    assert verdicts(game, lines) == [
        illegal, illegal, "out of turn", illegal, "not an action", "other payoffs", "ok",
    ]  # fmt: skip
