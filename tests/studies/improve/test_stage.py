"""Improved runs: branches for gaps, the unchanged rest of the first run, refusals."""

from pathlib import Path

import numpy as np
import pytest

from search.holdem import small_run
from sixmax import config
from sixmax.base.errors import UserError
from sixmax.blueprint.run import improvement, open_improved, open_run
from sixmax.cards.deck import class_names
from sixmax.continuation.store import load
from sixmax.search.config import SearchConfig
from sixmax.search.settings import search_config
from sixmax.studies.improve import stage
from sixmax.studies.improve.config import problem
from sixmax.studies.improve.stage import improve
from studies.improve.small import RAISE, on_disk, policy_rows, scored


def improved(folder, gaps, into, kind=1):
    improve(folder, gaps, kind, 2, 400, 1, 5.0, "bias", 1, into)


def test_improve__the_run_opens_and_has_the_branch_alone(trained):
    for kind in (1, 2):
        better = open_improved(trained, trained.folder / "improve" / f"type{kind}")
        node = better.tree.find((RAISE,))
        assert len(better.tree.node) > len(trained.tree.node)
        assert improvement(better.folder)["bets"] == [{"path": [], "raise_to": 600, "pots": 2.5}]
        policy, before = better.policy("blueprint"), trained.policy("blueprint")
        for x in better.tree.decision_nodes():
            rows = policy_rows(better, policy, int(x))
            if RAISE not in better.tree.path(int(x))[:1]:
                old = policy_rows(trained, before, trained.tree.find(better.tree.path(int(x))))
                if x == 0:
                    assert not rows[:, -1].any()  # fold, call, 300, 600: never ours
                    assert rows.any(axis=1).all()
                    rows = rows[:, :-1]
                np.testing.assert_array_equal(rows, old)
        assert policy_rows(better, policy, node).sum(axis=1).tolist() == [255] * len(class_names(6))
        assert load(better)[1].shape[0] == 4
        assert search_config(None, folder=better.folder) == SearchConfig(first=2)


def test_improve__gaps_of_another_run_are_refused_and_nothing_is_written(trained, tmp_path):
    other = on_disk(tmp_path / "other", seed=2)
    gaps, into = scored(other, tmp_path / "gaps.json", ((), RAISE)), tmp_path / "into"
    with pytest.raises(UserError, match=r"gaps of run \w+, wanted those of"):
        improved(trained.folder, gaps, into, 2)
    assert not into.exists()


def test_improve__no_bet_that_the_run_lacks(trained, tmp_path):
    for bets in ([], [((), 300)], [((), 150)]):
        gaps = scored(trained, tmp_path / "gaps.json", *bets)
        with pytest.raises(UserError, match="found no bet that the run lacks"):
            improved(trained.folder, gaps, tmp_path / "into", 2)


@pytest.fixture
def unsolved(monkeypatch):
    """Fails where a branch is solved: an output is refused before the work."""
    monkeypatch.setattr(stage, "solve", lambda *args: pytest.fail("solved"))


def test_improve__an_improved_run_of_another_is_not_replaced(trained, tmp_path, unsolved):
    other = on_disk(tmp_path / "other", seed=2)
    gaps = scored(other, tmp_path / "gaps.json", ((), RAISE))
    into = trained.folder / "improve" / "type1"
    with pytest.raises(UserError, match=r"an improved run of \w+, not of"):
        improved(other.folder, gaps, into)
    assert open_improved(trained, into)
    better = open_run(into)
    gaps = scored(better, tmp_path / "own.json", ((), 700))
    with pytest.raises(UserError, match=r"an improved run of \w+, not of"):
        improved(into, gaps, into)


def test_improve__an_interrupt_leaves_the_run_that_was_there(trained, tmp_path, monkeypatch):
    into = tmp_path / "into"
    gaps = scored(trained, tmp_path / "gaps.json", ((), RAISE))
    improved(trained.folder, gaps, into)

    def interrupt(*args):
        raise KeyboardInterrupt

    monkeypatch.setattr(stage, "compress", interrupt)
    with pytest.raises(KeyboardInterrupt):
        improved(trained.folder, gaps, into)
    assert load(open_improved(trained, into))[1].shape[0] == 4
    assert sorted(p.name for p in tmp_path.iterdir()) == ["gaps.json", "into"]


@pytest.mark.parametrize(
    ("path", "expected"),
    [([0, 0], "is no decision of the first round"), ([17], "action 17 is not in the tree")],
)
def test_improve__refuses_paths_that_lead_elsewhere(trained, tmp_path, path, expected):
    gaps = scored(trained, tmp_path / "gaps.json", (path, RAISE))
    with pytest.raises(UserError, match=expected):
        improved(trained.folder, gaps, tmp_path / "into")


def test_improve__a_folder_of_something_else_stays(trained, tmp_path, unsolved):
    gaps = scored(trained, tmp_path / "gaps.json", ((), RAISE))
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "notes.txt").write_text("mine")
    with pytest.raises(UserError, match="found a folder that is no improved run"):
        improved(trained.folder, gaps, tmp_path / "mine")
    assert (tmp_path / "mine" / "notes.txt").read_text() == "mine"
    assert [f.name for f in (tmp_path / "mine").iterdir()] == ["notes.txt"]


def test_open__a_run_of_one_table_by_search(trained):
    """The improved run is a run: `open_run` reads it, and its abstraction is that of the first."""
    better = open_run(trained.folder / "improve" / "type2")
    assert (better.folder / "abstraction").resolve() == (trained.folder / "abstraction").resolve()
    np.testing.assert_array_equal(better.buckets.flop, trained.buckets.flop)


@pytest.mark.parametrize(
    ("changes", "game", "expected"),
    [
        ({"opponent": "raises-5"}, {}, ""),
        ({"opponent": "hands"}, {}, ""),
        ({}, {}, "found no improve.opponent"),
        ({"opponent": "raises-5"}, {"stacks": [2000, 1000]}, "wanted two of equal stacks"),
    ],
)
def test_problem__says_what_is_missing(changes, game, expected):
    file = Path(__file__).parents[3] / "config" / "default.yaml"
    section = config.load(file).improve.model_copy(update=changes)
    actual = problem(section, small_run(2)[0].game.model_copy(update=game))
    assert expected in actual
    assert bool(actual) == bool(expected)
