"""Files of hands: written on any rules of a run, and read back to the same payoffs."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluation.seated import players
from hands.small import counts
from oracles.games import games
from oracles.judges.phh import by_pokerkit
from search.holdem import RANKS
from sixmax.base.errors import UserError
from sixmax.betting.rules import CALL, FOLD
from sixmax.betting.state import Betting
from sixmax.evaluation.match.by_hand import hands
from sixmax.games.holdem import deal_cards
from sixmax.hands.formats import FORMATS, text_of, written
from sixmax.hands.phh import blocks
from sixmax.hands.record import GAME, record, rules, shift, turned
from sixmax.hands.replay import records, replay

ACPC = FORMATS["acpc"]


def write(path, kind, game, records):
    """Write ``records`` one by one."""
    with written(path, kind, game) as add:
        for each in records:
            add(each)


@pytest.mark.parametrize("seats", [2, 3])
def test_files__of_a_match_are_read_back_to_its_payoffs(tmp_path, seats):
    run, (one, *others) = players(seats, ["random"] + ["blueprint"] * (seats - 1))
    log, phh = tmp_path / "x.log", tmp_path / "x.phhs"
    result = [hand for _, _, hand in hands(one, others, run.game, RANKS, 10, 1)]
    for kind, file in zip(FORMATS.values(), (log, phh), strict=True):
        write(file, kind, run.game, result)
        assert file.read_text() == text_of(kind, run.game, result)
        tally = replay([file])
        assert counts(tally) == (len(result), 0, 0)
        won = sum(r.payoffs[r.names.index("random")] for r in result) * 1000 / 100
        assert tally.players["random"].total == pytest.approx(won)
    text = phh.read_text()
    expected = [turned(r, shift(r.rules)).payoffs.tolist() for r in result]
    actual = [by_pokerkit(block) for _, block in blocks(text.splitlines(True))]
    assert actual == [pytest.approx(e) for e in expected]


def test_files__nothing_is_left_of_one_that_failed(tmp_path):
    run, _ = players(3, ["call"])
    with pytest.raises(RuntimeError), written(tmp_path / "x.log", ACPC, run.game):
        raise RuntimeError
    assert not list(tmp_path.iterdir())


def test_files__of_a_match_that_was_stopped_keep_what_was_played(tmp_path):
    run, (one, *others) = players(3, ["random", "call", "call"])

    def stopped():
        with written(tmp_path / "x.log", ACPC, run.game) as add:
            for _, _, hand in hands(one, others, run.game, RANKS, 2, 1):
                add(hand)
            raise UserError("lost")

    with pytest.raises(UserError, match="lost"):
        stopped()
    assert [file.name for file in tmp_path.iterdir()] == ["x.part.log"]
    assert replay([tmp_path / "x.part.log"]).hands == 6


def played(game, rng, number):
    betting, done = Betting(game), []
    while not betting.over:
        done += [[] for _ in range(betting.round + 1 - len(done))]
        raises = betting.raise_range or ()
        action = rng.choice([CALL, CALL, *[FOLD] * (betting.to_call > 0), *raises])
        done[-1].append(action)
        betting.act(action)
    cards = deal_cards(1, number, game.seats, 13)
    names = tuple(f"p{seat}" for seat in range(game.seats))
    return record(number, names, game, 13, tuple(map(tuple, done)), cards)


def written_and_read(folder, game, seed):
    """Five random hands of ``game``, written in every format, are found right in each."""
    rng = random.Random(seed)
    made = [played(game, rng, number) for number in range(5)]
    for kind in FORMATS.values():
        file = folder / f"x{kind.endings[-1]}"
        write(file, kind, game, made)
        tally = replay([file])
        assert counts(tally) == (5, 0, 0), tally.named()
        assert tally.odd_chips == tally.raked == 0
        for hand, again in zip(made, records(file, game, keys=GAME), strict=True):
            assert again.payoffs.tolist() == pytest.approx(hand.payoffs.tolist(), abs=0.006)
            assert again.rules.first == hand.rules.first


@settings(max_examples=100)
@given(games(rounds=(4, 4)), st.integers(0, 1000))
def test_files__of_any_rules(tmp_path_factory, game, seed):
    """Any blinds, antes that some cannot pay, stacks far apart, any seat first in any round."""
    written_and_read(tmp_path_factory.mktemp("files"), game, seed)


@pytest.mark.parametrize(
    ("stacks", "blinds", "antes", "first"),
    [
        ([500] * 4, [25, 50, 100, 0], [0] * 4, [3, 0, 0, 0]),
        ([500] * 3, [25, 50, 100], [0] * 3, [0] * 4),
        ([500] * 4, [25, 50, 100, 0], [0] * 4, [0] * 4),
        ([500, 400], [50, 100], [0, 0], [0, 1, 1, 1]),
        ([500, 400], [50, 100], [10, 10], [0] * 4),
        ([500, 400], [100, 50], [0, 0], [0] * 4),
        ([500] * 6, [0] * 6, [20] * 6, [2, 0, 0, 0]),
        ([30, 90, 100], [50, 100, 0], [0] * 3, [2, 0, 0, 0]),
        ([30, 40], [50, 100], [0] * 2, [0, 1, 1, 1]),
        ([10, 500, 500], [50, 100, 0], [20] * 3, [2, 0, 0, 0]),
    ],
)
def test_files__of_rules_that_people_play(tmp_path, stacks, blinds, antes, first):
    written_and_read(tmp_path, rules(stacks, blinds, antes, first), 1)
