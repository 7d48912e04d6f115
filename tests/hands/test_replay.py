"""Hand histories checked: good hands, damage, many hands, PHH beside ACPC."""

import random

import numpy as np
import pytest

from commands import called
from hands.small import CARDS, LOGS, counts, needs_logs
from oracles.games import holdem
from sixmax.base.errors import UserError
from sixmax.betting.rules import CALL
from sixmax.hands import phh
from sixmax.hands.phh_form import form
from sixmax.hands.record import from_line, record, to_line
from sixmax.hands.replay import replay, replayed
from sixmax.hands.tally import SHOWN

GOOD = [
    "STATE:7:r300ffffc/cr400c/cc/cc:2c2d|KcKd|AcAd|3c3d|4c4d|5c5d/7h8h9s/Jd/2s"
    ":-50|-400|450|0|0|0:a|b|c|d|e|f",
    "STATE:3:ffffr10000c///:Ah2d|7s6s|3c3d|4c4d|5c5d|8c8d/Ad7h2s/Jd/Js"
    ":10000|-10000|0|0|0|0:b|c|d|e|f|a",
    "STATE:4:fffff:Ah2d|7s6s|3c3d|4c4d|5c5d|8c8d:-50|50|0|0|0|0:a|b|c|d|e|f",
    "STATE:5:ffffcr300f:|7s6s||||:-100|100|0|0|0|0:a|b|c|d|e|f",
]


def written(tmp_path, lines, name="x.log"):
    path = tmp_path / name
    path.write_text("\n".join(["# a comment", "", *lines]) + "\n")
    return path


def same(actual, expected):
    assert counts(actual) == counts(expected)
    assert actual.games.keys() == expected.games.keys()
    for game, players in actual.games.items():
        assert players.keys() == expected.games[game].keys()
        for name, sums in players.items():
            assert sums.n == expected.games[game][name].n
            assert sums.total == pytest.approx(expected.games[game][name].total)
            assert sums.square == pytest.approx(expected.games[game][name].square)


def test_replay__good_lines(tmp_path):
    actual = replay([written(tmp_path, GOOD)])
    assert counts(actual) == (4, 0, 0)
    assert actual.players["a"].total == 10 * (-50 + 0 - 50 - 100)
    assert actual.players["b"].total == 10 * (-400 + 10_000 + 50 + 100)


CHANGES = {
    "STATE": ["HAND"],
    ":7:": [":x:"],
    "r300f": ["b300f", "rf", "r150f", "r10001f", "r0300f"],
    "/cc/cc:": ["/cf/cc:", "/ccc/c:", "/c/cc:", "/cc/c:", "/cc/cc/:"],
    "AcAd": ["AxAd", "", "Ac"],
    "7h8h9s": ["7h8h"],
    "/Jd/": ["/Ac/"],
    "/Jd/2s": ["/Jd"],
    ":a|b|": [":b|"],
    ":a|b|c|d|e|f": [""],
    "-50|": ["lots|", ""],
}


@pytest.mark.parametrize("change", [(old, new) for old, each in CHANGES.items() for new in each])
def test_replay__damaged_lines_are_named_and_the_rest_is_processed(tmp_path, change):
    bad = GOOD[0].replace(*change)
    assert bad != GOOD[0]
    path = written(tmp_path, [GOOD[1], bad, GOOD[2]])
    actual = replay([path], holdem([10_000] * 6))
    assert counts(actual) == (2, 0, 1)
    assert len(actual.mistakes) == 1
    assert actual.mistakes[0].startswith(f"{path}, line 4: ")


def test_replay__mismatches_are_counted_and_named(tmp_path):
    path = written(tmp_path, [GOOD[0].replace("-50|-400|450", "-50|450|-400"), *GOOD[1:]])
    actual = replay([path])
    assert counts(actual) == (4, 1, 0)
    assert actual.mistakes == [
        f"{path}, line 3: found payoffs -50|450|-400|0|0|0, the rules -50|-400|450|0|0|0"
    ]


def test_replay__only_the_first_mistakes_are_kept(tmp_path):
    actual = replay([written(tmp_path, ["STATE:1"] * 100 + GOOD)])
    assert (actual.hands, actual.damaged, len(actual.mistakes)) == (4, 100, SHOWN)
    assert "… and 80 more" in actual.text()


def test_replay__endings_of_lines_do_not_matter(tmp_path):
    path = tmp_path / "x.log"
    path.write_bytes("\r\n".join(GOOD).encode())  # and none after the last
    assert replay([path]).hands == 4


def test_replay__random_damage_never_stops_it(tmp_path):
    rng, lines = random.Random(1), []
    for _ in range(1500):
        line = list(rng.choice(GOOD))
        line[rng.randrange(len(line))] = rng.choice("0123456789fcr/|:AKQhs-.x")
        lines.append("".join(line))
    actual = replay([written(tmp_path, lines)])
    assert actual.hands + actual.damaged == 1500
    assert min(actual.hands, actual.damaged) > 100


def test_replay__a_player_with_several_seats_has_one_sample_a_hand(tmp_path):
    lines = [line.replace("b|c|d|e|f", "b|b|b|b|b") for line in (GOOD[0], GOOD[2], GOOD[3])]
    actual = replay([written(tmp_path, lines)])
    assert actual.players["b"].n == actual.players["a"].n == 3
    assert actual.players["b"].total == pytest.approx(-actual.players["a"].total / 5)


