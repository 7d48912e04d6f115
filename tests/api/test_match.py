"""Matches by the face: those of the commands, and each agent by settings of its own."""

import pytest

import sixmax as sx
from sixmax.evaluation.match.pairings import Pairing
from sixmax.evaluation.match.results import read_result
from sixmax.evaluation.match.stage import match as stage

QUICK = {"buckets": 0, "iterations": 200, "vector_iterations": [20, 20, 20, 200]}


@pytest.fixture(scope="module")
def opened(folder):
    return sx.open(folder)


def test_match__is_that_of_the_command(opened, folder, tmp_path):
    actual = sx.match(opened.agent("blueprint"), opened.agent("call"), deals=200, seed=3)
    stage(folder, Pairing("blueprint", "call"), 200, 3, 1, tmp_path / "out.json")
    expected = read_result(tmp_path / "out.json")
    assert actual == expected
    assert actual.count == 600
    assert actual.interval[0] < actual.mean < actual.interval[1]
    assert repr(actual).startswith("blueprint against copies of call: ")
    assert actual.to_dict()["mean"] == actual.mean


def test_match__by_hand(opened):
    searching = opened.agent("search", **QUICK)
    actual = sx.match(searching, opened.agent("call"), deals=2)
    assert actual.count == 6
    assert "search by settings" in actual.protocol.design


def test_match__by_hand_each_searches_by_its_own_settings(opened, monkeypatch):
    from sixmax.api import match as module

    taken = []
    plain = module.open_players
    monkeypatch.setattr(
        module,
        "open_players",
        lambda run, names, config: taken.append(config) or plain(run, names, config),
    )
    other = QUICK | {"iterations": 400}
    agents = opened.agent("search", **QUICK), opened.agent("search", **other)
    result = sx.match(*agents, deals=2)
    assert [config.iterations for config in taken] == [200, 400]
    assert " and " in result.protocol.design.rpartition("settings")[2]
    one = sx.match(agents[0], agents[0], deals=2).protocol
    assert one != result.protocol


def test_match__of_a_run_opened_twice_is_that_of_one(opened, folder):
    again = sx.open(folder)
    agents = opened.agent("blueprint"), again.agent("call")
    actual = sx.match(*agents, deals=50)
    assert actual == sx.match(agents[0], opened.agent("call"), deals=50)


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ({"deals": 1}, "deals: found 1, wanted a whole number, 2 or more"),
        ({"deals": "x"}, "deals: found 'x'"),
        ({"seed": -1}, "seed: found -1"),
        ({"seed": "x"}, "seed: found 'x'"),
        ({"a": "blueprint"}, "a: found 'blueprint', wanted an agent, as run.agent"),
        ({"aivat": True}, "values"),
    ],
)
def test_match__refuses(opened, arguments, expected):
    agent = opened.agent("call")
    with pytest.raises(sx.UserError, match=expected):
        sx.match(**{"a": agent, "b": agent, **arguments})
