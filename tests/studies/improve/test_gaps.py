"""Bets that a run lacks, scored by hands; by the command, from the logs of whole hands."""

import json

import numpy as np
import pytest

from commands import called
from search.holdem import RANKS, small_run
from sixmax.base.errors import UserError
from sixmax.betting import config, rules, tree_build
from sixmax.blueprint.run import improvement
from sixmax.cfr.layout import layout
from sixmax.hands.record import record
from sixmax.ongoing.translate import fraction
from sixmax.studies.improve import gaps, stage
from studies.improve.small import POTS, RAISE

CARDS = np.arange(9, dtype=np.int8)
# The small run raises by the pot first, 300 first in, and then all-in, 2,000.


def hand(*actions, names=("hero", "villain")):
    run = small_run(2)[0]
    return record(1, names, run.game, RANKS, actions, CARDS)


def test_score__is_the_distance_to_the_nearer_size():
    """The big blind raises 300 to 800 and to 1,000: between no raise and all-in there is no gap;
    first in there is none either, because the pot is the only size."""
    run = small_run(2)[0]
    result = gaps.score(run, [hand((300, 800, -1)), hand((300, 1000, -1)), hand((250, -1))], "hero")
    assert (result.hands, result.bets, result.gaps) == (3, 2, [])
    assert [(s.path, s.raise_to, s.bets) for s in result.sizes] == [
        ((300,), 800, 1), ((300,), 1000, 1)
    ]  # fmt: skip


def wide(answers=("A",)):
    """The small run with two sizes first in: .5 and 4 pots, raises to 200 and 900."""
    run = small_run(2)[0]
    first = config.RoundSizes(sizes=[[0.5, 4], list(answers)], max_raises=2, max_players=2)
    game = run.game.model_copy(update={"rounds": [first, *run.game.rounds[1:]]})
    tree = tree_build.build(game)
    return run._replace(game=game, tree=tree, layout=layout(tree, run.dealer.buckets))


def test_score__two_bets_in_one_gap_add_up():
    """The paper's sum: .75 is .25 above .5, and 3 is 1 below 4."""
    run = wide()
    hands = [hand((250, -1)), hand((700, -1)), hand((700, -1)), hand((0, 500, -1))]
    result = gaps.score(run, hands, "villain")
    assert result.bets == 3  # the villain's own do not count
    (gap,) = result.gaps
    assert (gap.path, gap.bets) == ((), 3)
    assert gap.score == pytest.approx(0.25 + 1 + 1)
    a, b = 0.5, 4
    assert gap.pots == pytest.approx((a + b + 2 * a * b) / (a + b + 2))  # 8.5 / 6.5
    assert gap.raise_to == round(100 + 200 * 8.5 / 6.5)
    assert [(s.raise_to, s.bets) for s in result.sizes] == [(700, 2), (250, 1)]


def test_score__sizes_of_the_tree_and_beyond_are_in_no_gap():
    """Type 1 of the self-improver takes the commonest size, inside of a gap or not."""
    result = gaps.score(wide(), [hand((200, -1)), hand((900, -1)), hand((1200, -1))], "villain")
    assert (result.bets, result.gaps) == (3, [])
    assert [(s.raise_to, s.bets) for s in result.sizes] == [(1200, 1)]


def test_score__a_raise_after_others_is_scored_where_translation_leads():
    """First in to 220, which is nearest to 200; over it by 2 pots of its own, 220 + 2 * 440."""
    run = wide(answers=[0.5, 4])
    result = gaps.score(run, [hand((220, 1100, -1))], "hero")
    (gap,) = result.gaps
    assert gap.path == (200,)
    assert gap.score == pytest.approx(min(2 - 0.5, 4 - 2))
    (bet,) = result.sizes
    assert (bet.path, bet.raise_to) == ((200,), 200 + 2 * 400)
    assert fraction(rules.after(rules.begin(run.game), bet.path), bet.raise_to) == pytest.approx(2)


def played(trained, folder, deals):
    """A log of hands, where its gaps go, and the option of the run."""
    log, run = folder / "hands.log", ("--run", trained.folder)
    words = ("table", "blueprint", f"raises-{POTS}", *run, "--deals", deals, "--seed", 1)
    called(*words, "--log", log)
    return log, folder / "gaps.json", run


def test_gaps__of_the_hands_against_an_opponent_that_bets_a_missing_size(trained, tmp_path):
    """A log of whole hands, from the opponent to the score, by the commands."""
    log, out, run = played(trained, tmp_path, 40)
    called("gaps", log, *run, "--player", "blueprint", "--out", out)
    result = json.loads(out.read_text())
    assert (result["hands"], result["run"]) == (80, trained.identity["digest"])
    assert result["bets"] > 20
    assert result["gaps"] == []  # the pot is the largest size first in: nothing lies above it
    assert ([], RAISE) in [(bet["path"], bet["raise_to"]) for bet in result["sizes"]]
    called("improve", out, *run, "--type", 1, "--iterations", 400, "--seed", 1, "--into",
            tmp_path / "better")  # fmt: skip
    (bet,) = improvement(tmp_path / "better")["bets"]
    assert bet["raise_to"] == result["sizes"][0]["raise_to"]


def test_gaps__of_a_player_whom_no_hand_has_name_those_there_are(trained, tmp_path):
    log, out, run = played(trained, tmp_path, 2)
    with pytest.raises(UserError, match=r"player 'bluprint': not in these hands.*blueprint"):
        called("gaps", log, *run, "--player", "bluprint", "--out", out)
    assert not out.exists()


def test_gaps__foreign_files_are_refused_in_one_line(trained, tmp_path):
    log = tmp_path / "six.log"
    log.write_text("STATE:1:fff:AsKs|QdQc|2c2d|3c3d:1|2|3|4:a|b|c|d\n")
    with pytest.raises(UserError) as error:
        called("gaps", log, "--run", trained.folder, "--out", tmp_path / "gaps.json")
    assert "\n" not in str(error.value)
    assert not (tmp_path / "gaps.json").exists()
    foreign, into = trained.folder / "blueprint" / "run.json", tmp_path / "into"
    with pytest.raises(UserError, match="not the gaps of hand logs"):
        stage.improve(trained.folder, foreign, 1, 2, 400, 1, 5.0, "bias", 1, into)
