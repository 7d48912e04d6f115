"""Best responses of a run's agents: the published values of uniform play, any number of players."""

import json
from pathlib import Path

import numpy as np
import pytest

from search.holdem import small_run
from sixmax.blueprint.run import Run
from sixmax.errors import UserError
from sixmax.evaluation import response
from sixmax.evaluation.response import respond, score
from sixmax.evaluation.stage import game_digest

# reference numbers, computed with OpenSpiel 2.0.2: NashConv of uniform play, in chips
UNIFORM = {"kuhn3": 2.0625, "leduc2": 4.7472222}


SETTINGS = {"ranks": 13, "game": {}, "abstraction": {}}


def run_of(game):
    return Run(
        Path("small"),
        {"settings": SETTINGS},
        1,
        13,
        game.config,
        None,
        game.tree,
        game.layout,
        game.dealer,
        None,
    )


@pytest.mark.parametrize("name", UNIFORM)
def test_score__uniform_play_as_published(name, request):
    run = run_of(request.getfixturevalue(name))
    found = score(run, np.zeros(run.layout.size, np.uint8))
    assert found.total == pytest.approx(UNIFORM[name], abs=1e-6)


def test_respond__figures_of_every_seat_beside_uniform(kuhn3, tmp_path, monkeypatch):
    run = run_of(kuhn3)
    policy = np.zeros(run.layout.size, np.uint8)
    policy[::2] = 255  # always the first of two actions: check, fold
    monkeypatch.setattr(response, "open_run", lambda folder: run)
    monkeypatch.setattr(Run, "policy", lambda self, name: policy)
    respond(tmp_path, "blueprint", tmp_path / "response.json")
    found = json.loads((tmp_path / "response.json").read_text())
    assert found["game"] == game_digest(SETTINGS)
    assert found["uniform"]["nash_conv"] == pytest.approx(2062.5)
    assert len(found["seats"]) == 3
    gains = [seat["gain"] for seat in found["seats"]]
    # everybody checks down and folds to a bet: a bet always wins the antes of the others, where
    # showing down wins them one time in three
    assert gains == pytest.approx([2000.0] * 3)
    assert found["nash_conv"] == pytest.approx(sum(gains))


def test_score__games_that_are_too_large():
    run, policy = small_run(2)
    with pytest.raises(UserError, match="4 rounds of hold'em are too many"):
        score(run, policy)
