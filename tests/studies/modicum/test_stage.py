"""The stages by files: equilibrium, values, answers; stores that do not belong together."""

import json

import pytest

from sixmax.base.errors import UserError
from sixmax.studies.modicum.stage import AnswerAsked, answer_bet, leaf_values, solve_flops
from studies.modicum.small import SMALL

SETTINGS = SMALL.model_copy(update={"flops": 1})


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """One flop of the whole deck, a few iterations."""
    at = tmp_path_factory.mktemp("modicum")
    for name, bet in (("without", 0.0), ("with", 0.75)):
        solve_flops(SETTINGS, 1, bet, 8, 0.001, 1, at / f"{name}.zarr")
    for name, maker in (("without", "self"), ("with", "own")):
        leaf_values(at / f"{name}.zarr", maker, 2, 20, 10.0, True, 1, at / f"{maker}.zarr")
    return at


def measured(folder, answer, store="without", values=None, number=1):
    out = folder / f"{answer}-{number}.json"
    values = folder / f"{values}.zarr" if values else None
    asked = AnswerAsked(answer, values, (number,) if values else (), 20, 8)
    answer_bet(folder / f"{store}.zarr", asked, 0.75, 1, out)
    record = json.loads(out.read_text())
    ((name, cell),) = record["answers"].items()
    return record | cell | {"answer": name}


def test_answer_bet__wins_at_least_the_value(folder):
    cells = [
        measured(folder, "in-abstraction", "with"),
        measured(folder, "translation"),
        measured(folder, "to-the-end"),
        measured(folder, "self", values="self", number=2),
        measured(folder, "own", values="own", number=1),
        measured(folder, "alone", values="self", number=2),
    ]
    assert [c["answer"] for c in cells] == [
        "in-abstraction", "translation", "to-the-end", "self-2", "own-1",
        "alone-2",
    ]  # fmt: skip
    for cell in cells:
        assert cell["least"] <= cell["value"] <= cell["wins"]
        assert cell["nodes"] == cells[0]["nodes"]
        assert cell["flops"] == 1


def test_answer_bet__of_several_numbers_gives_the_answer_of_each(folder):
    expected = [measured(folder, "alone", values="self", number=number) for number in (1, 2)]
    asked, out = AnswerAsked("alone", folder / "self.zarr", (1, 2), 20, 8), folder / "alone.json"
    answer_bet(folder / "without.zarr", asked, 0.75, 1, out)
    actual = json.loads(out.read_text())["answers"]
    assert list(actual) == ["alone-1", "alone-2"]
    for cell, alone in zip(actual.values(), expected, strict=True):
        assert cell == {key: alone[key] for key in ("wins", "least", "value")}


def test_answer_bet__refuses_more_values_than_there_are(folder):
    with pytest.raises(UserError, match="2 values a leaf, wanted 3"):
        measured(folder, "self", values="self", number=3)


def test_answer_bet__refuses_a_number_where_nothing_has_values(folder):
    asked = AnswerAsked("translation", None, (8,), 20, 8)
    with pytest.raises(UserError, match="translation takes no --values and no --number"):
        answer_bet(folder / "without.zarr", asked, 0.75, 1, folder / "x.json")


def test_answer_bet__refuses_values_of_another_maker(folder):
    with pytest.raises(UserError, match="maker self, wanted bias"):
        measured(folder, "bias", values="self", number=2)


@pytest.mark.parametrize(("store", "maker"), [("with", "self"), ("without", "own")])
def test_leaf_values__refuses_the_other_equilibrium(folder, store, maker):
    with pytest.raises(UserError, match=rf"{store}\.zarr: an equilibrium {store} the bet; {maker}"):
        leaf_values(folder / f"{store}.zarr", maker, 1, 1, 10.0, True, 1, folder / "x.zarr")


def test_answer_bet__refuses_a_bet_that_the_game_has(folder):
    with pytest.raises(UserError, match="no bet that"):
        answer_bet(folder / "without.zarr", AnswerAsked("translation"), 1.0, 1, folder / "x.json")
