"""The time of a search: more for more bets, and for roll-outs."""

import pytest

from plan.presets import changed, preset
from sixmax.plan import rates
from sixmax.plan.search import gate, search_seconds


def test_search_seconds__more_bets_on_the_flop_cost_more():
    late, on_flop = (
        search_seconds(preset(search={"bets": bets}), "fast", 1)
        for bets in ([[], [], [0.5], [0.5]], [[], [0.5], [], []])
    )
    assert on_flop > 1.2 * late


def test_search_seconds__a_limited_flop_costs_its_roll_outs_and_its_own_iterations():
    """.35 + 1.2 for 100,000 deals + 1.8 seconds of one core were measured, on a flop alone."""
    config = preset("modicum", search={"first": 1})
    _, _, turn, river = config.search.vector_iterations
    more = ({"vector_iterations": [n, 1_000, turn, river]} for n in (500, 1))
    changes = [{}, {"roll_outs": 400_000}, *more]
    each = [3 * search_seconds(changed(config, search=change), "full", 1) for change in changes]
    assert each[1] - each[0] == pytest.approx(1.2, abs=0.1)
    assert each[2] - each[0] == pytest.approx(1.8, abs=0.3)
    assert each[3] == each[2]  # of the first round


def test_search_seconds__a_first_round_costs_its_values():
    config = preset("modicum")
    assert config.search.player.limited == (0, 1)
    others, half = {"search": {"first": 1}}, {"self_generated": {"values": 5}}
    three, four, less = (
        search_seconds(changed(config, **change), "full", 1) for change in (others, {}, half)
    )
    assert 4 * four - 3 * three == pytest.approx(1.35)  # 500 iterations of ten values
    assert 4 * less - 3 * three == pytest.approx(0.675)


def test_gate__a_gain_in_several_ways_takes_the_searches_of_each():
    """Modicum's, in 2, 2 and 6 ways: 43 s a hand, on a Xeon half as fast as a core of speed 1."""
    config = preset("modicum")
    several, one = (
        next(line.seconds / line.rows for line in gate(each, 10**7) if line.stage == "search gain")
        for each in (config, changed(config, evaluation={"search_branches": [1, 1, 1]}))
    )
    assert 16 < several < 28
    assert several > 2.5 * one


def test_search_seconds__branches_before_the_first_search_are_none():
    one, two, three = (
        [
            search_seconds(preset("modicum", search={"first": first}), "fast", 1, ways)
            for ways in ((1, 1, 1), (2, 1, 1), (2, 2, 1))
        ]
        for first in (1, 2, 3)
    )
    assert one[1] == one[0] < one[2]
    assert two[2] == two[1] == two[0]
    assert three[2] == three[0]


def test_search_seconds__a_clock_cuts_each_search_and_not_all_of_a_hand():
    config = preset("modicum", search={"seconds": 0.01})
    one, many = (search_seconds(config, "full", 1, ways) for ways in ((1, 1, 1), (2, 2, 6)))
    assert one == pytest.approx(0.01 * config.machine.speed)
    assert many == pytest.approx(one * (1 + 2 + 4 + 24) / 4)


def test_gate__nested_searches_are_several_of_one_hand(monkeypatch):
    config = preset("libratus")
    assert config.search.player.nested_bets == "all"

    def gain():
        return next(line.seconds for line in gate(config, 10**7) if line.stage == "search gain")

    before = gain()
    monkeypatch.setattr(rates, "NESTED_SEARCHES", 2 * rates.NESTED_SEARCHES)
    assert 1.5 * before < gain() < 2.01 * before
