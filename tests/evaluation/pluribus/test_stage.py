"""The comparison with Pluribus, on a run of its game whose buckets are made up."""

import json
from pathlib import Path

import numpy as np
import pytest

from commands import called
from evaluation.pluribus.made_up import made_up
from sixmax.base.errors import UserError
from sixmax.blueprint.run import Run
from sixmax.cards.deck import n_holes
from sixmax.cfr.packed_actions import bit_layout
from sixmax.cli.command import command
from sixmax.continuation.generate import STRATEGIES
from sixmax.evaluation.pluribus import stage
from sixmax.evaluation.pluribus.decisions import logs_digest
from sixmax.evaluation.pluribus.scores import FLOOR
from sixmax.evaluation.pluribus.stage import compare_pluribus
from sixmax.ongoing.hand import Play
from sixmax.search.config import SearchConfig

LINES = """# two hands
STATE:0:fffr225ff:TcQc|8s4c|9c3d|Ah4h|Th5s|6c7s:-50|-100|0|0|0|150:a|b|c|d|e|Pluribus
STATE:1:fffr250fc/cr525c/cc/cc:TcQc|8s4c|9c3d|Ah4h|Th5s|6c7s/7d5h9d/7c/Qh:0|0|0|0|0|0:Pluribus|b|c|d|e|f
STATE:2:ffr250fff:TcQc|8s4c|9c3d|Ah4h|Th5s|6c7s:0|0|0|0|0|0:a|Pluribus|b|c|e|f
"""


@pytest.fixture
def folders(tmp_path, monkeypatch):
    policy = np.zeros(made_up(1, 1).layout.size, np.uint8)  # uniform over what the tree offers
    monkeypatch.setattr(stage, "open_run", lambda folder: made_up(1, 1))
    monkeypatch.setattr(Run, "policy", lambda self, name, others=(): policy)
    (tmp_path / "logs").mkdir()
    (tmp_path / "logs" / "one.log").write_text(LINES)
    return tmp_path / "logs", tmp_path / "pluribus.json"


def test_compare_pluribus__uniform_play_has_known_losses(folders):
    logs, out = folders
    compare_pluribus(Path("made-up"), logs, "blueprint", 500, 1, out, SearchConfig())
    result = json.loads(out.read_text())
    assert result["hands"] == 3
    assert "damaged" not in result
    made_of = {key: result[key] for key in ("run", "game", "seed", "logs")}
    game = made_up(1, 1).game_digest
    assert made_of == {"run": "0f", "game": game, "seed": 1, "logs": logs_digest(logs)}
    (logs / "one.log").rename(logs / "two.log")
    assert logs_digest(logs) != result["logs"]
    assert result["decisions"] == 3  # it folds the small blind, and faces one raise as big blind
    first = result["first_in"]
    assert first["decisions"] == 1
    # fold, call and two raises: the raise that was chosen has two chances of four
    share = (0.5 + FLOOR) / (1 + 3 * FLOOR)
    assert first["loss"]["agent"]["mean"] == pytest.approx(-np.log(share))
    assert first["loss"]["uniform"]["mean"] == pytest.approx(1.0986123)
    assert first["loss"]["seat_and_class"]["mean"] == pytest.approx(np.log(1 + 2 * FLOOR), rel=0.01)
    assert [row["name"] for row in first["seats"]] == ["UTG", "HJ", "CO", "BTN", "SB"]
    assert first["seats"][3]["pluribus"]["raise"]["of"] == 1
    assert first["seats"][3]["agent"]["raise"] == pytest.approx(50)
    assert result["totals"]["vpip"]["pluribus"]["share"] == pytest.approx(100 / 3)
    assert result["totals"]["bb_defends"]["pluribus"]["of"] == 1
    assert first["cases"]["sometimes"]["decisions"] == 1
    assert result["later"][0]["loss"]["agent"]["n"] == 2
    assert result["sizes"][0]["pluribus"] == [0, 1, 0, 0, 0, 0, 0, 0]
    assert sum(result["sizes"][0]["agent"]) > 300
    assert result["donk"]["pluribus"]["of"] == 0
    assert result["donk"]["professionals"]["of"] == 2
    assert [row["professionals"]["of"] for row in result["donk"]["rounds"]] == [1, 1, 0]


