"""Improved runs in play: matches, advice and searches answer by the branch."""

import json
import re

import numpy as np
import pytest

from commands import called
from sixmax.agents.open_players import open_players
from sixmax.agents.player import EQUAL_BETS
from sixmax.base.errors import UserError
from sixmax.betting.rules import CALL
from sixmax.blueprint.run import open_run
from sixmax.cards.deck import class_names, classes, hole_cards, hole_id, parse_cards
from sixmax.evaluation.match.by_hand import play_hand
from sixmax.games.holdem import deal_cards
from sixmax.search.config import SearchConfig
from sixmax.search.public_hand import PublicHand
from sixmax.search.searcher import Searcher
from studies.improve.small import POTS, RAISE, on_disk, policy_rows

QUICK = {"buckets": 0, "iterations": 100, "tremble": 0, "believe_blueprint": 0}


def test_match__the_opponent_meets_the_branch(trained, tmp_path):
    out, better = tmp_path / "match.json", trained.folder / "improve" / "type1"
    words = ("match", f"raises-{POTS}", "blueprint", "--run", better, "--seed", 1, "--out", out)
    for against in (trained.folder, better):
        called(*words, "--against", against, "--deals", 50)
        assert json.loads(out.read_text())["hands"] == 100
    with pytest.raises(UserError, match="no decision of the first round has a raise by 9 pots"):
        called("match", "raises-9", "blueprint", "--run", better, "--deals", 5, "--seed", 1,
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


def test_improved__of_another_run_is_refused(trained, tmp_path):
    other = on_disk(tmp_path / "other", seed=2)
    (other.folder / "improve").symlink_to(trained.folder / "improve")
    with pytest.raises(UserError, match=r"type1: made of run \w+, wanted one of"):
        open_players(other, ["improved"])


def test_improved__wants_a_branch_of_type_1(trained, tmp_path):
    for name in ("blueprint", "abstraction"):
        (tmp_path / name).symlink_to(trained.folder / name)
    (tmp_path / "improve").mkdir()
    (tmp_path / "improve" / "type1").symlink_to(trained.folder / "improve" / "type2")
    with pytest.raises(UserError, match="made by type 2, wanted type 1"):
        open_players(open_run(tmp_path), ["improved"])


@pytest.fixture(scope="module")
def answers(trained):
    """The improved run of type 2, and its rows for the answers to the bet: float[classes, 3]."""
    better = open_run(trained.folder / "improve" / "type2")
    rows = policy_rows(better, better.policy("blueprint"), better.tree.find((RAISE,))) / 255
    return better, rows


def test_advise__answers_the_bet_by_its_branch(trained, answers):
    better, rows = answers
    at = class_names(6).index("AKs")
    text = called("advise", "AsKs", "--run", better.folder, "--actions", f"r{RAISE}").output
    line = next(line for line in text.splitlines() if line.startswith("held "))
    assert line.split()[1::2] == [f"{100 * share:.1f}" for share in rows[at]]
    translated = policy_rows(trained, trained.policy("blueprint"), trained.tree.find((300,))) / 255
    assert abs(translated[at] - rows[at]).max() > 0.05


def test_play__the_opinion_on_the_bet_is_that_of_its_branch(answers):
    better, rows = answers
    words = ("play", "--run", better.folder, "--against", f"raises-{POTS}", "--seat", "BB")
    raised = 0
    for seed in range(1, 9):
        said = called(*words, "--seed", seed, input="o\nq\n").output
        if f"raises to {RAISE}" in said:
            raised += 1
            hole = re.search(r"^you have (\w\w \w\w)", said, re.M)[1]
            expected = rows[classes(6)[hole_id(*parse_cards(hole.replace(" ", ""), 6))]]
            shown = re.findall(r"^  (?:fold|call|raise|all-in).* (\d+) %", said, re.M)
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
    assert hand.play().rows.shape[0] == blocked.size
