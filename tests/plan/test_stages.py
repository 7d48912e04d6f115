"""The stages of a plan: exact rows, bytes that bound what is allocated, seconds."""

import pytest

from plan.presets import changed, counted, lines, preset
from sixmax.betting.tree_build import build
from sixmax.blueprint.train import training_bytes
from sixmax.blueprint.values import rows_of
from sixmax.cfr.layout import layout
from sixmax.cfr.sampled.train import new_table
from sixmax.games import two_round_holdem
from sixmax.plan.rates import FLOP_S, FLOPS_SEEN
from sixmax.plan.search import search_seconds
from sixmax.search.players import PLAYERS


def test_stages__count_rows_exactly():
    """Situations of the full deck: Waugh 2013; 24 cards: counted by hand in tests/cards."""
    rows = {name: line.rows for name, line in lines(preset()).items()}
    assert rows["cluster flop"] == 1_286_792
    assert rows["cluster turn"] == 13_960_050
    assert rows["cluster river"] == 123_156_254
    assert rows["features"] == 169 + 1_286_792 + 13_960_050 + 123_156_254


def test_stages__table_is_what_training_allocates():
    config = preset("tiny")
    tree = build(config.game)
    place = layout(tree, config.bucket_counts)
    actual = lines(config)
    assert actual["blueprint"].rows == place.size
    assert actual["tree"].rows == len(tree.node)
    table = new_table(place)
    allocated = table.regret.nbytes + table.count.nbytes + sum(a.nbytes for a in tree)
    bound = training_bytes(counted(config), config.bucket_counts)
    assert allocated < bound < allocated + 1_000_000_000


def test_stages__tables_of_more_than_255_buckets_take_two_bytes_a_hand():
    config, cells = preset(), 134_459 * 1326
    byte, two, many = (
        lines(
            changed(
                config,
                abstraction={
                    "buckets": config.abstraction.buckets.model_copy(update={"river": buckets})
                },
            )
        )
        for buckets in (255, 256, 10_000)
    )
    assert byte["cluster river"].disk_gb == cells / 1e9
    assert two["cluster river"].disk_gb == many["cluster river"].disk_gb == 2 * cells / 1e9
    assert two["cluster river"].memory_gb > byte["cluster river"].memory_gb + cells / 1e9
    assert two["cluster turn"] == byte["cluster turn"]
    # The values of AIVAT hold two tables of float64 and one of float32, bucket against bucket.
    assert many["values"].memory_gb > byte["values"].memory_gb + 4 * 20 * 10_000**2 / 1e9 - 1


def test_stages__cost_more_when_there_is_more_to_do():
    short, long = lines(preset("tiny")), lines(preset("tiny", blueprint={"intervals": 40}))
    assert long["blueprint"].seconds > 5 * short["blueprint"].seconds
    assert long["features"].seconds == short["features"].seconds


def test_stages__take_twice_as_long_at_half_the_speed():
    slow = lines(preset("tiny", machine={"speed": 0.5}))
    for name, fast in lines(preset("tiny")).items():
        assert slow[name] == fast._replace(seconds=pytest.approx(2 * fast.seconds))


def test_stages__name_the_flops_that_are_made_ahead():
    none, eight, every = (
        lines(preset(search={"flops": flops})).get("flops") for flops in ("none", 8, "all")
    )
    assert (none, eight.rows, every.rows) == (None, 8, 1755)
    assert every.at_once == preset().machine.threads
    assert 1755 < every.seconds < 1755 * 4


def test_stages__values_and_aivat():
    config = preset()
    assert not {"values", "aivat"} & lines(changed(config, evaluation={"aivat_deals": 0})).keys()
    actual = lines(config)
    assert actual["values"].rows == config.evaluation.values_hands
    assert actual["aivat"].rows == 6 * 6 * config.evaluation.aivat_deals
    assert actual["values"].seconds < 90 > actual["aivat"].seconds / config.machine.threads


def test_stages__values_of_nodes_where_they_are_asked_for():
    two = preset("hunl")
    none, one, both = (
        lines(changed(two, blueprint={"values": values})).get("node values")
        for values in ([], ["turn"], ["turn", "river"])
    )
    assert none is None
    built = build(two.game)
    turn, river = (2 * len(rows_of(built, r)) * two.bucket_counts[r] for r in (2, 3))
    assert (one.rows, both.rows) == (turn, turn + river)
    assert both.seconds == pytest.approx(2 * one.seconds)


def test_stages__a_leaf_function_where_it_is_asked_for():
    """2 M states took 127 s on two cores beside little other work."""
    none, one, two = (
        lines(preset(leaf_function={"states": states})).get("leaf function")
        for states in (0, 1_000_000, 2_000_000)
    )
    assert (none, one.rows, two.rows) == (None, 1_000_000, 2_000_000)
    assert 60 < two.seconds < 200
    assert one.seconds < two.seconds < 2 * one.seconds


