"""The stages of a plan: exact rows, bytes that bound what is allocated, seconds."""

import pytest

from plan.presets import CONFIG, tiny
from sixmax.betting.tree_build import build
from sixmax.betting.tree_count import count
from sixmax.blueprint.train import training_bytes
from sixmax.blueprint.values import rows_of
from sixmax.cfr.layout import layout
from sixmax.cfr.sampled.train import new_table
from sixmax.config import load
from sixmax.games import two_round_holdem
from sixmax.plan.rates import FLOP_S, FLOPS_SEEN
from sixmax.plan.search import search_seconds
from sixmax.plan.stages import stages
from sixmax.search.players import PLAYERS


def test_stages__count_rows_exactly():
    """Situations of the full deck: Waugh 2013; 24 cards: counted by hand in tests/cards."""
    config = load(CONFIG / "default.yaml")
    rows = {s.stage: s.rows for s in stages(config, count(config.game))}
    assert rows["cluster flop"] == 1_286_792
    assert rows["cluster turn"] == 13_960_050
    assert rows["cluster river"] == 123_156_254
    assert rows["features"] == 169 + 1_286_792 + 13_960_050 + 123_156_254


def test_stages__table_is_what_training_allocates():
    config = tiny()
    tree = build(config.game)
    place = layout(tree, config.bucket_counts)
    rows = {s.stage: s.rows for s in stages(config, count(config.game))}
    assert rows["blueprint"] == place.size
    assert rows["tree"] == len(tree.node)
    table = new_table(place)
    allocated = table.regret.nbytes + table.count.nbytes + sum(a.nbytes for a in tree)
    bound = training_bytes(count(config.game), config.bucket_counts)
    assert allocated < bound < allocated + 1_000_000_000


def test_stages__tables_of_more_than_255_buckets_take_two_bytes_a_hand():
    config, disk = load(CONFIG / "default.yaml"), {}
    tree, cells = count(config.game), 134_459 * 1326
    for buckets in (255, 256, 10_000):
        counts = config.abstraction.buckets.model_copy(update={"river": buckets})
        section = config.abstraction.model_copy(update={"buckets": counts})
        lines = stages(config.model_copy(update={"abstraction": section}), tree)
        disk[buckets] = {s.stage: s for s in lines}
    byte, two, many = disk.values()
    assert byte["cluster river"].disk_gb == cells / 1e9
    assert two["cluster river"].disk_gb == many["cluster river"].disk_gb == 2 * cells / 1e9
    assert two["cluster river"].memory_gb > byte["cluster river"].memory_gb + cells / 1e9
    assert two["cluster turn"] == byte["cluster turn"]
    # The values of AIVAT hold two tables of float64 and one of float32, bucket against bucket.
    assert many["values"].memory_gb > byte["values"].memory_gb + 4 * 20 * 10_000**2 / 1e9 - 1


def test_stages__cost_more_when_there_is_more_to_do():
    config = tiny()
    longer = config.model_copy(
        update={"blueprint": config.blueprint.model_copy(update={"intervals": 40})}
    )
    tree = count(config.game)
    seconds = [{s.stage: s.seconds for s in stages(c, tree)} for c in (config, longer)]
    assert seconds[1]["blueprint"] > 5 * seconds[0]["blueprint"]
    assert seconds[1]["features"] == seconds[0]["features"]


def test_stages__take_twice_as_long_at_half_the_speed():
    config = tiny()
    slow = config.model_copy(update={"machine": config.machine.model_copy(update={"speed": 0.5})})
    tree = count(config.game)
    for fast, half in zip(stages(config, tree), stages(slow, tree), strict=True):
        assert half == fast._replace(seconds=pytest.approx(2 * fast.seconds))


def test_stages__name_the_flops_that_are_made_ahead():
    default = load(CONFIG / "default.yaml")
    tree = count(default.game)
    rows = {}
    for flops in ("none", 8, "all"):
        search = default.search.model_copy(update={"flops": flops})
        every = stages(default.model_copy(update={"search": search}), tree)
        rows[flops] = [s.rows for s in every if s.stage == "flops"]
    assert rows == {"none": [], 8: [8], "all": [1755]}
    (result,) = (s for s in every if s.stage == "flops")
    assert result.at_once == default.machine.threads
    assert 1755 < result.seconds < 1755 * 4


