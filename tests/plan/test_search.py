"""The time of a search: more for more bets, and for roll-outs."""

import pytest

from plan.presets import CONFIG
from sixmax.config import load
from sixmax.plan.search import gate, search_seconds


def test_search_seconds__more_bets_on_the_flop_cost_more():
    config = load(CONFIG / "default.yaml")
    seconds = []
    for bets in ([[], [], [0.5], [0.5]], [[], [0.5], [], []]):
        search = config.search.model_copy(update={"bets": bets})
        seconds.append(search_seconds(config.model_copy(update={"search": search}), "fast", 1))
    assert seconds[1] > 1.2 * seconds[0]


def test_search_seconds__a_limited_flop_costs_its_roll_outs_and_its_own_iterations():
    """.35 + 1.2 for 100,000 deals + 1.8 seconds of one core were measured, on a flop alone."""
    config = load(CONFIG / "default.yaml", CONFIG / "modicum.yaml")
    config = config.model_copy(update={"search": config.search.model_copy(update={"first": 1})})
    _, _, turn, river = config.search.vector_iterations
    more = ({"vector_iterations": [n, 1_000, turn, river]} for n in (500, 1))
    changes = [{}, {"roll_outs": 400_000}, *more]
    each = [
        3 * search_seconds(config.model_copy(update={"search": search}), "full", 1)
        for search in (config.search.model_copy(update=change) for change in changes)
    ]
    assert each[1] - each[0] == pytest.approx(1.2, abs=0.1)
    assert each[2] - each[0] == pytest.approx(1.8, abs=0.3)
    assert each[3] == each[2]  # of the first round


def test_search_seconds__a_first_round_costs_its_values():
    config = load(CONFIG / "default.yaml", CONFIG / "modicum.yaml")
    assert config.search.player.limited == (0, 1)
    others, first, half = (
        config.model_copy(update=changes)
        for changes in (
            {"search": config.search.model_copy(update={"first": 1})},
            {},
            {"self_generated": config.self_generated.model_copy(update={"values": 5})},
        )
    )
    three, four, less = (search_seconds(each, "full", 1) for each in (others, first, half))
    assert 4 * four - 3 * three == pytest.approx(1.35)  # 500 iterations of ten values
    assert 4 * less - 3 * three == pytest.approx(0.675)


def test_gate__a_gain_in_several_ways_takes_the_searches_of_each():
    """Modicum's, in 2, 2 and 6 ways: 43 s a hand, on a Xeon half as fast as a core of speed 1."""
    config = load(CONFIG / "default.yaml", CONFIG / "modicum.yaml")
    one = config.evaluation.model_copy(update={"search_branches": [1, 1, 1]})
    seconds = [
        next(line.seconds / line.rows for line in gate(each, 10**7) if line.stage == "search gain")
        for each in (config, config.model_copy(update={"evaluation": one}))
    ]
    assert 16 < seconds[0] < 28
    assert seconds[0] > 2.5 * seconds[1]


def test_search_seconds__branches_before_the_first_search_are_none():
    config = load(CONFIG / "default.yaml", CONFIG / "modicum.yaml")
    later = {
        first: config.model_copy(
            update={"search": config.search.model_copy(update={"first": first})}
        )
        for first in (1, 2, 3)
    }
    one, two, three = (
        [search_seconds(each, "fast", 1, ways) for ways in ((1, 1, 1), (2, 1, 1), (2, 2, 1))]
        for each in later.values()
    )
    assert one[1] == one[0] < one[2]
    assert two[2] == two[1] == two[0]
    assert three[2] == three[0]


def test_search_seconds__a_clock_cuts_each_search_and_not_all_of_a_hand():
    config = load(CONFIG / "default.yaml", CONFIG / "modicum.yaml")
    search = config.search.model_copy(update={"seconds": 0.01})
    cut = config.model_copy(update={"search": search})
    one, many = (search_seconds(cut, "full", 1, ways) for ways in ((1, 1, 1), (2, 2, 6)))
    assert one == pytest.approx(0.01 * config.machine.speed)
    assert many == pytest.approx(one * (1 + 2 + 4 + 24) / 4)
