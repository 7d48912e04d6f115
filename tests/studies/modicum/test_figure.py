"""The figure: cells gathered, checks that fall with their numbers, config mistakes."""

import json
import re
from pathlib import Path

import pytest
import yaml

from sixmax.base.errors import UserError
from sixmax.report.pages.papers import modicum_page
from sixmax.studies.checks import missed
from sixmax.studies.modicum.config import FigureConfig, equilibrium_of, words
from sixmax.studies.modicum.figure import checks, gather

FILE = Path(__file__).parents[3] / "config" / "tables" / "modicum.yaml"
FIRST = yaml.safe_load(FILE.read_text())["games"]["four-flops"]
GOES_ON = FIRST["game"] | {"turn": [[1]]}
LOST = {
    "translation": 10.0, "to-the-end": 0.9, "in-abstraction": 1.0,
    "self-1": 11.0, **{f"self-{n}": 5.2 - 0.25 * n for n in range(2, 17)},
    "alone-1": 12.0, **{f"alone-{n}": 8.0 - 0.25 * n for n in range(2, 17)},
    "bias-1": 11.0, "bias-2": 5.0, "bias-4": 2.0, "own-1": 3.0, "own-4": 1.5,
}  # fmt: skip


def settings(**changes):
    """The config of the repository, with its first game alone; ``game`` changes keys of that."""
    values = yaml.safe_load(FILE.read_text()) | {"open": []}
    games = {"four-flops": FIRST | changes.pop("game", {})}
    return FigureConfig.parse(values | {"games": games} | changes, "modicum.yaml")


def row(name="four-flops", equilibrium=0.7, **changes):
    return {"game": name, "equilibrium": equilibrium, "exploitability": LOST | changes}


def failed(**changes):
    return [c["name"] for c in checks(settings(), [row(**changes)]) if not c["passed"]]


def test_checks__hold_for_numbers_like_those_of_the_paper():
    assert failed() == []
    assert len(checks(settings(), [row()])) == 12


@pytest.mark.parametrize(
    ("changes", "claim"),
    [
        ({"self-1": 9.0}, "one value is worse than translation (self)"),
        ({"bias-1": 9.9}, "one value is worse than translation (bias)"),
        ({"self-4": 10.2}, "two values and more are better (self)"),
        ({"bias-2": 10.1}, "two values and more are better (bias)"),
        ({"own-4": 2.4}, "more values of the bet's own leaves are better"),
        ({"alone-1": 10.6}, "one value is worse than translation (alone)"),
        ({"alone-3": 9.9}, "two values and more are better (alone)"),
        (
            {"self-16": 1.26},
            "self-16 loses at most 1.25 times as much as the in-abstraction answer",
        ),
        (
            {"self-1": 12.0, "bias-1": 12.0, "equilibrium": 1.1},
            "the equilibrium without the bet is below 1 mbb/hand",
        ),
        # Beside translation only more than the equilibrium loses counts.
        ({"self-1": 10.4, "equilibrium": 0.3}, None),
        ({"self-1": 10.4, "equilibrium": 0.5}, "one value is worse than translation (self)"),
        ({"bias-1": 10.4, "equilibrium": 0.3}, None),
        ({"bias-1": 10.4, "equilibrium": 0.5}, "one value is worse than translation (bias)"),
        ({"self-2": 9.6, "equilibrium": 0.3}, None),
        ({"self-2": 9.6, "equilibrium": 0.5}, "two values and more are better (self)"),
        ({"bias-4": 9.6, "equilibrium": 0.3}, None),
        ({"bias-4": 9.6, "equilibrium": 0.5}, "two values and more are better (bias)"),
    ],
)
def test_checks__fail_with_their_number(changes, claim):
    assert failed(**changes) == [f"four-flops: {claim}"] * (claim is not None)


def test_checks__two_values_are_better_than_one():
    """By more than the equilibrium loses."""
    one = {"self-1": 7.7, "self-2": 7.1}
    assert "four-flops: two values and more are better than one (self)" in failed(**one)
    assert not any("than one (self)" in name for name in failed(**one | {"self-1": 7.9}))


def two_games():
    return settings(games={"four-flops": FIRST, "few": FIRST | {"values": {"self": [1, 4]}}})


def test_checks__are_of_each_game():
    lost = {name: LOST[name] for name in two_games().games["few"].answers()} | {"self-4": 11.5}
    rows = [row(), {"game": "few", "equilibrium": 0.7, "exploitability": lost}]
    failing = [check["name"] for check in checks(two_games(), rows) if not check["passed"]]
    assert failing == [
        "few: two values and more are better (self)",
        "few: two values and more are better than one (self)",
        "few: self-4 loses at most 1.25 times as much as the in-abstraction answer",
        "few: self-4 loses at most 2 times as much as the in-abstraction answer",
    ]


def gathered(folder, chosen, **changes):
    for game, each in chosen.games.items():
        for name in each.files():
            answers = [a for a in each.answers() if a == name or a.rpartition("-")[0] == name]
            cells = {a: {"wins": 80 + (LOST | changes)[a], "least": 79.5} for a in answers}
            record = {
                "answers": {a: cell | {"value": 80.0} for a, cell in cells.items()},
                "equilibrium": 0.7, "nodes": 1082, "flops": 12,
            }  # fmt: skip
            (folder / game).mkdir(exist_ok=True)
            (folder / game / f"{name}.json").write_text(json.dumps(record))
    return gather(chosen, folder, folder / "tables.json")


