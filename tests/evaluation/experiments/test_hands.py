"""Hands of experiments and their command: tables, and players that search in any seats."""

import json

import numpy as np
import pytest

from commands import called
from evaluation.search_gain.fakes import CONFIG
from evaluation.seated import Opened
from sixmax.agents import open_players
from sixmax.agents.registry import open_agents
from sixmax.base.errors import UserError
from sixmax.cli.command import command
from sixmax.evaluation.aivat import scored_match, values_estimate
from sixmax.evaluation.experiments import experiment, hands
from sixmax.evaluation.experiments.experiment import ALONE, COPIES, Setup, measure
from sixmax.evaluation.search_gain.round_tree import fixed
from sixmax.search.config import SearchConfig, SearchSettings


@pytest.fixture
def opened(monkeypatch):
    """A run whose searches find the blueprint."""

    monkeypatch.setattr(
        open_players, "Searcher", lambda run, policy, *_, **options: fixed(run, policy)
    )
    return Opened()


def source_of(opened, kind, agent, participants, scored=None, searches=True):
    """The source, the Control's name, and a function of deals that plays the experiment."""
    setup = Setup(kind, agent, tuple(participants), 3, 100, "small")
    if searches:
        source = hands.by_hand(opened, setup, 5, CONFIG)
    else:
        source = hands.tables(opened, setup, 5, scored)
    return source, setup.names[setup.control], lambda deals: measure(setup, source, deals, 10, 5)


def test_by_hand__two_searchers_around_one_are_the_blueprints_around_one(opened):
    (searching, control, _), (plain, *_) = (
        source_of(opened, COPIES, agent, ["call"]) for agent in ("search", "blueprint")
    )
    searching, plain = searching(0, 0, 40).played, plain(0, 0, 40).played
    np.testing.assert_array_equal(searching.net, plain.net)
    np.testing.assert_array_equal(searching.control, plain.control)
    assert control == "search"
    assert (plain.net != plain.control).any()


def test_by_hand__one_among_searchers(opened):
    (searching, control, _), (plain, *_) = (
        source_of(opened, ALONE, "random", [other]) for other in ("search", "blueprint")
    )
    net, beside, alike, *_ = searching(-1, 0, 40).played
    np.testing.assert_array_equal(net, plain(-1, 0, 40).played.net)
    assert control == "search"
    np.testing.assert_array_equal(net[alike][:, 0], beside[alike][:, 0])  # zero by themselves
    assert alike.any()
    assert not alike.all()


def test_by_hand__a_searcher_among_other_participants(opened):
    source, control, played = source_of(opened, ALONE, "blueprint", ["search", "call", "random"])
    table = source(-1, 0, 40)
    assert control == "blueprint"
    assert set(table.others.ravel()) == {0, 1, 2}
    np.testing.assert_allclose(table.played.net.sum(axis=2), 0)
    # a player that finds the blueprint by search wins as much as the Control in its seat, in all
    result = played(60)
    assert [each.a for each in result.each] == ["search", "call", "random"]
    assert all(each.hands > 10 for each in result.each)


def test_both_fold__after_the_same_actions_only(opened):
    table = source_of(opened, ALONE, "search", ["blueprint"])[0](-1, 0, 60)
    np.testing.assert_array_equal(table.played.net, table.played.control)  # it finds the blueprint
    assert 0 < table.played.alike.mean() < 1
    assert (table.played.net[table.played.alike][:, 0] <= 0).all()
    one = type("Hand", (), {"actions": (((0, -1), (1, 0)),)})
    other = type("Hand", (), {"actions": (((0, 300), (1, -1)),)})
    assert hands.both_fold(one, one, 0)
    assert not hands.both_fold(one, one, 1)
    assert not hands.both_fold(one, other, 0)


@pytest.mark.parametrize("kind", [ALONE, COPIES])
def test_to_json__read_back(opened, tmp_path, kind):
    result = source_of(opened, kind, "blueprint", ["random", "call"], searches=False)[2](600)
    path = tmp_path / "x.json"
    path.write_text(json.dumps(experiment.to_json(result)))
    assert experiment.read_experiment(path) == result
    for score in result.scores:
        assert score.name in hands.text(result)
    row = json.loads(path.read_text())["scores"][-1]
    assert row["interval"][0] < row["mean"] < row["interval"][1]
    assert row["protocol"]["unit"] == "mbb/game"
    assert row["course"][-1] == list(row["sums"]["deals"].values())


