import json
import re

import numpy as np
import pytest
from click.testing import CliRunner

from improve.small import on_disk
from sixmax.blueprint.improved import improvement, open_improved
from sixmax.blueprint.run import open_run
from sixmax.cards.deck import class_names, classes, hole_cards, hole_id, parse_cards
from sixmax.cfr.layout import infoset, layout
from sixmax.cli import app
from sixmax.continuation.stage import load
from sixmax.errors import UserError
from sixmax.evaluation.agents.open_players import open_players
from sixmax.evaluation.agents.remembering import EQUAL_BETS
from sixmax.evaluation.match.by_hand import play_hand
from sixmax.game.rules import CALL
from sixmax.game.tree import DECISION, children, find, kind_of, path, round_of, seat_of
from sixmax.games.holdem import deal_cards
from sixmax.improve import stage
from sixmax.improve.branch import solve
from sixmax.improve.overlay import spliced
from sixmax.improve.stage import improve
from sixmax.search.config import SETTINGS, SearchConfig, keep, search_config
from sixmax.search.public_hand import PublicHand
from sixmax.search.searcher import Searcher

QUICK = {"buckets": 0, "iterations": 100, "batch": 20, "tremble": 0, "believe_blueprint": 0}
POTS, RAISE = "2.5", 600  # 100 + 2.5 * 200: above the pot, which is the only size first in


def command(*words):
    result = CliRunner().invoke(app, list(map(str, words)))
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert result.exit_code == 0, result.output
    return result.output


def scored(run, path, *bets):
    """A file of gaps as the command `gaps` writes it, with ``bets`` (path, raise_to)."""
    rows = [
        {"path": list(place), "raise_to": chips, "pots": 2.5, "score": 1.0, "bets": 3}
        for place, chips in bets
    ]
    path.write_text(json.dumps({"run": run.identity["digest"], "gaps": rows, "sizes": rows}))
    return path


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    """A run, and its improved runs of both types for a raise to 600 first in."""
    folder = tmp_path_factory.mktemp("improve") / "run"
    run = on_disk(folder)
    keep(SearchConfig(blueprint="snapshot-00001", first=2), folder / SETTINGS)
    gaps = scored(run, folder / "gaps.json", ((), RAISE))
    for kind in (1, 2):
        improve(folder, gaps, kind, 2, 2000, 1, 5.0, "bias", 1, folder / "improve" / f"type{kind}")
    return run


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


def test_improve__the_run_opens_and_has_the_branch_alone(trained):
    for kind in (1, 2):
        better = open_improved(trained, trained.folder / "improve" / f"type{kind}")
        node = find(better.tree, (RAISE,))
        assert len(better.tree.node) > len(trained.tree.node)
        assert improvement(better.folder)["bets"] == [{"path": [], "raise_to": 600, "pots": 2.5}]
        policy, before = better.policy("blueprint"), trained.policy("blueprint")
        for x in np.flatnonzero(kind_of(better.tree.node[:, 0]) == DECISION):
            rows = policy_rows(better, policy, int(x))
            if RAISE not in path(better.tree, int(x))[:1]:
                old = policy_rows(trained, before, find(trained.tree, path(better.tree, int(x))))
                if x == 0:
                    assert not rows[:, -1].any()  # fold, call, 300, 600: never ours
                    assert rows.any(axis=1).all()
                    rows = rows[:, :-1]
                np.testing.assert_array_equal(rows, old)
        assert policy_rows(better, policy, node).sum(axis=1).tolist() == [255] * len(class_names(6))
        assert load(better).shape[0] == 4
        assert search_config(None, folder=better.folder) == SearchConfig(first=2)


def policy_rows(run, policy, x):
    head, n = int(run.tree.node[x, 0]), len(children(run.tree, x))
    bucket = np.arange(run.layout.buckets[round_of(head)])
    at = infoset(run.layout, round_of(head), seat_of(head), bucket, run.tree.node[x, 2])
    return policy[at[:, None] + np.arange(n)]


def test_spliced__two_branches_at_two_decisions(trained):
    policy = trained.policy("blueprint")
    bets = [((), 600), ((0,), 700)]
    branches = [
        (after, solve(trained, policy, after, chips, False, 400, 1)) for after, chips in bets
    ]
    tree, larger = spliced(trained, policy, branches)
    other, same = spliced(trained, policy, branches[::-1])
    np.testing.assert_array_equal(tree.node, other.node)
    np.testing.assert_array_equal(larger, same)
    assert larger.size > policy.size