def test_replay__all_in_pots_over_all_boards(tmp_path):
    line = (
        "STATE:3:ffffcc/r9900c//:Ah2d|7s6s|3c3d|4c4d|5c5d|8c8d/Ad7h2s/Jd/Js"
        ":10000|-10000|0|0|0|0:b|c|d|e|f|a"
    )
    game = holdem([10_000] * 6)
    hand, _ = from_line(line.replace("r9900", "r10000"), game)
    plain = replay([written(tmp_path, [to_line(hand)])])
    mean = replay([written(tmp_path, [to_line(hand)])], boards=0)
    assert plain.players["b"].total == 100_000
    assert 0 < mean.players["b"].total < 100_000
    assert sum(s.total for s in mean.players.values()) == pytest.approx(0)


def test_game_of__unknown_stacks_are_asked_for(tmp_path):
    path = written(tmp_path, ["STATE:0:ff:||:-50|50|0:a|b|c"])
    other = written(tmp_path, GOOD, "y.log")
    actual = replay([path, other])
    assert (actual.hands, actual.damaged) == (4, 1)
    assert actual.mistakes == [f"{path}: 3 players, whose stacks are unknown; name them by --game"]
    assert replay([path], holdem([1000] * 3)).hands == 1


def test_command__exit_code_says_whether_all_is_well(tmp_path):
    good, bad = written(tmp_path, GOOD), written(tmp_path, ["STATE:1"], "y.log")
    fine = called("replay", good).output
    assert "4 hands, 0 mismatches, 0 damaged; 6 players" in fine
    both = called("replay", good, bad, code=1).output
    assert f"{bad}, line 3: found 'STATE:1'" in both


def test_command__says_the_result_where_the_file_cannot_be_written(tmp_path, monkeypatch, capsys):
    def full(*_):
        raise UserError("the disk is full")

    monkeypatch.setattr("sixmax.hands.replay.write_json", full)
    with pytest.raises(UserError, match="the disk is full"):
        replayed([written(tmp_path, GOOD)], out=tmp_path / "x.json")
    assert "4 hands, 0 mismatches" in capsys.readouterr().err


@needs_logs
def test_replay__pluribus_hands_to_the_chip():
    actual = replay(sorted(LOGS.glob("*.log")))
    assert counts(actual) == (2200, 0, 0)
    assert actual.players["Pluribus"].n == 2200
    assert np.isclose(sum(s.total for s in actual.players.values()), 0)


def as_phh(lines):
    """The lines as one text of PHH."""
    game = holdem([10_000] * 6)
    return "\n".join(f"[{k}]\n{form(from_line(x, game)[0])}" for k, x in enumerate(lines, start=1))


def test_replay__phh_of_the_same_hands_has_the_same_tally(tmp_path):
    path = tmp_path / "x.phhs"
    path.write_text(as_phh(GOOD))
    same(replay([path]), replay([written(tmp_path, GOOD)]))


def test_replay__random_damage_to_phh_is_judged_alike_by_json_and_toml(tmp_path, monkeypatch):
    """One character changed anywhere: a file read as JSON has the values that TOML gives it."""
    rng, hands = random.Random(2), []
    for _ in range(600):
        text = list(as_phh([rng.choice(GOOD)]).removeprefix("[1]\n"))
        at = rng.randrange(len(text))
        text[at] = rng.choice("0123456789fcrp,'[]AKQhsbd .x=#")
        hands.append("".join(text))
    path = tmp_path / "x.phhs"
    path.write_text("".join(f"[{k}]\n{text}\n" for k, text in enumerate(hands)))
    plain = [phh._plain(text) for text in hands]
    assert sum(values is not None for values in plain) > 200
    actual = replay([path])
    monkeypatch.setattr(phh, "_plain", lambda text: None)
    expected = replay([path])
    assert actual.damaged > 100
    assert actual.hands > 50
    same(actual, expected)
    assert actual.mistakes == expected.mistakes


def test_replay__phh_of_other_stacks_and_rules_in_one_file(tmp_path):
    texts = []
    every = [[1000, 900, 800], [1000, 900, 800], [500, 20_000], [300, 70, 1000]]
    for k, stacks in enumerate(every):
        seats = len(stacks)
        names = tuple("abc"[:seats])
        cards = CARDS[6 - 2 * seats :]
        actions = ((CALL, CALL, CALL)[:seats], (CALL, CALL, CALL)[:seats])
        actions += actions[1:] * 2
        if k == 3:  # the big blind is all-in when it is posted
            actions = ((CALL, CALL), (CALL, CALL), (CALL, CALL), (CALL, CALL))
        texts.append(form(record(k, names, holdem(stacks, ante=10), 13, actions, cards)))
    path = tmp_path / "x.phhs"
    path.write_text("".join(f"[{k}]\n{text}\n" for k, text in enumerate(texts)))
    actual = replay([path])
    assert counts(actual) == (4, 0, 0)
    assert sum(sums.n for players in actual.games.values() for sums in players.values()) == 11
