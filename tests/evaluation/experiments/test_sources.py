"""Experiments hand by hand: players that search in any seats, and in more than one."""

import json

import numpy as np
import pytest
from click.testing import CliRunner

from evaluation.search_gain.test_duel import CONFIG
from evaluation.seated import Opened
from sixmax.agents import open_players
from sixmax.base.errors import UserError
from sixmax.cli.command import command
from sixmax.evaluation.experiments import stage
from sixmax.evaluation.experiments.experiment import ALONE, COPIES, GameIdentity, run
from sixmax.evaluation.experiments.sources import both_fold, by_hand
from sixmax.evaluation.experiments.stage import experiment
from sixmax.evaluation.search_gain.round_tree import fixed
from sixmax.search.config import SearchConfig, SearchSettings

GAME = GameIdentity(3, 100, "small")


@pytest.fixture
def opened(monkeypatch):
    """A run whose searches find the blueprint."""

    monkeypatch.setattr(
        open_players, "Searcher", lambda run, policy, *_, **options: fixed(run, policy)
    )
    return Opened()


def source_of(opened, kind, agent, participants, n=40):
    source, control = by_hand(opened, kind, agent, participants, CONFIG, 5)
    return source(0 if kind == COPIES else -1, 0, n), control


def test_by_hand__two_searchers_around_one_are_the_blueprints_around_one(opened):
    (searching, control), (plain, _) = (
        source_of(opened, COPIES, agent, ["call"]) for agent in ("search", "blueprint")
    )
    np.testing.assert_array_equal(searching.played.net, plain.played.net)
    np.testing.assert_array_equal(searching.played.control, plain.played.control)
    assert control == "search"
    assert (plain.played.net != plain.played.control).any()


def test_by_hand__one_among_searchers(opened):
    (searching, control), (plain, _) = (
        source_of(opened, ALONE, "random", [other]) for other in ("search", "blueprint")
    )
    np.testing.assert_array_equal(searching.played.net, plain.played.net)
    assert control == "search"
    net, beside, alike, *_ = searching.played
    np.testing.assert_array_equal(net[alike][:, 0], beside[alike][:, 0])  # zero by themselves
    assert searching.played.alike.any()
    assert not searching.played.alike.all()


def test_by_hand__a_searcher_among_other_participants(opened):
    table, control = source_of(opened, ALONE, "blueprint", ["search", "call", "random"])
    assert control == "blueprint"
    assert set(table.others.ravel()) == {0, 1, 2}
    np.testing.assert_allclose(table.played.net.sum(axis=2), 0)
    # a player that finds the blueprint by search wins as much as the Control in its seat, in all
    result = run(
        ALONE, ("blueprint", ("search", "call", "random"), control),
        by_hand(opened, ALONE, "blueprint", ["search", "call", "random"], CONFIG, 5)[0],
        GAME, 60, 10, 1,
    )  # fmt: skip
    assert [each.a for each in result.each] == ["search", "call", "random"]
    assert all(each.hands > 10 for each in result.each)


def test_both_fold__after_the_same_actions_only(opened):
    table, _ = source_of(opened, ALONE, "search", ["blueprint"], 60)
    np.testing.assert_array_equal(table.played.net, table.played.control)  # it finds the blueprint
    assert 0 < table.played.alike.mean() < 1
    assert (table.played.net[table.played.alike][:, 0] <= 0).all()
    first = ((0, -1), (1, 0))
    one = type("Hand", (), {"actions": (first,)})
    other = type("Hand", (), {"actions": (((0, 300), (1, -1)),)})
    assert both_fold(one, one, 0)
    assert not both_fold(one, one, 1)
    assert not both_fold(one, other, 0)


def test_experiment__search_alone_is_by_hand_and_says_its_settings(opened, tmp_path, monkeypatch):
    opened.run = opened.run._replace(
        identity={"settings": {"ranks": 6, "game": {}, "abstraction": {}}}
    )
    monkeypatch.setattr(stage, "open_run", lambda folder: opened)
    out, given = tmp_path / "x.json", ["--config", '{"buckets": 7}', "--setting", "fast"]
    done = CliRunner().invoke(
        command("experiment", experiment),
        ["alone", "--run", str(tmp_path), "--agent", "search", "--participants", "blueprint",
         "--deals", "8", "--seed", "1", "--out", str(out), *given],
    )  # fmt: skip
    assert done.exit_code == 0, done.output
    record = json.loads(out.read_text())
    assert (record["setting"], record["config"]["buckets"]) == ("fast", 0)
    assert [row["hands"] for row in record["scores"]] == [6, 6]
    assert [row["a"] for row in record["each"]] == ["blueprint"]


def test_experiment__search_is_not_scored_by_aivat(opened, tmp_path, monkeypatch):
    run = opened.run._replace(identity={"settings": {"ranks": 6, "game": {}, "abstraction": {}}})
    monkeypatch.setattr(stage, "open_run", lambda folder: run)
    with pytest.raises(UserError, match="AIVAT is for agents of tables"):
        experiment(
            tmp_path, COPIES, "search", ["call"], 10, 5, 1, 1, tmp_path / "x.json",
            SearchSettings(SearchConfig()), tmp_path, 10,
        )  # fmt: skip
