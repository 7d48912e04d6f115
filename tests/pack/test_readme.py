"""README's commands on a run, as they stand there: on a small run, or on the starter."""

from pathlib import Path

import pytest

from repository.test_readme import readme_commands

STARTER = Path(__file__).parents[2] / "starter.sixmax"
OTHERS = ("serve", "play", "review")  # a server and a table, with tests of their own


@pytest.fixture
def readme(run, tmp_path, monkeypatch, sixmax):
    """A function that runs a line; those that name cards or bets take the starter."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "results").mkdir()
    (tmp_path / "results" / "default").symlink_to(run)
    (tmp_path / "starter.sixmax").symlink_to(STARTER)

    def end_well(words):
        if "--actions" in words or "r225" in words:
            words = ["starter.sixmax" if word == "results/default" else word for word in words]
        return sixmax(*words)

    return end_well


def lines():
    words = [line.split()[1:] for line in readme_commands() if line.startswith("sixmax ")]
    return [each for each in words if each[0] not in OTHERS]


def test_readme__its_commands_end_well_in_their_order(readme):
    printed = {" ".join(words): readme(words) for words in lines() if words[0] != "advise"}
    assert len(printed) >= 8
    assert "AA " in printed["strategy --run starter.sixmax"]
    assert "a strategy of 2 players" in printed["show default.sixmax"]


@pytest.mark.slow
def test_readme__advises_by_a_search(readme):
    """Continuations of the starter are sampled first, for some ten seconds."""
    (words,) = (each for each in lines() if each[0] == "advise")
    assert "by search" in readme(words)
