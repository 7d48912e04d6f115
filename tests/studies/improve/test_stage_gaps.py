"""Gaps by the command, from the logs of whole hands."""

import json

import pytest

from sixmax.base.errors import UserError
from sixmax.blueprint.improved import improvement
from sixmax.studies.improve.stage import improve
from studies.improve.small import POTS, RAISE, command


def test_gaps__of_the_hands_against_an_opponent_that_bets_a_missing_size(trained, tmp_path):
    """A log of whole hands, from the opponent to the score, by the commands."""
    log, out = tmp_path / "hands.log", tmp_path / "gaps.json"
    run = ("--run", trained.folder)
    command("table", "blueprint", f"raises-{POTS}", *run, "--deals", 40, "--seed", 1, "--log", log)
    command("gaps", log, *run, "--player", "blueprint", "--out", out)
    result = json.loads(out.read_text())
    assert (result["hands"], result["run"]) == (80, trained.identity["digest"])
    assert result["bets"] > 20
    assert result["gaps"] == []  # the pot is the largest size first in: nothing lies above it
    assert ([], RAISE) in [(bet["path"], bet["raise_to"]) for bet in result["sizes"]]
    command("improve", out, *run, "--type", 1, "--iterations", 400, "--seed", 1, "--into",
            tmp_path / "better")  # fmt: skip
    (bet,) = improvement(tmp_path / "better")["bets"]
    assert bet["raise_to"] == result["sizes"][0]["raise_to"]


def test_gaps__of_a_player_whom_no_hand_has_name_those_there_are(trained, tmp_path):
    log, out = tmp_path / "hands.log", tmp_path / "gaps.json"
    run = ("--run", trained.folder)
    command("table", "blueprint", f"raises-{POTS}", *run, "--deals", 2, "--seed", 1, "--log", log)
    with pytest.raises(UserError, match=r"player 'bluprint': not in these hands.*blueprint"):
        command("gaps", log, *run, "--player", "bluprint", "--out", out)
    assert not out.exists()


def test_gaps__foreign_files_are_refused_in_one_line(trained, tmp_path):
    log = tmp_path / "six.log"
    log.write_text("STATE:1:fff:AsKs|QdQc|2c2d|3c3d:1|2|3|4:a|b|c|d\n")
    with pytest.raises(UserError) as error:
        command("gaps", log, "--run", trained.folder, "--out", tmp_path / "gaps.json")
    assert "\n" not in str(error.value)
    assert not (tmp_path / "gaps.json").exists()
    foreign, into = trained.folder / "blueprint" / "run.json", tmp_path / "into"
    with pytest.raises(UserError, match="not the gaps of hand logs"):
        improve(trained.folder, foreign, 1, 2, 400, 1, 5.0, "bias", 1, into)
