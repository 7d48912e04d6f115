"""`sixmax worth`: differences of actions at a spot, in pairs, against sums over the holes."""

import re
from dataclasses import replace

import numpy as np
import pytest
from click.testing import CliRunner

from sixmax.base.errors import UserError
from sixmax.betting.state import spell
from sixmax.cards.deck import class_names, classes
from sixmax.cli import app
from sixmax.serve.jobs.worth import WorthQuestion, spot_of
from sixmax.serve.jobs.worth_text import weights_of, worth_text

ACTIONS = "r350"


@pytest.fixture(scope="module")
def spot(library):
    return spot_of(library, WorthQuestion(ACTIONS, "", "blueprint"))


@pytest.fixture(scope="module")
def result(spot):
    return spot.roll_out(2, 1)


def numbers(line):
    return [
        float(text.replace("+", "")) for text in re.findall(r"[+-]\d+\.\d+|(?<=± )\d+\.\d+", line)
    ]


def test_worth_text__differences_are_means_over_the_holes_by_reach(spot, result):
    strategy, ranks = spot.chart, spot.walk.run.ranks
    words, blind = [spell(a) for a in strategy.offered], max(spot.walk.run.game.blinds)
    at, pair = words.index("c"), class_names(ranks)[0]
    lines = worth_text(
        spot.chart, blind, result, "c", weights_of(spot.chart, "c", [pair])
    ).splitlines()
    assert [line.split("  ")[0].strip() for line in lines[1:]] == ["range", "c of it", pair]
    own = classes(ranks) == 0
    for line, weight in zip(
        lines[1:],
        (strategy.weight, strategy.weight * strategy.rows[:, at], strategy.weight * own),
        strict=True,
    ):
        actual = numbers(line)
        for k in (k for k in range(len(words)) if k != at):
            each = np.nan_to_num(result.mean[k] - result.mean[at])
            held = weight * (result.deals.sum(axis=0) > 0)
            assert actual.pop(0) == pytest.approx(held @ each / held.sum() / blind, abs=6e-4)
            assert actual.pop(0) > 0
        assert not actual


def test_worth_text__half_an_interval_is_that_of_the_parts(spot, result):
    """One hole: the ratio of sums by parts, its spread by the jackknife of them."""
    words, hole = [spell(a) for a in spot.chart.offered], 7
    weights = {"one": np.arange(len(spot.chart.bucket)) == hole}
    (mean, half, *_) = numbers(worth_text(spot.chart, 1, result, "c", weights).splitlines()[1])
    at, k = words.index("c"), next(k for k, word in enumerate(words) if word != "c")
    more, deals = result.won[:, k, hole] - result.won[:, at, hole], result.deals[:, hole]
    parts = len(deals)
    assert mean == pytest.approx(more.sum() / deals.sum(), abs=6e-4)
    left = [(more.sum() - m) / (deals.sum() - d) for m, d in zip(more, deals, strict=True)]
    spread = np.sqrt((parts - 1) / parts * ((left - np.mean(left)) ** 2).sum())
    assert half == pytest.approx(1.998 * spread, rel=0.05)  # Student's t of 63


def test_worth_text__says_which_hands_never_come_here_and_which_no_deal_leaves(spot, result):
    name, own = class_names(spot.walk.run.ranks)[0], classes(spot.walk.run.ranks) == 0
    free = replace(spot.chart, reach=spot.chart.reach * ~own)
    weights = weights_of(free, "c", [name])
    assert np.array_equal(weights[f"{name}, never here"], own * 1.0)
    blocked = result._replace(won=result.won * ~own, deals=result.deals * ~own)
    lines = worth_text(free, 1, blocked, "c", weights).splitlines()
    assert lines[3].split("   ")[0].startswith(f"{name}, never here")
    assert numbers(lines[3]) == []
    assert lines[3].endswith("–")
    assert len({len(line) for line in lines}) == 1


@pytest.mark.parametrize(
    ("less", "hands", "why"),
    [
        ("r9999", [], "action: found 'r9999', wanted one of f, c"),
        ("c", ["AKx"], "hand: found 'AKx'"),
    ],
)
def test_weights__of_an_action_or_a_hand_that_is_not_there(spot, less, hands, why):
    with pytest.raises(UserError, match=why):
        weights_of(spot.chart, less, hands)


def test_command__prints_the_same_for_any_threads(folder):
    texts = []
    for threads in ("1", "2"):
        line = ["worth", ACTIONS, "--less", "c", "--run", str(folder), "--deals", "70"]
        done = CliRunner().invoke(app, [*line, "--threads", threads], catch_exceptions=False)
        assert done.exit_code == 0, done.output
        texts.append(done.stdout)
    assert texts[0] == texts[1]
    assert texts[0].startswith("blueprint: 128 deals; big blinds")
