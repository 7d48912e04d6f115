"""The input of ``sixmax advise``: spots that it reads, spots that it refuses in one line."""

import pytest

from search.holdem import SEARCH, small_run
from search.test_public_hand import NEVER, hand
from sixmax.base.errors import UserError
from sixmax.betting.rules import CALL, FOLD
from sixmax.search.advice import position, replay, text, with_stacks


def test_position__reads_rounds_and_boards():
    actions, dealt = position("cfr350c/cc/", "8d4d3s/Qh")
    assert actions == ((CALL, FOLD, 350, CALL), (CALL, CALL), ())
    assert dealt == ["8d4d3s", "Qh"]
    assert position("", "") == (((),), [])
    for board in ("8d,4d,3s/Qh", "8d 4d 3s, qh", "8D4D3S QH", "8d, 4d, 3s; Qh"):
        assert position("cfr350c/cc/", board) == (actions, dealt)


@pytest.mark.parametrize(
    ("actions", "board", "why"),
    [
        ("cc", "8d4d3s", r"^actions 'cc': found those of round 1 .* of round 2 \(flop\); put a /"),
        ("cc/cc", "8d4d3sQh2c", r"^actions 'cc/cc': .* of round 4 \(river\); put a /"),
        ("cc/", "8d4d", r"^board '8d4d': found 2 cards, wanted 3 in round 2 \(flop\)"),
        ("cc/cc/", "8d4d3s", r"^board .* found 3 cards, wanted 4 in round 3 \(turn\)"),
        ("cc/", "8d4d3s9", "^cards '8d4d3s9': found '9', wanted a rank of"),
        ("cc/", "8d4d8d", "dealt twice"),
        ("cc/", "8d4dXs", "found 'Xs', wanted a rank of"),
        ("cz", "", "wanted f, c and rN$"),
        ("fold, raise to 250, call/check", "", r"wanted f, c and rN; did you mean 'fr250c/c'\?$"),
        ("c/c/c/c/c", "8d4d3sQh2c", "found 5 rounds, wanted 4"),
    ],
)
def test_position__mistakes_are_told(actions, board, why):
    with pytest.raises(UserError, match=why) as caught:
        position(actions, board)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("actions", "board", "why"),
    [
        ("r120", "", "raises to 120, wanted 200 to 2000"),
        ("cc", "", None),
        ("ccc", "", "put a / after its actions"),
        ("cc/", "AhKd9c", "is not over: BB is to act"),
        ("ff", "", "the hand is over"),
        ("ccc/f", "AhKd9c", "folds where checking is free"),
    ],
)
def test_replay__mistakes_are_told(actions, board, why):
    if why is None:
        assert replay(hand(NEVER), *position(actions, board)).betting.actor == 1
        return
    with pytest.raises(UserError, match=why):
        replay(hand(NEVER), *position(actions, board))


def test_text__shows_the_hand_held_and_the_whole_range():
    run, _ = small_run()
    at = replay(hand(NEVER), *position("ccc/", "AhKd9c"))
    play = at.play()
    lines = text(run, at, play, 57).splitlines()
    assert lines[0].startswith("SB to act, pot 300, 0 to call; board AhKd9c; by the blueprint")
    assert lines[1].split() == ["hand", "check", "r325"]
    expected = [f"{100 * p:.1f}" for p in play.rows[57]]
    assert lines[2].replace("%", "").split()[1:] == expected


def test_stacks__one_for_each_seat():
    run, _ = small_run()
    assert with_stacks(run.game, [500, 600, 700]).stacks == [500, 600, 700]
    with pytest.raises(UserError, match="found 2, wanted 3"):
        with_stacks(run.game, [500, 600])


def test_replay__freezes_what_the_asked_seat_did_in_this_round_and_nothing_else():
    config = SEARCH.model_copy(update={"first": 1, "off_tree": None})
    at = replay(hand(config).copy(seat=0), *position("ccc/ccr600", "AhKd9c"), hole=9)
    (frozen,) = at.rounds[-1].frozen
    assert (frozen.before, frozen.hole) == ((), 9)
    assert frozen.row.tolist() == [0, 1]  # the fake search raises with odd holes
    assert not at.rounds[0].frozen