def test_match__the_opponent_meets_the_branch(trained, tmp_path):
    out, better = tmp_path / "match.json", trained.folder / "improve" / "type1"
    words = ("match", f"raises-{POTS}", "blueprint", "--run", better, "--seed", 1, "--out", out)
    for against in (trained.folder, better):
        command(*words, "--against", against, "--deals", 50)
        assert json.loads(out.read_text())["hands"] == 100
    with pytest.raises(UserError, match="no decision of the first round has a raise by 9 pots"):
        command("match", "raises-9", "blueprint", "--run", better, "--deals", 5, "--seed", 1,
                "--out", out)  # fmt: skip


def test_improved__answers_by_the_branch_after_eight_equal_bets(trained):
    """The player of `improved` holds the branch ready; one other bet begins the count anew."""
    players = open_players(trained, ["improved", f"raises-{POTS}"])
    used = []
    for number in range(60):
        cards = deal_cards(3, number, 2, trained.ranks)
        hand = play_hand(players[::-1], trained.game, trained.ranks, cards, number, number)
        raised = hand.actions[0][0][1] == RAISE
        used.append((raised, players[0]._chosen is players[0]._players[1]))
    bets = [branch for raised, branch in used if raised]
    assert not any(branch for raised, branch in used if not raised)
    assert bets == [False] * EQUAL_BETS + [True] * (len(bets) - EQUAL_BETS)
    assert len(bets) > EQUAL_BETS


def test_improve__gaps_of_another_run_are_refused_and_nothing_is_written(trained, tmp_path):
    other = on_disk(tmp_path / "other", seed=2)
    gaps, into = scored(other, tmp_path / "gaps.json", ((), RAISE)), tmp_path / "into"
    with pytest.raises(UserError, match=r"gaps of run \w+, wanted those of"):
        improve(trained.folder, gaps, 2, 2, 400, 1, 5.0, "bias", 1, into)
    assert not into.exists()


def test_improved__of_another_run_is_refused(trained, tmp_path):
    other = on_disk(tmp_path / "other", seed=2)
    (other.folder / "improve").symlink_to(trained.folder / "improve")
    with pytest.raises(UserError, match=r"type1: made of run \w+, wanted one of"):
        open_players(other, ["improved"])


def test_improve__no_bet_that_the_run_lacks(trained, tmp_path):
    for bets in ([], [((), 300)], [((), 150)]):
        gaps = scored(trained, tmp_path / "gaps.json", *bets)
        with pytest.raises(UserError, match="found no bet that the run lacks"):
            improve(trained.folder, gaps, 2, 2, 400, 1, 5.0, "bias", 1, tmp_path / "into")


@pytest.fixture
def unsolved(monkeypatch):
    """Fails where a branch is solved: an output is refused before the work."""
    monkeypatch.setattr(stage, "solve", lambda *args: pytest.fail("solved"))


def test_improve__an_improved_run_of_another_is_not_replaced(trained, tmp_path, unsolved):
    other = on_disk(tmp_path / "other", seed=2)
    gaps = scored(other, tmp_path / "gaps.json", ((), RAISE))
    into = trained.folder / "improve" / "type1"
    with pytest.raises(UserError, match=r"an improved run of \w+, not of"):
        improve(other.folder, gaps, 1, 2, 400, 1, 5.0, "bias", 1, into)
    assert open_improved(trained, into)
    better = open_run(into)
    gaps = scored(better, tmp_path / "own.json", ((), 700))
    with pytest.raises(UserError, match=r"an improved run of \w+, not of"):
        improve(into, gaps, 1, 2, 400, 1, 5.0, "bias", 1, into)


def test_improve__an_interrupt_leaves_the_run_that_was_there(trained, tmp_path, monkeypatch):
    into = tmp_path / "into"
    gaps = scored(trained, tmp_path / "gaps.json", ((), RAISE))
    improve(trained.folder, gaps, 1, 2, 400, 1, 5.0, "bias", 1, into)

    def interrupt(*args):
        raise KeyboardInterrupt

    monkeypatch.setattr(stage, "compress", interrupt)
    with pytest.raises(KeyboardInterrupt):
        improve(trained.folder, gaps, 1, 2, 400, 1, 5.0, "bias", 1, into)
    assert load(open_improved(trained, into)).shape[0] == 4
    assert sorted(p.name for p in tmp_path.iterdir()) == ["gaps.json", "into"]


@pytest.mark.parametrize(
    ("path", "expected"),
    [([0, 0], "is no decision of the first round"), ([17], "action 17 is not in the tree")],
)
def test_improve__refuses_paths_that_lead_elsewhere(trained, tmp_path, path, expected):
    gaps = scored(trained, tmp_path / "gaps.json", (path, RAISE))
    with pytest.raises(UserError, match=expected):
        improve(trained.folder, gaps, 1, 2, 400, 1, 5.0, "bias", 1, tmp_path / "into")


