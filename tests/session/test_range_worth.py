"""The worth of actions to every hand: by a slow twin, by one hand's worth, and exactly."""

import numpy as np
import pytest

from oracles.session import expected as slow
from search.holdem import RANKS, RIVER, small_run
from session.test_worth import NONE, hand_at, river_call, side_of
from sixmax.base.jit import set_threads, threads_in_use
from sixmax.base.rng import child, stream
from sixmax.betting.rules import CALL, FOLD
from sixmax.cards.deck import holds, hole_cards, hole_id
from sixmax.session.range_worth import RangeWorth, range_worth, standard_error
from sixmax.session.worth import deals_by, worth


def asked(run, policy, actions, board=RIVER):
    """The arguments of a roll-out after ``actions``, but for the actions and the seed."""
    hand = hand_at(run, policy, actions, board)
    return hand, side_of(run, policy), hand.now()


@pytest.mark.parametrize("actions", [[[]], [[300, 0, 0], [0, 750]], [[0, 0, 0], [0, 0, 0], [273]]])
def test_range_worth__every_deal_as_the_slow_twin(actions):
    """On the tree and off it: fold or check, call, a size that no tree has, all-in."""
    run, policy = small_run(3)
    args = asked(run, policy, actions)
    betting, seat = args[0].betting, args[0].betting.actor
    low, high = betting.raise_range
    offered = [FOLD] * bool(betting.to_call) + [CALL, low + 37, high]
    result = range_worth(*args, offered, 11, parts=2, deals=1)
    cards = deals_by(args[-1], seat, NONE, args[0].board, RANKS, child(11, "deals"), 2)
    for part, deal in enumerate(cards):
        free = ~holds(deal[deal >= 0], RANKS)
        assert np.array_equal(result.deals[part] > 0, free)
        assert not result.won[part][:, ~free].any()
        for hole in np.random.default_rng(part).choice(np.flatnonzero(free), 3, replace=False):
            deal[2 * seat : 2 * seat + 2] = hole_cards(RANKS)[hole]
            for k, action in enumerate(offered):
                state = np.uint64(stream(child(11, "draws"), np.uint64(part)))
                value = slow(*args[:2], deal, action, state)
                assert result.won[part, k, hole] == pytest.approx(value, abs=1e-9)


def test_range_worth__agrees_with_the_worth_of_one_hand():
    """Two samplers of one expectation, with other deals: apart by their errors and no more."""
    run, policy = small_run(3)
    args = asked(run, policy, [[300, 0, 0], [0, 750]])
    result, off = range_worth(*args, [CALL], 2, deals=40), []
    for number, hole in enumerate(np.flatnonzero(~holds(RIVER[:3], RANKS))[::40]):
        mean, error = result.mean[0, hole], standard_error(result.off)[0, hole]
        held = hole_cards(RANKS)[hole]
        one = worth(*args[:2], held, args[2], [CALL], 5 + number, 2000).of(CALL)
        off.append((mean - one.mean) / np.hypot(error, one.standard_error))
    assert len(off) > 4
    assert max(map(abs, off)) < 4.5
    assert np.nanstd(result.mean) > 20  # chips: hands differ


def test_range_worth__of_a_call_on_the_river_is_the_exact_expectation():
    hand, side, beliefs, hole, expected = river_call()
    result, mine = range_worth(hand, side, beliefs, [FOLD, CALL], 5, deals=200), hole_id(*hole)
    mean, error = result.mean[1, mine], standard_error(result.off)[1, mine]
    assert abs(mean - expected) < 4 * error
    assert abs(mean) > 8 * error
    assert not result.won[:, 0].any()  # a fold


def test_range_worth__does_not_depend_on_threads_and_tells_its_progress():
    run, policy = small_run(3)
    args, before, message = asked(run, policy, [[250]]), threads_in_use(), []
    try:
        results = []
        for threads in (1, 2):
            set_threads(threads)
            results.append(range_worth(*args, [CALL], 3, 12, 2, message.append))
    finally:
        set_threads(before)
    assert np.array_equal(results[0].won, results[1].won)
    assert sum(message) == 2 * 12 * 2
    assert len(message) == 4


def test_range_worth__no_deal_agrees():
    run, policy = small_run(3)
    *args, beliefs = asked(run, policy, [[]])
    beliefs = np.zeros_like(beliefs)
    beliefs[:, 7] = 1.0  # all others hold the same two cards
    assert range_worth(*args, beliefs, [CALL], 5, 2, 1) is None


def test_standard_error__of_a_mean_of_ratios_is_its_spread_over_many_experiments():
    random, means, errors = np.random.default_rng(3), [], []
    for _ in range(400):
        n = random.integers(0, 9, (40, 2)).astype(float)
        won = 5 * n + random.normal(0, 3, (40, 2)) * np.sqrt(n)
        result = RangeWorth((0,), won[:, None], n)
        means.append(result.mean[0] @ [0.3, 0.7])
        errors.append(standard_error(result.off[:, 0] @ [0.3, 0.7]))
    assert np.mean(means) == pytest.approx(5, abs=4 * np.std(means) / 20)
    assert np.mean(errors) == pytest.approx(np.std(means), rel=0.15)
