"""The plan: exact rows, bytes that bound what is allocated, a line for every stage."""

import json
import re
from pathlib import Path

import pytest
import yaml

from sixmax.blueprint.train import refuse_too_large, training_bytes
from sixmax.blueprint.values import rows_of
from sixmax.cfr.layout import layout
from sixmax.cfr.sampled.train import new_table
from sixmax.config import load
from sixmax.errors import UserError
from sixmax.game.tree_build import build
from sixmax.game.tree_count import count
from sixmax.games import two_round_holdem
from sixmax.plan.plan import plan
from sixmax.plan.rates import (
    FLOP_S,
    FLOPS_SEEN,
    REFERENCE_DECISIONS,
    REFERENCE_TABLE_GB,
    relative_cost,
)
from sixmax.plan.search import search_seconds
from sixmax.plan.stages import stages

CONFIG = Path(__file__).parents[2] / "config"
# Seconds of the jobs of one `make run` on two cores of a Xeon, compiling included, added up by
# stage; the whole by the clock; and the speed at which the plan says that. `default` had the tree
# of `starter` then.
MEASURED = {
    "features": 51.7, "cluster flop": 30.5, "cluster turn": 36.6, "cluster river": 87.5,
    "tree": 6.0, "blueprint": 262.2, "average": 4.0, "continuation": 10.6, "flops": 60.9,
    "evaluation": 51.2, "values": 50.6, "aivat": 94.8, "search gain": 264.4,
    "search duel": 10.0, "experiments": 76.6, "report": 2.3,
}  # fmt: skip
CLOCK, SPEED = 827.0, 0.65


def tiny():
    return load(CONFIG / "default.yaml", CONFIG / "tiny.yaml")


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


def test_plan__of_the_default_is_what_it_takes(tmp_path):
    rounds = yaml.safe_load((CONFIG / "starter.yaml").read_text())["game"]["rounds"]
    then = {"machine": {"speed": SPEED}, "game": {"rounds": rounds}}
    (tmp_path / "then.yaml").write_text(yaml.safe_dump(then))
    text = plan(load(CONFIG / "default.yaml", tmp_path / "then.yaml"), tmp_path / "plan.json")
    record = json.loads((tmp_path / "plan.json").read_text())
    assert record["total"]["seconds"] == pytest.approx(CLOCK, rel=0.15)
    assert f"at {SPEED} of the speed" in text
    result = {stage["stage"]: stage["seconds"] for stage in record["stages"]}
    assert result.keys() == MEASURED.keys()
    # A stage alone by a factor of two at most: what it compiles the first time is not planned.
    long = {name: seconds for name, seconds in MEASURED.items() if seconds > 30}
    assert {n: result[n] for n, s in long.items() if not 0.5 < result[n] / s < 2} == {}


def test_plan__of_the_default_of_now_is_what_it_takes(tmp_path):
    """From nothing, installing apart, on two idle cores of an EPYC (Zen 4): 10 min 53 s."""
    plan(load(CONFIG / "default.yaml"), tmp_path / "plan.json")
    total = json.loads((tmp_path / "plan.json").read_text())["total"]
    assert total["seconds"] == pytest.approx(653.0, rel=0.15)


@pytest.mark.slow  # counts 689 M nodes
def test_plan__of_the_papers_scale_is_what_the_documentation_says(tmp_path):
    config = load(CONFIG / "default.yaml", CONFIG / "pluribus.yaml")
    plan(config, tmp_path / "plan.json")
    record = json.loads((tmp_path / "plan.json").read_text())
    lines, total = {line["stage"]: line for line in record["stages"]}, record["total"]
    sequences = lines["tree"]["rows"] / 1e6
    assert sequences == pytest.approx(664.8, rel=0.1)  # the paper's
    regrets = 4 * lines["blueprint"]["rows"] / 1e9
    expected = {
        "README.md": (
            f"{sequences:.0f} M action sequences; 64 cores, {config.machine.memory_gb:.0f} GB",
            f"{total['disk_gb'] / 1000:.1f} TB of disk | {total['seconds'] / 86400:.0f} days",
        ),
        "docs/results/performance.md": (
            f"{sequences:.0f} M sequences",
            f"{regrets:.0f} GB of regrets laid out",
            f"{lines['blueprint']['seconds'] / 86400:.1f} days of 64",
        ),
        "config/pluribus.yaml": (
            f"training has {lines['blueprint']['memory_gb']:.0f}, {regrets:.0f} of them regrets",
        ),
    }
    for name, texts in expected.items():
        page = " ".join((CONFIG.parent / name).read_text().split())
        assert [text for text in texts if text not in page] == [], name
    assert max(line["memory_gb"] for line in lines.values()) <= config.machine.memory_gb