def test_stages__values_and_aivat():
    config = load(CONFIG / "default.yaml")
    tree = count(config.game)
    none = config.evaluation.model_copy(update={"aivat_deals": 0})
    unscored = config.model_copy(update={"evaluation": none})
    assert not {"values", "aivat"} & {s.stage for s in stages(unscored, tree)}
    result = {s.stage: s for s in stages(config, tree)}
    assert result["values"].rows == config.evaluation.values_hands
    assert result["aivat"].rows == 6 * 6 * config.evaluation.aivat_deals
    assert result["values"].seconds < 90 > result["aivat"].seconds / config.machine.threads


def test_stages__values_of_nodes_where_they_are_asked_for():
    two = load(CONFIG / "default.yaml", CONFIG / "hunl.yaml")
    tree, lines = count(two.game), {}
    for values in ([], ["turn"], ["turn", "river"]):
        section = two.blueprint.model_copy(update={"values": values})
        config = two.model_copy(update={"blueprint": section})
        lines[len(values)] = {s.stage: s for s in stages(config, tree)}.get("node values")
    assert lines[0] is None
    built = build(two.game)
    turn, river = (2 * len(rows_of(built, r)) * two.bucket_counts[r] for r in (2, 3))
    assert (lines[1].rows, lines[2].rows) == (turn, turn + river)
    assert lines[2].seconds == pytest.approx(2 * lines[1].seconds)


def lines_of(config, stage, section, key, values):
    """The line of ``stage`` with each of ``values`` as ``key`` of a section; None for no line."""
    tree, lines = count(config.game), []
    for value in values:
        part = getattr(config, section).model_copy(update={key: value})
        changed = config.model_copy(update={section: part})
        lines.append({s.stage: s for s in stages(changed, tree)}.get(stage))
    return lines


def test_stages__a_leaf_function_where_it_is_asked_for():
    """2 M states took 127 s on two cores beside little other work."""
    config = load(CONFIG / "default.yaml")
    states = (0, 1_000_000, 2_000_000)
    lines = lines_of(config, "leaf function", "leaf_function", "states", states)
    assert lines[0] is None
    assert (lines[1].rows, lines[2].rows) == (1_000_000, 2_000_000)
    assert 60 < lines[2].seconds < 200
    assert lines[1].seconds < lines[2].seconds < 2 * lines[1].seconds


def test_stages__values_of_the_first_round_where_they_are_asked_for():
    """Ten values took 1,425 s by the clock on two cores with some other work."""
    config = load(CONFIG / "default.yaml", CONFIG / "modicum.yaml")
    lines = lines_of(config, "self-generated", "self_generated", "values", (0, 2, 10))
    assert lines[0] is None
    assert (lines[1].rows, lines[2].rows) == (2, 18)
    assert lines[2].disk_gb == pytest.approx(2 * 10 * 13 * 169**2 * 4 / 1e9)
    assert 1000 < lines[2].seconds < 1600
    assert 7 * lines[1].seconds < lines[2].seconds


def test_stages__lower_bounds_of_two_players():
    """Two agents, six protocols, four hands a deal; asked for, and only where they can be had."""
    two = load(CONFIG / "default.yaml", CONFIG / "hunl.yaml")
    rows = {s.stage: s.rows for s in stages(two, count(two.game))}
    assert rows["lower bounds"] == 2 * 6 * 4 * two.evaluation.lbr_deals
    without = two.model_copy(
        update={"evaluation": two.evaluation.model_copy(update={"lbr_deals": 0})}
    )
    for config in (without, tiny()):
        assert "lower bounds" not in {s.stage for s in stages(config, count(config.game))}


def test_stages__lower_bounds_against_search_where_they_are_asked_for():
    two = load(CONFIG / "default.yaml", CONFIG / "hunl.yaml")
    assert "search bounds" not in {s.stage for s in stages(two, count(two.game))}
    asked = two.evaluation.model_copy(update={"lbr_search": {"fcpa": 30, "fc": 0, "56flop": 20}})
    config = two.model_copy(update={"evaluation": asked})
    (line,) = [s for s in stages(config, count(two.game)) if s.stage == "search bounds"]
    assert line.rows == 2 * 50
    assert 0.5 < line.seconds / 50 < 20


