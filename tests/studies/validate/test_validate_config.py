"""The files of config/validate: read, checked, and refused with one line."""

from pathlib import Path

import pytest

from sixmax.base.errors import UserError
from sixmax.games import GAMES, two_round_holdem
from sixmax.studies.validate.config import POOR, SAMPLED, SEARCH, MethodSettings, load

ANSWERS = [answer for game in GAMES.values() for answer in game.answers()]

SHIPPED = Path(__file__).parents[3] / "config" / "validate"
# Of later variants a file shows those that it names.
FULL_WIDTH = ("cfr", "cfr+", "linear", "dcfr")
GOOD = "game: kuhn\nseats: 2\nmethods:\n  cfr: { iterations: 100 }\n"


def write(folder, text, name="kuhn.yaml"):
    (folder / name).write_text(text)
    return folder


def test_load__the_games_that_are_shipped():
    games = load(SHIPPED)
    small, searched = {"kuhn", "kuhn3", "leduc", "leduc3"}, {"leduc", "reduced", "rps"}
    assert set(games) == {*small, *searched, "river", *two_round_holdem.NAMES}
    for name, game in games.items():
        assert game.name == name
        wanted = set(FULL_WIDTH + SAMPLED if name in small else SEARCH if name in searched else ())
        wanted |= {"blueprint"} if game.game in two_round_holdem.NAMES else set()
        assert wanted <= set(game.methods), name


def test_load__search_is_on_top_of_the_blueprint_that_is_shown():
    for name, game in load(SHIPPED).items():
        if "coarse" in game.methods:
            assert game.methods["coarse"] == POOR, name


def test_load__every_answer_is_measured_by_what_is_shipped():
    games = load(SHIPPED)
    asked = [a for a in ANSWERS if a.method != "uniform"]
    assert len(asked) > 50
    for answer in asked:
        assert answer.iterations in games[answer.game].methods[answer.method].checkpoints(), answer


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (GOOD.replace("kuhn", "chess"), "kuhn.yaml.game: found 'chess', wanted"),
        (GOOD.replace("seats", "seat"), "kuhn.yaml.seat: unknown key; did you mean 'seats'"),
        (GOOD.replace("2", "3"), "describes kuhn3; call the file kuhn3.yaml"),
        (GOOD.replace("100 }", "100, seeds: 3 }"), "for cfr, which samples nothing, iterations"),
        (GOOD.replace("cfr:", "mccfr:").replace("100 }", "100, batch: 30 }"), "multiples of batch"),
        (GOOD.replace("cfr:", "mccfr:").replace("100 }", "9000000 }"), "at most 1,800,000"),
        (GOOD.replace("kuhn", "flop"), "mccfr, blueprint, libratus for flop, not cfr"),
        (
            GOOD.replace("kuhn", "flop").replace("2", "3").replace("cfr", "mccfr"),
            "seats: 2 for flop",
        ),
        (GOOD.replace("kuhn", "rps"), "search1, search4 for rps, not cfr"),
        (GOOD.replace("cfr", "search4"), "for kuhn, not search4"),
        (GOOD.replace("kuhn", "leduc").replace("cfr", "coarse").replace("2", "3"), "seats: 2"),
        (GOOD.replace("cfr:", "vcfr:"), "kuhn.yaml.methods.vcfr"),
        ("game: [", "cannot be read as YAML"),
    ],
)
def test_load__mistakes_are_one_line_that_names_the_file(tmp_path, text, expected):
    with pytest.raises(UserError, match=r"^[^\n]*kuhn\.yaml[^\n]*$") as caught:
        load(write(tmp_path, text))
    assert expected in str(caught.value)
    assert "config/default.yaml" not in str(caught.value)


def test_load__a_folder_without_games(tmp_path):
    with pytest.raises(UserError, match="found no game"):
        load(tmp_path)


@pytest.mark.parametrize(
    ("iterations", "batch", "expected"),
    [(1000, 1, [1, 3, 10, 30, 100, 300, 1000]), (500, 50, [100, 300, 500]), (10, 1, [1, 3, 10])],
)
def test_checkpoints__are_even_in_the_logarithm_and_end_a_batch(iterations, batch, expected):
    settings = MethodSettings(iterations=iterations, batch=batch)
    assert settings.checkpoints() == expected