def test_stages__values_of_the_first_round_where_they_are_asked_for():
    """Ten values took 1,425 s by the clock on two cores with some other work."""
    none, two, ten = (
        lines(preset("modicum", self_generated={"values": values})).get("self-generated")
        for values in (0, 2, 10)
    )
    assert (none, two.rows, ten.rows) == (None, 2, 18)
    assert ten.disk_gb == pytest.approx(2 * 10 * 13 * 169**2 * 4 / 1e9)
    assert 1000 < ten.seconds < 1600
    assert 7 * two.seconds < ten.seconds


def test_stages__lower_bounds_of_two_players():
    """Two agents, six protocols, four hands a deal; asked for, and only where they can be had."""
    two = preset("hunl")
    assert lines(two)["lower bounds"].rows == 2 * 6 * 4 * two.evaluation.lbr_deals
    for config in (changed(two, evaluation={"lbr_deals": 0}), preset("tiny")):
        assert "lower bounds" not in lines(config)


def test_stages__lower_bounds_against_search_where_they_are_asked_for():
    assert "search bounds" not in lines(preset("hunl"))
    asked = {"lbr_search": {"fcpa": 30, "fc": 0, "56flop": 20}}
    line = lines(preset("hunl", evaluation=asked))["search bounds"]
    assert line.rows == 2 * 50
    assert 0.5 < line.seconds / 50 < 20


@pytest.mark.parametrize("name", ["libratus", "modicum"])
def test_stages__seconds_of_a_deal_against_search_are_near_those_measured(name):
    """Of a core, with 8 s for boards of the blueprint (docs/notebook/exploitability)."""
    asked = {"search_setting": "fast"}
    for protocol, least, most in (
        ("fc", 22, 30),
        ("fcpa", 21, 44),
        ("modicum-1", 25, 42),
        ("56bets", 40, 68),
    ):
        config = preset(name, evaluation=asked | {"lbr_search": {protocol: 100}})
        assert 100 * least < lines(config)["search bounds"].seconds < 100 * most


def test_stages__exact_best_responses_where_they_can_be_had():
    flop = preset("tiny").model_copy(update={"game": two_round_holdem.game("flop")})
    actual = lines(flop)
    assert actual["best response"].rows == 2
    assert "lower bounds" not in actual
    assert "best response" not in lines(preset("tiny"))


def test_stages__search_and_its_gate():
    """Measured, fast setting, default run: .45 s of a core a search, .73 s a hand of the gain.

    On a Xeon, which is slower than the machine of the plan.
    """
    config = preset()
    fast, full = (search_seconds(config, setting, 1) for setting in ("fast", "full"))
    assert 0.1 < fast < 0.4 < full < 2
    assert search_seconds(config, "fast", 2) == fast / 2
    actual, asked = lines(config), config.evaluation
    assert actual["search gain"].rows == asked.search_hands
    assert actual["search duel"].rows == 6 * asked.search_deals
    assert 0.2 < actual["search gain"].seconds / asked.search_hands < 0.8
    assert 0.4 < actual["search duel"].seconds / asked.search_deals < 1.6
    none = preset(evaluation={"search_hands": 0, "search_deals": 0})
    assert not [name for name in lines(none) if name.startswith("search")]
    ahead, anew = (
        lines(preset(evaluation={"search_setting": "full"}, search={"flops": flops}))["search gain"]
        for flops in (8, 7)
    )
    assert ahead.seconds > 2 * actual["search gain"].seconds
    # The buckets of a hand's flop are made first, where they are not made ahead.
    flops = asked.search_hands * FLOPS_SEEN * FLOP_S / config.machine.speed
    assert anew.seconds - ahead.seconds == pytest.approx(flops)


def test_stages__search_held_to_pluribus_where_its_hands_are_given():
    config = preset(evaluation={"pluribus_hands": "logs"})
    assert "search held" not in lines(preset())
    line = lines(config)["search held"]
    assert line.rows == config.evaluation.pluribus_search_hands
    assert 0.4 < line.seconds / line.rows < 2  # 2 s, before two players' search was made faster


def test_stages__training_of_two_players_is_near_what_was_measured():
    """`hunl` on two cores of a Xeon, speed .65: 367 s."""
    assert lines(preset("hunl"))["blueprint"].seconds / 0.65 == pytest.approx(367, rel=0.2)


def test_stages__of_libratus_are_near_what_was_measured():
    """Seconds of two cores, an EPYC of Zen 5: training 440, gain of search 3,640 of one core."""
    config = preset("libratus")
    fast = config.search.fast.model_copy(update={"vector_iterations": [100] * 4})
    config = changed(config, search={"fast": fast})  # as it was measured
    actual = lines(config)
    assert 300 < actual["blueprint"].seconds < 660
    gain = actual["search gain"].seconds
    assert 8 < gain / config.evaluation.search_hands < 18  # 12 measured
    without = lines(changed(config, search={"player": PLAYERS["libratus"]._replace(nested="none")}))
    assert without["search gain"].seconds < gain / 3