def test_improved__wants_a_branch_of_type_1(trained, tmp_path):
    for name in ("blueprint", "abstraction"):
        (tmp_path / name).symlink_to(trained.folder / name)
    (tmp_path / "improve").mkdir()
    (tmp_path / "improve" / "type1").symlink_to(trained.folder / "improve" / "type2")
    with pytest.raises(UserError, match="made by type 2, wanted type 1"):
        open_players(open_run(tmp_path), ["improved"])


def test_spliced__a_row_that_was_never_trained_stays_uniform_without_the_bet(trained):
    policy = trained.policy("blueprint").copy()
    policy[:] = 0
    branch = solve(trained, policy, (), RAISE, False, 400, 1)
    tree, larger = spliced(trained, policy, [((), branch)])
    better = trained._replace(tree=tree, layout=layout(tree, list(trained.layout.buckets)))
    rows = policy_rows(better, larger, 0)  # fold, call, 300, 600
    assert (rows[:, :-1] == 85).all()
    assert not rows[:, -1].any()


def test_improve__a_folder_of_something_else_stays(trained, tmp_path, unsolved):
    gaps = scored(trained, tmp_path / "gaps.json", ((), RAISE))
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "notes.txt").write_text("mine")
    with pytest.raises(UserError, match="found a folder that is no improved run"):
        improve(trained.folder, gaps, 1, 2, 400, 1, 5.0, "bias", 1, tmp_path / "mine")
    assert (tmp_path / "mine" / "notes.txt").read_text() == "mine"
    assert [f.name for f in (tmp_path / "mine").iterdir()] == ["notes.txt"]


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


def test_open__a_run_of_one_table_by_search(trained):
    """The improved run is a run: `open_run` reads it, and its abstraction is that of the first."""
    better = open_run(trained.folder / "improve" / "type2")
    assert (better.folder / "abstraction").resolve() == (trained.folder / "abstraction").resolve()
    np.testing.assert_array_equal(better.buckets.flop, trained.buckets.flop)


@pytest.fixture(scope="module")
def answers(trained):
    """The improved run of type 2, and its rows for the answers to the bet: float[classes, 3]."""
    better = open_run(trained.folder / "improve" / "type2")
    rows = policy_rows(better, better.policy("blueprint"), find(better.tree, (RAISE,))) / 255
    return better, rows


def test_advise__answers_the_bet_by_its_branch(trained, answers):
    better, rows = answers
    at = class_names(6).index("AKs")
    text = command("advise", "AsKs", "--run", better.folder, "--actions", f"r{RAISE}")
    line = next(line for line in text.splitlines() if line.startswith("held, played"))
    assert line.split()[2::2] == [f"{100 * share:.1f}" for share in rows[at]]
    translated = policy_rows(trained, trained.policy("blueprint"), find(trained.tree, (300,))) / 255
    assert abs(translated[at] - rows[at]).max() > 0.05


def test_play__the_opinion_on_the_bet_is_that_of_its_branch(answers):
    better, rows = answers
    words = ("play", "--run", better.folder, "--against", f"raises-{POTS}", "--seat", "BB")
    raised = 0
    for seed in range(1, 9):
        typed = "o\nq\n"
        result = CliRunner().invoke(app, list(map(str, (*words, "--seed", seed))), typed)
        if f"raises to {RAISE}" in result.output:
            raised += 1
            hole = re.search(r"^you have (\w\w \w\w)", result.output, re.M)[1]
            expected = rows[classes(6)[hole_id(*parse_cards(hole.replace(" ", ""), 6))]]
            shown = re.findall(r"^  (?:fold|call|raise|all-in).* (\d+) %", result.output, re.M)
            assert shown == [f"{100 * share:.0f}" for share in expected]
    assert raised >= 2


def test_search__believes_by_the_branch(answers):
    better, rows = answers
    config = SearchConfig.parse(QUICK, "search")
    policy = better.policy("blueprint")
    hand = PublicHand(better, policy, config, Searcher(better, policy, config), 1)
    hand.act(RAISE)
    hand.act(CALL)
    hand.deal("AhKd9c")
    blocked = np.isin(hole_cards(6), parse_cards("AhKd9c", 6)).any(axis=1)
    calls = np.where(blocked, 0, rows[classes(6), 1])
    np.testing.assert_allclose(hand.beliefs()[1], calls / calls.sum())
    assert hand.rounds[-1].searching
    assert hand.play().played.shape[0] == blocked.size
