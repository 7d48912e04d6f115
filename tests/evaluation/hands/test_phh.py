"""Hands as PHH: pokerkit reads what we write, and we read it back."""

import io
import tomllib
import warnings
from fractions import Fraction

import numpy as np
import pytest
from pokerkit import HandHistory

from evaluation.seated import players
from oracles.games import holdem
from search.holdem import RANKS
from sixmax.cards.deck import parse_cards
from sixmax.errors import UserError
from sixmax.evaluation.hands.phh import blocks, parse
from sixmax.evaluation.hands.phh_form import form
from sixmax.evaluation.hands.record import UNSEEN, record, shift, turned
from sixmax.evaluation.hands.replay import replay
from sixmax.evaluation.hands.write import AcpcLog, PhhFile
from sixmax.evaluation.match.by_hand import hands
from sixmax.game.rules import CALL, FOLD

NAMES = ("a", "b'c", "d")
WANTED = ("antes", "blinds_or_straddles", "min_bet", "starting_stacks", "actions")
CARDS = parse_cards("AhAd KcKd 2c2d 7h8h9s Jd 2s")


def by_pokerkit(text):
    """Net chips of each seat as pokerkit plays the hand."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        (hand,) = HandHistory.load_all(
            io.BytesIO(text.encode()), divmod=lambda chips, n: (Fraction(chips, n), 0)
        )
        *_, state = hand
    assert not state.status, "the hand is not over"
    return [float(p) for p in state.payoffs]


HANDS = [
    ([1000, 1000, 1000], ((300, FOLD, CALL), (CALL, CALL), (CALL, 400, CALL), (CALL, CALL))),
    ([1000, 1000, 1000], ((300, CALL, CALL), (1000, CALL, CALL))),
    ([1000, 1000, 400], ((400, CALL, CALL), (CALL, 1000, CALL))),
    ([1000, 700, 400], ((CALL, CALL, 700, CALL, CALL),)),
    ([1000, 1000, 1000], ((FOLD, FOLD),)),
    ([1000, 1000, 1000], ((300, 900, FOLD, FOLD),)),
    ([1000, 1000], ((CALL, CALL), (300, 700, CALL), (CALL, CALL), (CALL, CALL))),
    ([1000, 1000], ((1000, CALL),)),
    ([1000, 500], ((300, CALL), (1000, CALL))),
]


@pytest.mark.parametrize(("stacks", "actions"), HANDS)
@pytest.mark.parametrize("ante", [0, 10])
def test_form__pokerkit_reads_it_to_the_same_payoffs(stacks, actions, ante):
    game = holdem(stacks, ante=ante)
    hand = record(5, NAMES[: len(stacks)], game, 13, actions, CARDS[-(2 * len(stacks) + 5) :])
    assert by_pokerkit(f"[1]\n{form(hand)}") == pytest.approx(hand.payoffs.tolist())


@pytest.mark.parametrize(("stacks", "actions"), HANDS)
def test_parse__is_the_inverse_of_form(stacks, actions):
    game = holdem(stacks)
    hand = record(5, NAMES[: len(stacks)], game, 13, actions, CARDS[-(2 * len(stacks) + 5) :])
    again, net = parse(form(hand))
    assert again.actions == hand.actions
    assert again.names == hand.names
    assert again.number == 5
    for name in ("holes", "board", "payoffs", "stacks"):
        np.testing.assert_array_equal(getattr(again, name), getattr(hand, name))
    assert again.rules.blinds == hand.rules.blinds
    np.testing.assert_array_equal(net, hand.payoffs)


@pytest.mark.parametrize("name", ["plain", "it's", 'a "b" c', "back\\slash", "tab\there", "é"])
def test_form__names_of_any_kind(name):
    hand = record(5, (name, "b", "c"), holdem([1000] * 3), 13, ((FOLD, FOLD),), CARDS)
    assert tomllib.loads(form(hand))["players"][0] == name


def test_form__two_players_have_the_big_blind_first():
    game = holdem([900, 1000], blinds=[50, 100])
    game = game.model_copy(update={"first": [0, 1, 1, 1]})
    hand = record(5, ("small", "big"), game, 13, ((300, CALL), (CALL, 400, FOLD)), CARDS[2:])
    again, _ = parse(form(hand))
    assert again.names == ("big", "small")
    assert again.payoffs.tolist() == hand.payoffs[::-1].tolist()
    assert by_pokerkit(f"[1]\n{form(hand)}") == hand.payoffs[::-1].tolist()


def test_form__cards_unseen():
    hand = record(5, NAMES, holdem([1000] * 3), 13, ((FOLD, FOLD),), CARDS)
    holes = hand.holes.copy()
    holes[0] = UNSEEN
    again, _ = parse(form(hand._replace(holes=holes)))
    np.testing.assert_array_equal(again.holes, holes)


TEXT = form(record(5, NAMES, holdem([1000] * 3), 13, ((300, FOLD, FOLD),), CARDS))


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (("variant = 'NT'", "variant = 'FT'"), "variant 'FT', wanted a hand of no-limit"),
        (("antes =", "ante ="), "found no antes"),
        (("'p3 cbr 300'", "'p3 cbr 150'"), "BTN raises to 150, wanted 200 to 1000"),
        (("'p3 cbr 300'", "'p3 bets 300'"), "wanted f, cc or cbr"),
        (("'p3 cbr 300'", "'p3 cbr 0'"), "wanted f, cc or cbr and chips"),
        (("'p3 cbr 300'", "'p3 cbr -1'"), "wanted f, cc or cbr and chips"),
        (("'p3 cbr 300'", "'p2 cbr 300'"), "wanted an action of p3"),
        ((", 'p2 f'", ""), "the hand stops with BB to act"),
        (("'p2 f'", "'p2 f', 'p3 cc'"), "wanted an action of nobody"),
        (("AhAd", "AhKc"), "dealt twice"),
        (("AhAd", "AhXx"), "found 'Xx'"),
        (("[1000,", "[1000"), "no TOML"),
        (("players = ['a', ", "players = ["), "2 players, wanted 3"),
        (("d dh p1", "d dh px"), "found player 'px', wanted p1, p2"),
        (("d dh p1", "d dh p4"), "found player p4, wanted p1 to p3"),
        (("min_bet = 100", "min_bet = 0"), "game.min_bet: found 0, wanted: input should be"),
        (("'d dh p1 AhAd'", "3"), "no hand of PHH"),
    ],
)
def test_parse__damaged_hands_are_named(change, expected):
    assert TEXT.replace(*change) != TEXT
    with pytest.raises(UserError, match=expected) as error:
        parse(TEXT.replace(*change), "x.phh, line 1")
    assert str(error.value).startswith("x.phh, line 1: ")
    assert "\n" not in str(error.value)


def test_blocks__by_their_heads():
    lines = ["[1]\n", "a = 1\n", "\n", "[ 2 ]  # two\n", "a = [1,\n", "2]\n"]
    assert list(blocks(lines)) == [(2, "a = 1\n\n"), (5, "a = [1,\n2]\n")]
    assert list(blocks(["a = 1\n"])) == [(1, "a = 1\n")]


@pytest.mark.parametrize("seats", [2, 3])
def test_files__of_a_match_are_read_back_to_its_payoffs(tmp_path, seats):
    run, (one, *others) = players(seats, ["random"] + ["blueprint"] * (seats - 1))
    log, phh = tmp_path / "x.log", tmp_path / "x.phhs"
    result = []
    with AcpcLog(log, run.game, RANKS) as a, PhhFile(phh, run.game, RANKS) as b:
        for _, _, hand in hands(one, others, run.game, RANKS, 10, 1):
            a.add(hand)
            b.add(hand)
            result.append(hand)
    for file in (log, phh):
        tally = replay([file])
        assert (tally.hands, tally.mismatches, tally.damaged) == (len(result), 0, 0)
        won = sum(r.payoffs[r.names.index("random")] for r in result) * 1000 / 100
        assert tally.players["random"].total == pytest.approx(won)
    text = phh.read_text()
    expected = [turned(r, shift(r.rules)).payoffs.tolist() for r in result]
    actual = [by_pokerkit(f"[1]\n{block}") for _, block in blocks(text.splitlines(True))]
    assert actual == [pytest.approx(e) for e in expected]


def test_files__nothing_is_left_of_one_that_failed(tmp_path):
    run, _ = players(3, ["call"])
    with pytest.raises(RuntimeError), AcpcLog(tmp_path / "x.log", run.game, RANKS):
        raise RuntimeError
    assert not list(tmp_path.iterdir())


def test_files__of_a_match_that_was_stopped_keep_what_was_played(tmp_path):
    run, (one, *others) = players(3, ["random", "call", "call"])

    def stopped():
        with AcpcLog(tmp_path / "x.log", run.game, RANKS) as log:
            for _, _, hand in hands(one, others, run.game, RANKS, 2, 1):
                log.add(hand)
            raise UserError("lost")

    with pytest.raises(UserError, match="lost"):
        stopped()
    assert [file.name for file in tmp_path.iterdir()] == ["x.part.log"]
    assert replay([tmp_path / "x.part.log"]).hands == 6


@pytest.mark.parametrize(
    "text",
    [
        "a = " + "[" * 5000,
        "a = " + "9" * 5000,
        "variant = 0x" + "f" * 5000 + "".join(f"\n{name} = 1" for name in WANTED),
    ],
    ids=["brackets", "digits", "hexadecimal"],
)
def test_parse__toml_that_python_cannot_hold(text):
    with pytest.raises(UserError, match=r"^here: "):
        parse(text, "here")
