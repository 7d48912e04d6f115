"""The stage on a small hold'em run, its tables and its searching agent."""

import json

import numpy as np
import pytest

from evaluation.seated import Opened
from sixmax.agents.registry import open_agents
from sixmax.base.errors import UserError
from sixmax.evaluation.aivat.scored_match import columns
from sixmax.evaluation.aivat.values_estimate import estimate
from sixmax.evaluation.experiments import sources as sources
from sixmax.evaluation.experiments import stage
from sixmax.evaluation.experiments.experiment import ALONE, COPIES, GameIdentity, run
from sixmax.evaluation.experiments.stage import read_experiment, text, to_json
from sixmax.search.config import SearchConfig, SearchSettings

GAME = GameIdentity(3, 100, "small")


@pytest.fixture(scope="module")
def opened():
    return Opened()


def tables(opened, kind, participants, deals=600):
    source, copied = sources.tables(opened, kind, "blueprint", participants, 1)
    names = ("blueprint", tuple(participants), copied)
    return run(kind, names, source, GAME, deals, 10, 1)


@pytest.mark.parametrize("kind", [ALONE, COPIES])
def test_to_json__read_back(opened, tmp_path, kind):
    result = tables(opened, kind, ["random", "call"])
    path = tmp_path / "x.json"
    path.write_text(json.dumps(to_json(result)))
    assert read_experiment(path) == result
    for score in result.scores:
        assert score.name in text(result)
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
        read_experiment(tmp_path / "x.json")
    assert "\n" not in str(caught.value)


def test_tables__the_control_is_who_surrounds_the_one_that_is_measured(opened):
    assert sources.tables(opened, COPIES, "blueprint", ["random", "call"], 1)[1] == "blueprint"
    assert sources.tables(opened, ALONE, "blueprint", ["random"], 1)[1] == "random"
    assert sources.tables(opened, ALONE, "blueprint", ["random", "call"], 1)[1] == "blueprint"


def test_tables__copies_of_the_agent_lose_nothing_to_it(opened):
    for kind in (ALONE, COPIES):
        result = tables(opened, kind, ["blueprint"])
        for score in result.scores[1:]:
            assert score.result.deals.square == pytest.approx(0, abs=1e-12)
        assert result.scores[0].result.deals.square > 0


@pytest.mark.parametrize("kind", [ALONE, COPIES])
def test_tables__aivat_scores_the_hands_that_were_played(opened, monkeypatch, kind):
    """Its first column is what was won, so both are of the same hands, at mixed tables too."""
    game, (player,) = open_agents(opened, ["blueprint"])
    values = estimate(opened.game, game, opened.dealer, player, 2000, 1)
    asked = []

    def noted(*arguments, **options):
        asked.append(columns(*arguments, **options))
        return asked[-1]

    monkeypatch.setattr(sources, "columns", noted)
    scored = sources.Scored(values, 45)
    source, _ = sources.tables(opened, kind, "blueprint", ["call", "random"], 1, scored)
    for first, n, expected in ((0, 30, 30), (30, 30, 15), (60, 30, 0)):
        asked.clear()
        table = source(1 if kind == COPIES else -1, first, n)
        (chips,) = table.more.values()
        assert chips.size == expected
        won = [table.played.net] + [table.played.control] * (kind == COPIES)
        assert len(asked) == (len(won) if expected else 0)
        for result, net in zip(asked, won, strict=False):
            np.testing.assert_allclose(result[..., 0], net[:expected, :, 0], atol=1e-6)


def test_experiment__too_few_deals_in_one_line(opened, tmp_path, monkeypatch):
    monkeypatch.setattr(stage, "open_run", lambda folder: opened)
    with pytest.raises(UserError, match="5 deals, wanted at least 6") as caught:
        stage.experiment(
            tmp_path, COPIES, "blueprint", ["call", "random"], 5, 5, 1, 1, tmp_path / "x.json",
            SearchSettings(SearchConfig()),
        )  # fmt: skip
    assert "\n" not in str(caught.value)