def test_relative_cost__is_one_for_the_reference_and_grows_with_the_tree():
    """The reference: limps for all, one bet on flop and turn; 200 buckets a round."""
    decisions, table_gb = REFERENCE_DECISIONS, REFERENCE_TABLE_GB
    game = load(CONFIG / "default.yaml").game
    bet = game.rounds[1].model_copy(update={"sizes": [[0.75]], "max_raises": 1, "max_players": 3})
    river = game.rounds[3].model_copy(update={"max_players": 2})
    rounds = [game.rounds[0].model_copy(update={"limps": True}), bet, bet, river]
    reference = count(game.model_copy(update={"rounds": rounds}))
    entries = reference.columns.sum(axis=1) @ [169, 200, 200, 200]
    assert (int(reference.decisions.sum()), round(4 * entries / 1e9, 2)) == (decisions, table_gb)
    assert relative_cost(decisions, table_gb) == 1
    default = count(load(CONFIG / "default.yaml").game)
    gb = 4e-9 * (default.columns.sum(axis=1) @ [169, 200, 200, 200])
    assert 0.85 < relative_cost(int(default.decisions.sum()), gb) < 1
    costs = [relative_cost(decisions, gb) for gb in (0.001, 0.01, 1, 100)]
    assert costs[0] == costs[1] < costs[2] < costs[3]
    assert relative_cost(10 * decisions, 10 * table_gb) > relative_cost(decisions, 10 * table_gb)


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


def test_stages__a_leaf_function_where_it_is_asked_for():
    """2 M states took 127 s on two cores beside little other work."""
    config = load(CONFIG / "default.yaml")
    tree, lines = count(config.game), []
    for states in (0, 1_000_000, 2_000_000):
        section = config.leaf_function.model_copy(update={"states": states})
        changed = config.model_copy(update={"leaf_function": section})
        lines.append({s.stage: s for s in stages(changed, tree)}.get("leaf function"))
    assert lines[0] is None
    assert (lines[1].rows, lines[2].rows) == (1_000_000, 2_000_000)
    assert 60 < lines[2].seconds < 200
    assert lines[1].seconds < lines[2].seconds < 2 * lines[1].seconds


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
    for output in (True, False):
        message = asked.model_copy(update={"search_setting": "full", "search_flops": output})
        lines = stages(config.model_copy(update={"evaluation": message}), tree)
        (seconds[output],) = [s.seconds for s in lines if s.stage == "search gain"]
    assert seconds[True] > 2 * result["search gain"].seconds
    # The buckets of a hand's flop are made first, where they are not made ahead.
    flops = asked.search_hands * FLOPS_SEEN * FLOP_S / config.machine.speed
    assert seconds[False] - seconds[True] == pytest.approx(flops)


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
    assert config.search.limited == [1]
    changes = [{}, {"roll_outs": 400_000}, {"limited_iterations": 1_000}, {"board_iterations": 1}]
    each = [
        3 * search_seconds(config.model_copy(update={"search": search}), "full", 1)
        for search in (config.search.model_copy(update=change) for change in changes)
    ]
    assert each[1] - each[0] == pytest.approx(1.2, abs=0.1)
    assert each[2] - each[0] == pytest.approx(1.8, abs=0.3)
    assert each[3] == each[0]


def test_stages__training_of_two_players_is_near_what_was_measured():
    """`hunl` on two cores of a Xeon, speed .65: 367 s."""
    config = load(CONFIG / "default.yaml", CONFIG / "hunl.yaml")
    result = {s.stage: s for s in stages(config, count(config.game))}
    assert result["blueprint"].seconds / 0.65 == pytest.approx(367, rel=0.2)


def test_stages__of_libratus_are_near_what_was_measured():
    """Seconds of two cores, an EPYC of Zen 5: training 440, gain of search 3,640 of one core."""
    config = load(CONFIG / "default.yaml", CONFIG / "libratus.yaml")
    fast = config.search.fast.model_copy(update={"vector_iterations": 100, "turn_iterations": 100})
    search = config.search.model_copy(update={"fast": fast})  # as it was measured
    config = config.model_copy(update={"search": search})
    result = {s.stage: s for s in stages(config, count(config.game))}
    assert 300 < result["blueprint"].seconds < 660
    hands = config.evaluation.search_hands
    assert 8 < result["search gain"].seconds / hands < 18  # 12 measured
    resolved = config.search.model_copy(update={"nested": "none"})
    without = stages(config.model_copy(update={"search": resolved}), count(config.game))
    (gain,) = [s.seconds for s in without if s.stage == "search gain"]
    assert gain < result["search gain"].seconds / 3


def test_plan__says_what_a_search_costs(tmp_path):
    lines = plan(tiny(), tmp_path / "plan.json").splitlines()
    (line,) = [line for line in lines if line.startswith("a search takes")]
    assert re.fullmatch(
        r"a search takes about \d\.\d s, in the fast setting \d\.\d s; "
        r"the first on a flop \d\.\d s more, for its buckets",
        line,
    )


def test_plan__writes_what_it_prints(tmp_path):
    text = plan(tiny(), tmp_path / "plan.json")
    record = json.loads((tmp_path / "plan.json").read_text())
    for stage in record["stages"]:
        assert stage["stage"] in text
        assert stage["seconds"] > 0
    assert record["total"]["seconds"] == pytest.approx(
        sum(s["seconds"] / s["at_once"] for s in record["stages"])
    )


def test_refuse_too_large__says_both_numbers():
    config = load(CONFIG / "default.yaml")
    with pytest.raises(UserError, match=r"needs \d\.\d GB.* allows 0\.5"):
        refuse_too_large(config.game, config.bucket_counts, 0.5)
    refuse_too_large(config.game, config.bucket_counts, 16.0)


def test_plan__of_many_threads_has_no_search_of_no_time(tmp_path):
    config = load(CONFIG / "default.yaml")
    many = config.machine.model_copy(update={"threads": 64})
    last = plan(config.model_copy(update={"machine": many}), tmp_path / "plan.json").splitlines()[
        -2:
    ]
    assert any("less than 0.1 s" in line for line in last)