def test_compare_pluribus__damaged_lines_are_named_and_left_out(folders, capsys):
    logs, out = folders
    compare_pluribus(Path("made-up"), logs, "blueprint", 10, 1, out, SearchConfig())
    whole, _ = json.loads(out.read_text()), capsys.readouterr()
    (logs / "one.log").write_text(LINES + "STATE:3\n" * 30)
    compare_pluribus(Path("made-up"), logs, "blueprint", 10, 1, out, SearchConfig())
    result, said = json.loads(out.read_text()), capsys.readouterr().err
    assert (result.pop("damaged"), result["logs"] != whole["logs"]) == (30, True)
    assert result | {"logs": 0} == whole | {"logs": 0}
    assert f"{logs / 'one.log'}, line 5: found 'STATE:3'" in said
    assert f"{logs / 'one.log'}, line 24: found 'STATE:3'" in said
    assert "… and 10 more" in said
    assert "30 damaged lines are left out of 33" in said


@pytest.fixture
def one_hand(folders):
    """Pluribus as the big blind calls a raise, checks and calls on the flop, then checks down."""
    line = LINES.splitlines()[2].replace("Pluribus|b|c|d|e|f", "a|Pluribus|c|d|e|f")
    (folders[0] / "one.log").write_text(line + "\n")
    return folders


class Checks:
    """In the place of the searcher: finds that every hand checks or calls three times in four."""

    def __init__(self, run, policy, config):
        pass

    def __call__(self, position, frozen, seed):
        return self

    def covers(self, done):
        return True

    def play(self, done):
        rows = np.tile([0.75, 0.25], (n_holes(13), 1))
        return Play([0, 525], rows)


def test_compare_pluribus__search_beside_the_agent_at_the_same_decisions(one_hand, monkeypatch):
    logs, out = one_hand
    monkeypatch.setattr(stage, "Searcher", Checks)
    compare_pluribus(Path("x"), logs, "blueprint", 10, 1, out, SearchConfig(), 5)
    result = json.loads(out.read_text())["search"]
    assert result["hands"] == 1
    every, flop, turn, river = (row["loss"] for row in result["rounds"])
    assert [p["search"]["n"] for p in (every, flop, turn, river)] == [4, 2, 1, 1]
    assert [p["search"]["hands"] for p in (every, flop, turn, river)] == [1, 1, 1, 1]
    assert turn["search"]["mean"] == pytest.approx(-np.log((0.75 + FLOOR) / (1 + 2 * FLOOR)))
    assert flop["agent"]["n"] == 2
    assert turn["uniform"]["mean"] == pytest.approx(np.log(2))


def test_pluribus__searches_with_the_options_of_its_example(one_hand, monkeypatch):
    """The command searched only where --config was given, too."""
    logs, out = one_hand
    monkeypatch.setattr(stage, "Searcher", Checks)
    words = [str(logs), "--run", "x", "--searched", "30", "--setting", "fast", "--out", str(out)]
    called(*words, "--hands", 10, on=command("pluribus", compare_pluribus))
    result = json.loads(out.read_text())["search"]
    assert (result["hands"], result["config"]["buckets"]) == (1, 0)


def test_compare_pluribus__by_the_searcher_of_the_run(one_hand, monkeypatch, one_thread):
    logs, out = one_hand
    packed = np.zeros(
        (len(STRATEGIES), bit_layout(made_up(1, 1).tree, made_up(1, 1).layout)[1].bytes), np.uint8
    )
    monkeypatch.setattr("sixmax.search.solvers.problem.load", lambda run: (STRATEGIES, packed))
    short = SearchConfig(buckets=0, iterations=100, vector_iterations=[10] * 4)
    compare_pluribus(Path("x"), logs, "blueprint", 10, 1, out, short, 5)
    every = json.loads(out.read_text())["search"]["rounds"][0]
    assert every["decisions"] == 4
    assert every["loss"]["search"]["mean"] != every["loss"]["agent"]["mean"]
    assert 0 <= every["agreement"]["search"]["mean"] <= 100


def test_compare_pluribus__another_game(folders, monkeypatch):
    other = made_up(1, 1)._replace(
        game=made_up(1, 1).game.model_copy(update={"stacks": [5000] * 6})
    )
    monkeypatch.setattr(stage, "open_run", lambda folder: other)
    with pytest.raises(UserError, match="another game than Pluribus played"):
        compare_pluribus(Path("x"), folders[0], "blueprint", 10, 1, folders[1], SearchConfig())