def test_stages__exact_best_responses_where_they_can_be_had():
    flop = tiny().model_copy(update={"game": two_round_holdem.game("flop")})
    for config, expected in ((flop, 2), (tiny(), None)):
        rows = {s.stage: s.rows for s in stages(config, count(config.game))}
        assert rows.get("best response") == expected
        assert "lower bounds" not in rows


def test_stages__search_and_its_gate():
    """Measured, fast setting, default run: .45 s of a core a search, .73 s a hand of the gain.

    On a Xeon, which is slower than the machine of the plan.
    """
    config = load(CONFIG / "default.yaml")
    tree = count(config.game)
    fast, full = (search_seconds(config, setting, 1) for setting in ("fast", "full"))
    assert 0.1 < fast < 0.4 < full < 2
    assert search_seconds(config, "fast", 2) == fast / 2
    result = {s.stage: s for s in stages(config, tree)}
    asked = config.evaluation
    assert result["search gain"].rows == asked.search_hands
    assert result["search duel"].rows == 6 * asked.search_deals
    assert 0.2 < result["search gain"].seconds / asked.search_hands < 0.8
    assert 0.4 < result["search duel"].seconds / asked.search_deals < 1.6
    assert "search held" not in result  # to Pluribus's decisions: without its hands there are none
    message = asked.model_copy(update={"pluribus_hands": "logs"})
    held = config.model_copy(update={"evaluation": message})
    (line,) = [s for s in stages(held, tree) if s.stage == "search held"]
    assert line.rows == asked.pluribus_search_hands
    assert 0.4 < line.seconds / line.rows < 2  # 2 s, before two players' search was made faster
    none = asked.model_copy(update={"search_hands": 0, "search_deals": 0})
    without = config.model_copy(update={"evaluation": none})
    assert not [s for s in stages(without, tree) if s.stage.startswith("search")]
    seconds = {}
    for output, flops in ((True, 8), (False, 7)):
        changes = {
            "evaluation": asked.model_copy(update={"search_setting": "full"}),
            "search": config.search.model_copy(update={"flops": flops}),
        }
        lines = stages(config.model_copy(update=changes), tree)
        (seconds[output],) = [s.seconds for s in lines if s.stage == "search gain"]
    assert seconds[True] > 2 * result["search gain"].seconds
    # The buckets of a hand's flop are made first, where they are not made ahead.
    flops = asked.search_hands * FLOPS_SEEN * FLOP_S / config.machine.speed
    assert seconds[False] - seconds[True] == pytest.approx(flops)


def test_stages__training_of_two_players_is_near_what_was_measured():
    """`hunl` on two cores of a Xeon, speed .65: 367 s."""
    config = load(CONFIG / "default.yaml", CONFIG / "hunl.yaml")
    result = {s.stage: s for s in stages(config, count(config.game))}
    assert result["blueprint"].seconds / 0.65 == pytest.approx(367, rel=0.2)


def test_stages__of_libratus_are_near_what_was_measured():
    """Seconds of two cores, an EPYC of Zen 5: training 440, gain of search 3,640 of one core."""
    config = load(CONFIG / "default.yaml", CONFIG / "libratus.yaml")
    fast = config.search.fast.model_copy(update={"vector_iterations": [100] * 4})
    search = config.search.model_copy(update={"fast": fast})  # as it was measured
    config = config.model_copy(update={"search": search})
    result = {s.stage: s for s in stages(config, count(config.game))}
    assert 300 < result["blueprint"].seconds < 660
    hands = config.evaluation.search_hands
    assert 8 < result["search gain"].seconds / hands < 18  # 12 measured
    unsafe = PLAYERS["libratus"]._replace(nested="none")
    resolved = config.search.model_copy(update={"player": unsafe})
    without = stages(config.model_copy(update={"search": resolved}), count(config.game))
    (gain,) = [s.seconds for s in without if s.stage == "search gain"]
    assert gain < result["search gain"].seconds / 3
