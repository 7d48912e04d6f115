"""Pluribus's hands: the kind of each of its decisions."""

from pathlib import Path

import numpy as np
import pytest

from sixmax.base.errors import UserError
from sixmax.betting.notation import parse
from sixmax.evaluation.pluribus.decisions import NAME, decisions, hands, proportion

DATA = Path(__file__).parents[4] / "shared" / "data" / "pluribus_hands"
CARDS = "TcQc|8s4c|9c3d|Ah4h|Th5s|6c7s"
NAMES = "a|b|c|d|e|Pluribus"


def record(actions, boards="", payoffs="0|0|0|0|0|0"):
    return parse(f"STATE:1:{actions}:{CARDS}{boards}:{payoffs}:{NAMES}")


def test_decisions__first_in_until_somebody_enters():
    result = list(decisions(record("ffr250fff")))
    assert [d.first_in for d in result] == [True, True, True, False, False, False]
    assert [d.kind for d in result] == [0, 0, 2, 0, 0, 0]
    assert [d.raises for d in result] == [0, 0, 0, 1, 1, 1]
    assert result[2].seat == 4
    assert result[2].name == "e"
    assert result[2].legal.tolist() == [True, True, True]


def test_decisions__the_big_blind_is_never_first_in():
    result = list(decisions(record("ffffcc/cc/cc/cc", "/7d5h9d/7c/Qh")))
    assert [d.first_in for d in result[:6]] == [True] * 5 + [False]
    assert result[5].legal.tolist() == [False, True, True]


def test_decisions__donk_bet_of_who_called():
    result = list(decisions(record("ffffr225c/cr450f", "/7d5h9d")))
    assert [d.donk for d in result[6:]] == [False, False, False]  # the raiser acts first
    result = list(decisions(record("ffr250ffc/r525f", "/7d5h9d")))
    assert [d.donk for d in result] == [False] * 6 + [True, False]
    assert result[6].size == 1  # half a pot


def test_hands__no_logs_or_not_pluribus(tmp_path):
    with pytest.raises(UserError, match=r"found no \*.log"):
        hands(tmp_path)
    line = f"STATE:1:fffff:{CARDS}:-50|50|0|0|0|0:a|b|c|d|e|f"
    (tmp_path / "one.log").write_text(line + "\n")
    with pytest.raises(UserError, match="none of 1 hands has a player called Pluribus"):
        hands(tmp_path)


FOLDED = f"STATE:1:fffff:{CARDS}:-50|50|0|0|0|0:{NAMES}"


def test_hands__of_other_bytes(tmp_path):
    (tmp_path / "x.log").write_bytes(b"# f\xfcr sechs\n\n" + FOLDED.encode())
    result, tally = hands(tmp_path)
    assert (len(result), tally.hands, tally.damaged) == (1, 1, 0)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("STATE\xfc", "found 'STATE\ufffd', wanted STATE:<hand>"),
        (FOLDED.replace("fffff", "ffffr100f"), "action 5 of the hand, r100: "),
        (FOLDED.replace("fffff", "ffff"), "the hand stops with SB to act"),
        (FOLDED.replace("4c", "Qc"), "the card Qc is dealt twice"),
        (FOLDED.replace("|6c7s", "").replace("|0:a|", ":"), "found 5 players, wanted 6"),
        (FOLDED.replace("6c7s", ""), "the cards of Pluribus are not shown"),
    ],
)
def test_hands__a_damaged_line_is_named_and_the_rest_is_read(tmp_path, line, expected):
    text = f"# a comment\n\n{FOLDED}\n{line}\n{FOLDED}\n"
    (tmp_path / "a.log").write_bytes(text.encode("latin-1"))
    (tmp_path / "b.log").write_text(FOLDED)
    result, tally = hands(tmp_path)
    assert result == [parse(FOLDED)] * 3
    assert (tally.hands, tally.damaged) == (3, 1)
    (actual,) = tally.mistakes
    assert actual.startswith(f"{tmp_path / 'a.log'}, line 4: ")
    assert expected in actual


def test_hands__nothing_but_damage_says_what_the_first_is(tmp_path):
    (tmp_path / "x.log").write_text("STATE:0:hello\n" * 2)
    with pytest.raises(UserError, match=r"none of 0 hands .* 2 damaged, first .*line 1: found"):
        hands(tmp_path)


def test_proportion__wilson():
    assert proportion(0, 0)["share"] is None
    result = proportion(8, 10)  # 0.4902 to 0.9433: Brown, Cai, DasGupta (2001), example
    np.testing.assert_allclose([result["low"], result["high"]], [49.02, 94.33], atol=0.01)


@pytest.mark.skipif(not DATA.is_dir(), reason="Pluribus's published hands are not here")
def test_decisions__published_figures():
    """Frequencies in these 2,200 hands lie within chance of those in all 10,000.

    Those (shared/data/README.md): donk bets 3.5 % (professionals 1.7 %), first-in raises 18.3,
    24.0, 30.6, 42.4, 32.6 %.
    """
    output = [d for r in hands(DATA)[0] for d in decisions(r)]
    for name, expected in ((True, 3.5), (False, 1.7)):
        part = [d for d in output if d.donk and (d.name == NAME) == name]
        result = proportion(sum(d.kind == 2 for d in part), len(part))
        assert result["low"] < expected < result["high"]
    for seat, expected in zip((2, 3, 4, 5, 0), (18.3, 24.0, 30.6, 42.4, 32.6), strict=True):
        part = [d for d in output if d.first_in and d.name == NAME and d.seat == seat]
        result = proportion(sum(d.kind == 2 for d in part), len(part))
        assert result["low"] - 1 < expected < result["high"] + 1
