"""Scores of predictions, by hand; an agent in Pluribus's place is asked about its own play."""

import functools

import numpy as np
import pytest

from evaluation.pluribus.made_up import made_up
from sixmax.base.rng import child
from sixmax.betting import notation, tree
from sixmax.evaluation.match.duplicate import hands
from sixmax.evaluation.pluribus import scores
from sixmax.evaluation.pluribus.decisions import decisions
from sixmax.evaluation.pluribus.scores import FLOOR, Predicted
from sixmax.hands.record import to_line
from sixmax.ongoing.policies import match_game, mixed
from sixmax.scores.statistics import Sums, interval
from sixmax.search.config import NEVER, SearchConfig
from sixmax.search.result import no_search

# UTG raises, the big blind calls; checks, a bet, a call.
HAND = notation.parse(
    "STATE:0:r225ffffc/cr450c/cc/cc:TcQc|8s4c|9c3d|Ah4h|Th5s|6c7s/7d5h9d/7c/Qh:0|0|0|0|0|0:"
    "a|b|c|d|e|f"
)
MADE = list(decisions(HAND))[5:9]  # the big blind calls; checks; UTG bets; the big blind calls


def test_scores__each_measure_by_hand():
    kinds = np.array([[0.5, 0.5, 0], [0, 1, 0], [0, 1, 0], [0.25, 0.75, 0]])
    actual = scores.scores(MADE, {"agent": kinds})
    shared = np.log(1 + 3 * FLOOR)
    loss = [-np.log(0.5 + FLOOR) + shared, -np.log((1 + FLOOR) / (1 + 2 * FLOOR))]
    loss += [-np.log(FLOOR / (1 + 2 * FLOOR)), -np.log(0.75 + FLOOR) + shared]
    assert [d.legal.tolist() for d in MADE[:2]] == [[True] * 3, [False, True, True]]
    assert actual["loss"]["agent"]["mean"] == pytest.approx(np.mean(loss))
    e = scores.RANDOM_SHARE
    mixed = [0.5 * (1 - e) + e / 3, 1 - e / 2, e / 2, 0.75 * (1 - e) + e / 3]
    assert actual["mixed"]["agent"]["mean"] == pytest.approx(-np.log(mixed).mean())
    assert actual["brier"]["agent"]["mean"] == pytest.approx((0.5 + 0 + 2 + 2 * 0.25**2) / 4)
    assert actual["agreement"]["agent"]["mean"] == pytest.approx((50 + 100 + 0 + 100) / 4)


def test_scores__itself_is_the_expectation_over_own_play():
    kinds = np.array([[0.5, 0.5, 0], [0, 0.2, 0.8], [0, 1, 0], [0, 0, 1]])
    actual = scores.scores(MADE, {"agent": kinds}, "agent")
    assert actual["brier"]["itself"]["mean"] == pytest.approx((0.5 + (1 - 0.68)) / 4)
    assert actual["agreement"]["itself"]["mean"] == pytest.approx((50 + 80 + 100 + 100) / 4)


def test_difference__pairs_the_decisions():
    kinds = np.array([[0.5, 0.5, 0], [0, 0.2, 0.8], [0, 1, 0], [0, 0, 1]])
    other = kinds[:, ::-1] * [0, 1, 1] + [0, 0.1, 0]
    both = scores.scores(MADE, {"one": kinds, "two": other})
    for name, actual in scores.difference(MADE, kinds, other).items():
        expected = both[name]["one"]["mean"] - both[name]["two"]["mean"]
        assert actual["mean"] == pytest.approx(expected)
    same = scores.difference(MADE, kinds, kinds)["loss"]
    assert (same["mean"], same["standard_error"], same["hands"]) == (0, None, 1)


def test_scores__of_no_decisions_are_none():
    actual = scores.scores([], {"agent": np.zeros((0, 3)), "uniform": scores.uniform([])}, "agent")
    assert set(actual) == set(scores.MEASURES)
    assert actual["loss"]["agent"] == {
        "mean": None, "standard_error": None, "interval": None, "n": 0, "hands": 0
    }  # fmt: skip
    assert (
        scores.cases([], Predicted(np.zeros((0, 3)), np.zeros((0, 3), bool)))["never"]["decisions"]
        == 0
    )


