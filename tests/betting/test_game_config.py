"""The game section: impossible games are refused in one line that says what is wanted."""

import pytest

from sixmax.base.errors import UserError
from sixmax.betting.config import GameConfig

ROUND = {"sizes": [[0.5, 1, "A"], ["3 chips"]], "max_raises": 2, "max_players": 2}
GOOD = {"stacks": [100, 40], "blinds": [2, 1], "antes": [0, 0], "first": [1, 0]}
GOOD["rounds"] = [ROUND, ROUND]


def test_parse__good():
    assert GameConfig.parse(GOOD, "game").seats == 2


def test_parse__a_blind_bigger_than_a_stack_is_a_short_all_in():
    assert GameConfig.parse({**GOOD, "stacks": [1, 100]}, "game").stacks == [1, 100]


def test_parse__fewer_board_cards_than_the_rounds_see():
    three = {**GOOD, "first": [1, 0, 0], "rounds": [ROUND] * 3}
    assert GameConfig.parse({**three, "board_cards": 4}, "game").board_cards == 4
    with pytest.raises(UserError, match="board_cards: found 3, wanted: at least 4: 3 rounds see"):
        GameConfig.parse({**three, "board_cards": 3}, "game")


def test_dump__leaves_out_what_runs_from_before_did_not_have():
    """A frozen run.json is compared with the dump: new keys must not make another run of it."""
    assert "board_cards" not in (dump := GameConfig.parse(GOOD, "game").model_dump(mode="json"))
    assert set(dump["rounds"][0]) == {"sizes", "max_raises", "max_players"}
    other = {**GOOD, "board_cards": 3, "rounds": [{**ROUND, "limps": False}, ROUND]}
    dump = GameConfig.parse(other, "game").model_dump(mode="json")
    assert GameConfig.parse(dump, "game") == GameConfig.parse(other, "game")


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"stacks": [100]}, "game.stacks: found [100], wanted: list should have at least 2"),
        ({"stacks": [100, -5]}, "game.stacks: found [100, -5], wanted: at least 1 chip in every"),
        ({"stacks": [2**30, 2**30]}, "wanted: at most 2,147,483,647 chips in all"),
        ({"stacks": [1.5, 2]}, "game.stacks.0: found 1.5, wanted"),
        ({"blinds": [1]}, "game.blinds: found [1], wanted: one number for each of the 2 stacks"),
        ({"blinds": [1, -2]}, "game.blinds: found [1, -2], wanted: numbers of chips, 0 or more"),
        ({"antes": [1, 2]}, "game.antes: found [1, 2], wanted: the same ante in every seat"),
        ({"blinds": [0, 0]}, "game.antes: found [0, 0], wanted: an ante or a blind above 0"),
        ({"first": [2, 0]}, "game.first: found [2, 0], wanted: seat numbers from 0 to 1"),
        ({"first": [0]}, "wanted: 1 rounds, as many as first has seats, not 2"),
        ({"board_cards": 2}, "game.board_cards: found 2, wanted: input should be greater than"),
        ({"cards": "leduc", "board_cards": 3}, "found 3, wanted: no value: the key is hold'em's"),
        ({"stack": [1, 2]}, "game.stack: unknown key; did you mean 'stacks'?"),
    ],
)
def test_parse__impossible_games(change, expected, refused):
    with refused(expected):
        GameConfig.parse({**GOOD, **change}, "game")


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"sizes": [[0]]}, "game.rounds.0.sizes.0.0: found 0, wanted: a fraction of the pot above"),
        ({"sizes": [[-1.0]]}, "found -1.0, wanted: a fraction of the pot above 0"),
        ({"sizes": [[1e9]]}, "found 1000000000.0, wanted: a fraction of the pot above 0"),
        ({"sizes": [[float("nan")]]}, "found nan, wanted: input should be a finite number"),
        ({"sizes": [["all-in"]]}, "found 'all-in', wanted: a fraction of the pot above 0"),
        ({"sizes": [["0 chips"]]}, "found '0 chips', wanted: a fraction of the pot above 0"),
        ({"sizes": [[True]]}, "found True, wanted"),
        ({"sizes": []}, "game.rounds.0.sizes: found [], wanted: list should have at least 1"),
        ({"sizes": [[1 + k / 8 for k in range(15)]]}, "wanted: list should have at most 14 items"),
        ({"max_raises": 21}, "game.rounds.0.max_raises: found 21, wanted"),
        ({"max_players": 1}, "game.rounds.0.max_players: found 1, wanted"),
    ],
)
def test_parse__impossible_sizes(change, expected, refused):
    with refused(expected):
        GameConfig.parse({**GOOD, "rounds": [{**ROUND, **change}, ROUND]}, "game")
