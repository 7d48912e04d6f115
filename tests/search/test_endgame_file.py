"""Files with endgames: two ways to write the same ranges, and every way to get them wrong."""

import itertools

import numpy as np
import pytest

from sixmax.base.errors import UserError
from sixmax.cards.deck import hole_id, parse_cards
from sixmax.search.endgame_file import read_endgame

RIVER = "-board 4s8hTc9h2s\n-pot 500\n"
RANGES = "-range AA,KQs:0.5,AhKd:2\n-range TT, 72o\n"


def hole(text):
    return hole_id(*parse_cards(text))


def test_read_endgame__of_ranges(tmp_path):
    (tmp_path / "river.txt").write_text("# mine\n\n-round 4\n" + RIVER + RANGES)
    result = read_endgame(tmp_path / "river.txt")
    assert (result.pot, result.board.tolist()) == (500, parse_cards("4s8hTc9h2s").tolist())
    first, second = result.reach
    assert np.count_nonzero(first) == 6 + 4 + 1
    assert [first[hole(h)] for h in ("AsAh", "KdQd", "AhKd", "KdQh")] == [1, 0.5, 2, 0]
    # The ten and the deuce of the board take three of six and three of twelve.
    assert (np.count_nonzero(second), second[hole("TsTc")], second[hole("7h2s")]) == (3 + 9, 0, 0)


def test_read_endgame__of_reach_in_the_order_of_libratus(tmp_path):
    deck = [rank + suit for rank in "23456789TJQKA" for suit in "shdc"]
    weights = [f"{a}{b}" for a, b in itertools.combinations(deck, 2)]
    wanted = {"2s2h": 0.25, "AhAc": 3, "7s6h": 1, "AdAc": 2}
    pairs = {frozenset((h[:2], h[2:])): v for h, v in wanted.items()}
    row = [pairs.get(frozenset((w[:2], w[2:])), 0) for w in weights]
    text = "-reach " + " ".join(str(v) for v in [*row, *row[::-1]])
    (tmp_path / "turn.txt").write_text("-board 4s8hTc9h\n-pot 500\n" + text)
    result = read_endgame(tmp_path / "turn.txt")
    assert {h: result.reach[0, hole(h)] for h in wanted} == wanted
    assert result.reach[0].sum() == sum(wanted.values())
    assert result.reach[1].max() == 3


WRONG = [
    ("-bord 4s8hTc9h2s\n", "line 1: found '-bord', wanted one of -board.*did you mean '-board'"),
    ("-board 4s8hTc9hXs\n" + RANGES, "found 'Xs', wanted a rank"),
    ("-board 4s8hTc9h9h\n" + RANGES, "card 9h is dealt twice"),
    ("-board 4s8h\n-pot 500\n" + RANGES, "-board: found 2 cards, wanted 3, 4 or 5"),
    ("-pot 500\n" + RANGES, "found 0 lines -board with values, wanted one"),
    (RIVER + RIVER + RANGES, "found 2 lines -board"),
    (RIVER + "-round 3\n" + RANGES, "-round: found 3, wanted 4 with 5 cards"),
    ("-board 4s8hTc9h2s\n-pot 501\n" + RANGES, "-pot: found '501', wanted an even number"),
    ("-board 4s8hTc9h2s\n-pot -2\n" + RANGES, "-pot: found '-2', wanted an even number"),
    (RIVER, "found 0 lines -range and no -reach; wanted one for each player"),
    (RIVER + "-reach 1 2 3\n", "-reach: found 3 weights, wanted 2652"),
    (RIVER + "-reach " + "nan " * 2652, "-reach: found 'nan', wanted weights from 0 to 1,000,000"),
    (RIVER + "-range AA:1e308,KK\n-range QQ\n", "-range: .*found '1e308', wanted a weight from 0"),
    (RIVER + "-reach " + "0 " * 2652, "player 1 has no hand of weight above 0 on this board"),
    (RIVER + "-range AA:-1\n-range KK\n", "-range: .*found '-1', wanted a weight"),
    (RIVER + "-range AA\n-range ZZ\n", "-range: .*found 'ZZ', wanted AA, AKs, AKo, AK"),
    (RIVER + "-range A K s\n-range AA\n", "-range: .*found 'A', wanted AA, AKs, AKo, AK"),
    (RIVER + "-range AA\n-range KK\n-reach 1 1\n", "found -reach and -range, wanted one of them"),
    (RIVER + "-range AA\n-range AhXx\n", "wrong.txt: -range: "),
    (RIVER + "-range AA\n-range 4s8h\n", "player 2 has no hand of weight above 0 on this board"),
]


@pytest.mark.parametrize(("text", "expected"), WRONG)
def test_read_endgame__refuses(tmp_path, text, expected):
    (tmp_path / "wrong.txt").write_text(text)
    with pytest.raises(UserError, match=expected) as error:
        read_endgame(tmp_path / "wrong.txt")
    assert "\n" not in str(error.value)


def test_read_endgame__of_no_file(tmp_path):
    with pytest.raises(UserError, match="no such file; wanted a file with -board, -pot and -reach"):
        read_endgame(tmp_path / "none.txt")