def test_figures__decisions_of_a_hand_are_not_independent():
    """Thrice the same decision tells no more than once: hands are the samples."""
    random = np.random.default_rng(1)
    values = random.normal(2, 1, 40)
    one, thrice = (
        scores.figures(values, np.arange(40)),
        scores.figures(values.repeat(3), np.arange(120) // 3),
    )
    known = Sums.of(values)
    for result, n in ((one, 40), (thrice, 120)):
        assert result["mean"] == pytest.approx(known.mean)
        assert result["standard_error"] == pytest.approx(known.standard_error)
        assert result["interval"] == pytest.approx(interval(known))
        assert (result["n"], result["hands"]) == (n, 40)


def test_figures__interval_holds_the_truth_for_hands_of_any_length():
    """Two thousand tables of 60 hands with something in common; by decisions 70 % would hold."""
    random, held, naive = np.random.default_rng(2), 0, 0
    for _ in range(2000):
        hand = np.arange(60).repeat(random.integers(1, 7, 60))
        values = 3 + random.normal(0, 1, 60)[hand] + random.normal(0, 1, hand.size)
        low, high = scores.figures(values, hand)["interval"]
        held += low < 3 < high
        low, high = scores.figures(values, np.arange(hand.size))["interval"]
        naive += low < 3 < high
    assert 0.92 < held / 2000 < 0.97
    assert naive / 2000 < 0.85


def test_figures__by_hand():
    """Two hands of one and three decisions: mean 3, hands 2 less and 2 more than their share."""
    result = scores.figures(np.array([1.0, 2.0, 4.0, 5.0]), np.array([0, 1, 1, 1]))
    assert result["mean"] == 3
    assert result["standard_error"] == pytest.approx(np.sqrt(2 * (2**2 + 2**2)) / 4)
    assert scores.figures(np.array([1.0, 2.0]), np.array([0, 0]))["standard_error"] is None


def test_cases__each_decision_is_in_one_and_the_parts_sum_to_the_loss():
    kinds = np.array([[0.5, 0.5, 0], [0, 1, 0], [0, 1, 0], [1.0, 0, 0]])
    offered = np.array([[1, 1, 1], [0, 1, 0], [1, 1, 0], [1, 1, 1]], bool)
    actual = scores.cases(MADE, Predicted(kinds, offered))
    result = {name: case["decisions"] for name, case in actual.items()}
    assert result == {"silent": 1, "absent": 1, "never": 1, "sometimes": 1}
    expected = scores.scores(MADE, {"agent": kinds})["loss"]["agent"]["mean"]
    assert sum(case["of_loss"] for case in actual.values()) == pytest.approx(expected)
    assert list(actual) == list(scores.CASES)


def test_baselines__frequencies_in_sample_and_left_out():
    np.testing.assert_array_equal(
        scores.uniform(MADE), [[1, 1, 1], [0, 1, 1], [0, 1, 1], [1, 1, 1]]
    )
    facing = scores.by_frequency(MADE, lambda d: tuple(d.legal))
    np.testing.assert_array_equal(facing, [[0, 2, 0], [0, 1, 1], [0, 1, 1], [0, 2, 0]])
    # of the big blind the two other decisions were calls; with one of each kind 1, 3, 1
    np.testing.assert_allclose(scores.left_out(MADE)[0], [0.2, 2.6, 0.2])


SEED = 3


@functools.cache
def shuffled():
    """A run and a policy of random rows, a third of them pure."""
    run, rng = made_up(0.5, 5), np.random.default_rng(1)
    policy = rng.integers(0, 100, run.layout.size) * rng.integers(0, 2, run.layout.size)
    return run, policy.astype(np.uint8)


@pytest.fixture(scope="module")
def own_play():
    """Decisions of hands of self-play, written and read, and what the agent gives to each kind."""
    run, policy = shuffled()
    names = ("blueprint", "blueprint")
    game = match_game(run.tree, run.layout)
    pair = (mixed(game, policy),) * 2
    played = list(hands(names, pair, game, run, 60, SEED))
    result = [d for record in played for d in decisions(notation.parse(to_line(record)))]
    return result, scores.predicted(run, policy, result, SearchConfig(**NEVER), no_search, SEED)


def test_predicted__own_play_gets_the_rows_that_were_played(own_play):
    result, actual = own_play
    run, policy = shuffled()
    deals = run.dealer.deal(child(SEED, "deals"), 0, 60).bucket
    later, expected = 0, []
    for d in result:
        node = run.tree.find([a for part in d.record.actions for a in part][: d.at])
        first, n = int(run.tree.node[node, 1]), tree.n_actions(int(run.tree.node[node, 0]))
        bucket = int(deals[d.record.number // 6, d.seat, d.in_round])
        at = run.layout.base[d.in_round, d.seat] + run.tree.node[node, 2]
        row = policy[at + bucket * run.layout.columns[d.in_round, d.seat] :][:n].astype(float)
        row = row / row.sum() if row.any() else np.full(n, 1 / n)
        expected.append(np.zeros(3))
        np.add.at(expected[-1], np.minimum(run.tree.action[first : first + n], 1) + 1, row)
        later += d.in_round > 0
    np.testing.assert_allclose(actual.kinds, expected, atol=1e-12)
    assert later > 500


def test_scores__own_play_costs_its_entropy_and_less_than_chance(own_play):
    output, result = own_play
    players = {"agent": result.kinds, "uniform": scores.uniform(output)}
    for in_round in range(4):
        at = [i for i, d in enumerate(output) if d.in_round == in_round]
        some = [output[i] for i in at]
        measured = scores.scores(some, {k: v[at] for k, v in players.items()}, "agent")
        for name, each in measured.items():
            apart = each["agent"]["mean"] - each["itself"]["mean"]
            assert abs(apart) < 4 * each["agent"]["standard_error"], (in_round, name)
        loss = measured["loss"]
        assert loss["agent"]["interval"][1] < loss["uniform"]["mean"]


def test_predicted__the_draws_of_a_hand_do_not_depend_on_the_others(own_play):
    output, result = own_play
    run, policy = shuffled()
    last = [d for d in output if d.record is output[-1].record]
    alone = scores.predicted(run, policy, last, SearchConfig(**NEVER), no_search, SEED)
    np.testing.assert_array_equal(alone.kinds, result.at(slice(-len(last), None)).kinds)