def test_gather__measures_from_the_value_of_the_game_with_the_bet(tmp_path):
    record = gathered(tmp_path, settings())
    assert record["rows"][0]["exploitability"] == pytest.approx(LOST)
    assert record["rows"][0]["bracket"] == [79.5, 81.0]
    assert missed(tmp_path / "tables.json") == ([], "all 12 checks hold")
    page = modicum_page(record)
    assert page.count("<strong>holds</strong>") == 12
    assert "self-16" in page
    assert "<svg" in page


def test_page__has_a_panel_and_a_row_for_each_game(tmp_path):
    record = gathered(tmp_path, two_games())
    page = modicum_page(record)
    assert page.count("<strong>holds</strong>") == 16  # self-4 is not near
    assert "four flops: 12 flops" in page
    assert "few: 12 flops" in page
    (short,) = re.findall(r"<tr><th>few</th>.*", page)
    assert short.count("<td></td>") == len(LOST) - len(two_games().games["few"].answers())
    assert "<td>4.20</td>" in short


def test_open__checks_are_known_to_fail_and_must(tmp_path):
    one, near = (
        "four-flops: one value is worse than translation (self)",
        "four-flops: two values and more are better (self)",
    )
    record = gathered(tmp_path, settings(open=[one]), **{"self-1": 9.0})
    lines, count = missed(tmp_path / "tables.json")
    assert lines == []
    assert count.startswith("11 of 12 checks hold; not shown, as known: four-flops: one")
    assert modicum_page(record).count("<strong>not shown, as known</strong>") == 1
    gathered(tmp_path, settings(open=[one]))
    assert missed(tmp_path / "tables.json")[0] == [
        f"{one}: it holds now; take it out of `open` in the config"
    ]
    gathered(tmp_path, settings(open=[one]), **{"self-1": 10.3, "self-2": 9.5})
    lines, _ = missed(tmp_path / "tables.json")
    assert [line.startswith(near) for line in lines] == [True]
    with pytest.raises(
        UserError, match="open: 'Two values' is no check; there are four-flops: the equil"
    ):
        gathered(tmp_path, settings(open=["Two values"]))


def test_open__checks_of_the_config_are_some():
    names = yaml.safe_load(FILE.read_text())["open"]
    chosen = FigureConfig.read(FILE)
    rows = [row(name) for name in chosen.games]
    assert set(names) < {check["name"] for check in checks(chosen, rows)}


def test_cells__are_each_answer_of_each_game():
    chosen = FigureConfig.read(FILE)
    cells = chosen.cells()
    assert len(cells) == len(set(cells)) == sum(len(g.files()) for g in chosen.games.values())
    assert {"four-flops/own", "four-others/translation", "all-flops/self"} < set(cells)
    assert "all-flops/own" not in cells
    assert {f"alone-{n}" for n in range(1, 17)} < set(chosen.games["four-more"].answers())
    assert "self-3" not in chosen.games["all-flops"].answers()


def test_gather__refuses_a_file_that_lacks_an_answer(tmp_path):
    gathered(tmp_path, settings(game={"values": FIRST["values"] | {"self": [1, 2]}}, open=[]))
    with pytest.raises(UserError, match=r"self-3.*sixmax stage answer-bet"):
        gather(settings(), tmp_path, tmp_path / "tables.json")
    for cells in ({"self-1": {}}, ["self-1"]):
        gathered(tmp_path, settings())
        file = tmp_path / "four-flops" / "self.json"
        file.write_text(json.dumps(json.loads(file.read_text()) | {"answers": cells}))
        with pytest.raises(UserError, match=r"self\.json: .*answers"):
            gather(settings(), tmp_path, tmp_path / "tables.json")


def test_words__of_an_answer():
    of = FigureConfig.read(FILE).games["all-flops"]
    assert words("to-the-end", of, "1") == ["to-the-end"]
    assert words("alone", of, "1") == [
        "alone", "--values", "1/self.zarr", "--number", "1", "--number", "2", "--number", "4",
    ]  # fmt: skip


def test_equilibrium__has_the_bet_for_its_own_values_and_in_the_abstraction_alone():
    """The answer by the values ``own`` begins with the equilibrium that lacks the bet."""
    for maker in ("self", "bias", "own"):
        expected = f"1/{'with' if maker == 'own' else 'without'}-bet.zarr"
        assert equilibrium_of("1", maker=maker) == expected
    for answer in ("translation", "to-the-end", "in-abstraction", "self", "alone", "bias", "own"):
        expected = f"1/{'with' if answer == 'in-abstraction' else 'without'}-bet.zarr"
        assert equilibrium_of("1", answer=answer) == expected


@pytest.mark.parametrize(
    ("changes", "wanted"),
    [
        ({"game": {"values": {"bias": [5]}}}, "at most 4"),
        ({"game": {"values": {"self": [17]}}}, "less than or equal to 16"),
        ({"game": {"values": {"self": [4, 2]}}}, "numbers ascend"),
        ({"game": {"values": {"lean": [1]}}}, "'self', 'alone', 'bias' or 'own'"),
        ({"games": {}}, "at least 1 item"),
        ({"games": {"logs": FIRST}}, "a folder"),
        ({"bet": 100.0}, "a raise that is not all-in"),
        ({"factor": 1.0}, "greater than 1"),
        ({"game": {"game": GOES_ON}}, "wanted one that ends on the flop"),
    ],
)
def test_config__refuses_in_one_line(changes, wanted):
    with pytest.raises(UserError) as caught:
        settings(**changes)
    assert wanted in str(caught.value)
    assert "\n" not in str(caught.value)
    assert "config/tables/modicum.yaml" in str(caught.value)