@pytest.mark.parametrize("broken", ["", "{", "[]", "{}", '{"experiment": "alone", "scores": []}'])
def test_read_experiment__not_one(tmp_path, broken):
    (tmp_path / "x.json").write_text(broken)
    with pytest.raises(
        UserError, match=r"x\.json: (not an experiment|damaged: it is not JSON)"
    ) as caught:
        experiment.read_experiment(tmp_path / "x.json")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("kind", "participants", "expected"),
    [
        (COPIES, ["random", "call"], "blueprint"),
        (ALONE, ["random"], "random"),
        (ALONE, ["random", "call"], "blueprint"),
    ],
)
def test_control__is_who_surrounds_the_one_that_is_measured(kind, participants, expected):
    setup = Setup(kind, "blueprint", tuple(participants), 3, 1, "")
    assert setup.names[setup.control] == expected


@pytest.mark.parametrize("kind", [ALONE, COPIES])
def test_tables__copies_of_the_agent_lose_nothing_to_it(opened, kind):
    result = source_of(opened, kind, "blueprint", ["blueprint"], searches=False)[2](600)
    for score in result.scores[1:]:
        assert score.result.deals.square == pytest.approx(0, abs=1e-12)
    assert result.scores[0].result.deals.square > 0


@pytest.mark.parametrize("kind", [ALONE, COPIES])
def test_tables__aivat_scores_the_hands_that_were_played(opened, monkeypatch, kind):
    """Its first column is what was won, so both are of the same hands, at mixed tables too."""
    game, (player,) = open_agents(opened, ["blueprint"])
    values = values_estimate.estimate(opened.game, game, opened.dealer, player, 2000, 1)
    asked = []

    def noted(*arguments, **options):
        asked.append(scored_match.columns(*arguments, **options))
        return asked[-1]

    monkeypatch.setattr(hands, "columns", noted)
    scored = hands.Scored(values, 45)
    source, *_ = source_of(opened, kind, "blueprint", ["call", "random"], scored, searches=False)
    for first, n, expected in ((0, 30, 30), (30, 30, 15), (60, 30, 0)):
        asked.clear()
        table = source(1 if kind == COPIES else -1, first, n)
        (chips,) = table.more.values()
        assert chips.size == expected
        won = [table.played.net] + [table.played.control] * (kind == COPIES)
        assert len(asked) == (len(won) if expected else 0)
        for result, net in zip(asked, won, strict=False):
            np.testing.assert_allclose(result[..., 0], net[:expected, :, 0], atol=1e-6)


def test_lineups__everybody_alike_and_nobody_twice():
    result = hands.lineups(3, 0, 20_000, 7, 6)
    assert (result[:, 0] == 0).all()
    others = result[:, 1:]
    assert all(len(set(row)) == 5 for row in others[:200].tolist())
    for place in range(5):
        share = np.bincount(others[:, place], minlength=8)[1:] / 20_000
        np.testing.assert_allclose(share, 1 / 7, atol=0.012)
    few = hands.lineups(3, 0, 1000, 2, 6)[:, 1:]
    assert {tuple(sorted(np.bincount(row, minlength=3)[1:].tolist())) for row in few} == {(2, 3)}
    np.testing.assert_array_equal(hands.lineups(3, 500, 100, 7, 6), result[500:600])


@pytest.fixture
def folder(opened, tmp_path, monkeypatch):
    """A folder whose run is ``opened``."""
    monkeypatch.setattr(hands, "open_run", lambda folder: opened)
    return tmp_path


def test_experiment__search_alone_is_by_hand_and_says_its_settings(folder):
    out, given = folder / "x.json", ["--config", '{"buckets": 7}', "--setting", "fast"]
    words = ["--agent", "search", "--participants", "blueprint", "--deals", 8, "--seed", 1, *given]
    of = command("experiment", hands.experiment)
    called("alone", "--run", folder, "--out", out, *words, on=of)
    record = json.loads(out.read_text())
    assert (record["setting"], record["config"]["buckets"]) == ("fast", 0)
    assert [row["hands"] for row in record["scores"]] == [6, 6]
    assert [row["a"] for row in record["each"]] == ["blueprint"]


@pytest.mark.parametrize(
    ("agent", "participants", "deals", "aivat", "message"),
    [
        ("search", ["call"], 10, 10, "AIVAT is for agents of tables"),
        ("blueprint", ["call", "random"], 5, 0, "5 deals, wanted at least 6"),
    ],
)
def test_experiment__refuses_in_one_line(
    folder, agent, participants, deals, aivat, message, refused
):
    with refused(message):
        hands.experiment(
            folder, COPIES, agent, participants, deals, 5, 1, 1, folder / "x.json",
            SearchSettings(SearchConfig()), folder if aivat else None, aivat,
        )  # fmt: skip
