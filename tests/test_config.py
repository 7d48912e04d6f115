"""The config: every preset is valid, and every mistake gets one line that helps."""

from pathlib import Path

import pytest
import yaml

from sixmax.base.config_section import read_again, read_yaml
from sixmax.base.errors import UserError
from sixmax.blueprint import identity, run
from sixmax.config import Config, check, load, merged

CONFIG = Path(__file__).parents[1] / "config"
PRESETS = sorted(p.stem for p in CONFIG.glob("*.yaml"))


@pytest.mark.parametrize("preset", PRESETS)
def test_presets__are_valid_and_named_after_their_run(preset):
    """But `libratus` and `modicum`: those folders have the tables of their papers."""
    named = {name: f"{name}-200bb" for name in ("libratus", "modicum")}.get(preset, preset)
    assert load(CONFIG / "default.yaml", CONFIG / f"{preset}.yaml").run == named


def test_default__names_and_explains_every_key():
    """Every line of default.yaml that sets a value carries a comment or lies under one."""
    config = load(CONFIG / "default.yaml")
    text = (CONFIG / "default.yaml").read_text()
    for section in type(config).model_fields:
        assert f"\n{section}:" in text
    hidden = {"prune_share"}
    sections = ("abstraction", "blueprint", "continuation", "search", "evaluation", "machine")
    for section in sections:
        own = text[text.index(f"\n{section}:") :]
        for key in type(getattr(config, section)).model_fields.keys() - hidden:
            lines = own.splitlines()
            i = next(i for i, x in enumerate(lines) if x.strip().startswith(f"{key}:"))
            assert "#" in lines[i] or lines[i - 1].strip().startswith("#"), lines[i]


DEFAULT = yaml.safe_load((CONFIG / "default.yaml").read_text())
TWO = {"stacks": [10000] * 2, "blinds": [50, 100], "antes": [0] * 2, "first": [0, 1, 1, 1]}
SEVEN = {"stacks": [10000] * 7, "blinds": [50, 100, *[0] * 5], "antes": [0] * 7}
ROUNDS = DEFAULT["game"]["rounds"]
KUHN = {"cards": "kuhn", "rounds": ROUNDS[:1], "first": [0]}
NO_LIMPS = [ROUNDS[0] | {"limps": False}, *ROUNDS[1:]]
COUNTS = {"prune_half": 40_000, "prune_threshold": -40_000, "regret_floor": -2_000_000}
COUNTS |= {"count_every": 1, "mean_every": 0, "count_after": 0}
BAD = [
    ({"bluprint": 1}, "config.bluprint: unknown key; did you mean 'blueprint'"),
    ({"blueprint": {"iteration": 5}}, "unknown key; did you mean 'iterations'"),
    ({"search": {"buckets": 0}},
     "config: search.flops: found 8 with search.buckets 0, the blueprint's; wanted none, "),
    ({"blueprint": {"intervals": "eight"}}, "config.blueprint.intervals: found 'eight'"),
    ({"blueprint": {"intervals": 0}}, "found 0, wanted"),
    ({"blueprint": {"prune_share": 0.95}},
     "config.blueprint.prune_share: no key any more; now a c"),
    ({"search": {"vector_iterations": 200}}, "now numbers by round, preflop to river"),
    ({"search": {"vector_iterations": [200, 200, 200]}},
     "search.vector_iterations: found [200, 200, 200]"),
    ({"search": {"leaf_values": None}}, "now search.player: modicum-one-value for 1"),
    ({"search": {"player": "libartus"}}, "did you mean 'libratus'?"),
    ({"search": {"player": "libratus"}},
     "player libratus goes to the end of the hand from the turn"),
    ({"blueprint": {"iterations": 12345}}, "must be a multiple of batch"),
    ({"blueprint": {"regret_floor": -10}}, "regret_floor must lie below prune_threshold"),
    ({"blueprint": {"average_after": 8}}, "no snapshot is taken after"),
    ({"blueprint": {"snapshot_every": 9}}, "no snapshot is taken after"),
    ({"game": {"stacks": [10000]}}, "config.game.stacks"),
    ({"game": {"blinds": [50, 100]}}, "blinds"),
    ({"deck": {"ranks": 14}}, "config.deck.ranks: found 14"),
    ({"deck": {"ranks": 4}}, "52 cards, the deck has 16"),
    ({"run": "../up"}, "config.run: found '../up'"),
    ({"run": "shared"}, "shared"),
    ({"blueprint": {"values": ["turn"]}}, "blueprint.values: found 6 seats of holdem, wanted 2"),
    ({"blueprint": {"values": ["turm"]}}, "config.blueprint.values.0: found 'turm', wanted: input"),
    ({"abstraction": {"buckets": {"river": 30001}}}, "found 30001, wanted: at most 30,000"),
    ({"blueprint": {"regret_floor": -440000}}, "must lie at least 60,000"),
    ({"blueprint": {"batch": 3200}}, "at most 140,000,000 fit an int32"),
    ({"blueprint": {"mean_every": 200}}, "take in 50,000 strategies, at most 257"),
    ({"blueprint": {"mean_every": 3000}}, "a multiple of batch = 200 that divides"),
    ({"league": ["default"]}, "one entrant has nobody to play"),
    ({"league": ["a", "a/blueprint"]}, "an entrant is named twice"),
    ({"league": ["a", "b/search"]}, "wanted a run, or a run and its agent"),
    ({"evaluation": {"early_snapshot": 1}}, "config.evaluation.early_snapshot: no key any more"),
    ({"evaluation": {"lbr_deals": 1}}, "one sample has no standard error; take 0, or 2 and more"),
    ({"evaluation": {"lbr_search": {"fc": 1}}}, "one sample has no standard error; take 0"),
    ({"search": {"iterations": 150}}, "multiple of 100"),
    ({"search": {"flops": "some"}}, "found 'some'"),
    ({"search": {"blueprint": "snapshot-3"}}, "search.blueprint: found 'snapshot-3'"),
    ({"search": {"blueprint": "snapshot-00009-purified"}}, "after the intervals 1, 2, 3, 4"),
    ({"machine": {"memory_gb": -1.0}}, "config.machine.memory_gb: found -1.0"),
    ({"blueprint": {"mean_every": 10_000_000, "average_after": 4}},
     "average_after is 4 of 4 intervals"),
    ({"game": {"rounds": NO_LIMPS}}, "limps: false, which leaves the small blind no call"),
    ({"game": TWO, "self_generated": {"values": 1}},
     "found 1 in a game of 2 seats and 4 rounds; wanted 0"),
    ({"game": TWO, "self_generated": {"values": 1}, "search": {"player": "modicum", "first": 0}},
     "player is modicum, which searches before the flop, and"),
    ({"game": TWO, "search": {"player": "modicum", "first": 1}},
     "wanted 10, or search.first from 1 on and search.off_tree null"),
    ({"search": {"player": "modicum", "first": 1}}, "game has 6 seats: it is for two players"),
    ({"search": {"player": "pluribus-learned"}},
     "is pluribus-learned, and leaf_function.states is 0"),
    ({"game": SEVEN, "blueprint": {"boards": 7}, "leaf_function": {"states": 1000}},
     "found 39 features, of 7 seats and 4 cont"),
    ({"evaluation": {"subgame_hands": 2}}, "subgame_hands measures nested solving"),
    ({"game": KUHN}, "are played by the tests"),
    ({"blueprint": COUNTS}, "its counts are an average strategy for two"),
    ({"blueprint": COUNTS | {"count_every": 10}}, "wanted count_every 1"),
    ({"blueprint": COUNTS | {"regret_floor": -1_900_000}},
     "wanted a floor 49 prune_half below prune_threshold"),
]  # fmt: skip


@pytest.mark.parametrize(("changes", "expected"), BAD)
def test_check__one_line_that_says_what_is_wrong(changes, expected, refused):
    with refused(expected):
        check(merged(DEFAULT, changes))


@pytest.mark.parametrize(
    "changes",
    [
        {"blueprint": {"mean_every": 10_000_000, "average_after": 3}},
        {"game": {"rounds": [ROUNDS[0] | {"limps": "blinds"}, *ROUNDS[1:]]}},
        {
            "game": TWO, "self_generated": {"values": 10},
            "search": {"player": "modicum", "first": 0},
        },
        {"search": {"player": "pluribus-learned"}, "leaf_function": {"states": 1000}},
        {"game": TWO, "search": {"player": "modicum", "first": 1, "off_tree": None}},
        {
            "game": TWO, "search": {"player": "libratus-maxmargin", "first": 2},
            "evaluation": {"subgame_hands": 2},
        },
    ],
)  # fmt: skip
def test_check__takes_what_is_right_beside_these(changes):
    check(merged(DEFAULT, changes))


def test_load__merges_key_by_key(tmp_path):
    (tmp_path / "mine.yaml").write_text("run: mine\nblueprint: {intervals: 9}\n")
    config = load(CONFIG / "default.yaml", tmp_path / "mine.yaml")
    default = load(CONFIG / "default.yaml")
    assert config.blueprint.intervals == 9
    assert config.blueprint.iterations == default.blueprint.iterations


@pytest.mark.parametrize("text", ["run: [", "just words", ""])
def test_load__refuses_what_is_no_config(tmp_path, text):
    (tmp_path / "bad.yaml").write_text(text)
    with pytest.raises(UserError, match=r"bad\.yaml"):
        load(tmp_path / "bad.yaml")


TWICE = [
    ("seed: 3\nrun: x\nseed: 9\n", "line 3: the key 'seed' a second time, first in line 1"),
    ("blueprint: {scale: 1}\ngame: {}\nblueprint:\n  scale: 2\n", "line 3: the key 'blueprint'"),
    ("game:\n  rounds:\n  - sizes: []\n    limps: true\n    sizes: []\n",
     "line 5: the key 'sizes'"),
    ("game: {stacks: [1], 'stacks': [2]}\n", "line 1: the key 'stacks'"),
    ("evaluation:\n  lbr_search:\n    fc: 2\n    fc: 2\n", "line 4: the key 'fc' .* line 3"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), TWICE)
def test_load__refuses_a_key_that_stands_twice(tmp_path, text, expected):
    (tmp_path / "twice.yaml").write_text(text)
    with pytest.raises(UserError, match=rf"twice\.yaml, {expected}.*; keep one of them$"):
        load(CONFIG / "default.yaml", tmp_path / "twice.yaml")


def test_load__values_that_others_replace_are_no_second_ones(tmp_path):
    """YAML's own way to take over the keys of a section, and to change some."""
    text = "x: &x {a: 1, b: 2}\ny: {<<: *x, b: 3}\nz: [{a: 1}, {a: 1}]\n"
    (tmp_path / "c.yaml").write_text(text)
    assert read_yaml(tmp_path / "c.yaml") == {
        "x": {"a": 1, "b": 2},
        "y": {"a": 1, "b": 3},
        "z": [{"a": 1}, {"a": 1}],
    }


@pytest.mark.parametrize("section", ["blueprint", "search"])
def test_parse_json__refuses_a_key_that_stands_twice(section):
    kind = Config.model_fields[section].annotation
    with pytest.raises(UserError, match=f"^{section}: the key 'first' stands twice; keep one"):
        kind.parse_json('{"first": 3, "scale": 1, "first": 4}', section)


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_load__a_mark_before_the_first_line_does_not_count(tmp_path, encoding):
    (tmp_path / "mine.yaml").write_text("run: mine\r\nseed: 5\r\n", encoding=encoding)
    config = load(CONFIG / "default.yaml", tmp_path / "mine.yaml")
    assert (config.run, config.seed) == ("mine", 5)


def test_read_again__texts_of_the_command_line_are_read_as_in_a_file():
    given = {
        "blueprint": {"intervals": "5", "regret_floor": "-1.0e+9", "prune_share": ".5"},
        "game": {"rounds": [{"limps": "true", "sizes": [["0.5", "A"]]}]},
        "search": {"flops": "none", "blueprint": "snapshot-00004"},
        "run": "2026-11-27", "seed": 3,
    }  # fmt: skip
    assert read_again(given) == {
        "blueprint": {"intervals": 5, "regret_floor": -1e9, "prune_share": 0.5},
        "game": {"rounds": [{"limps": True, "sizes": [[0.5, "A"]]}]},
        "search": {"flops": "none", "blueprint": "snapshot-00004"},
        "run": "2026-11-27", "seed": 3,
    }  # fmt: skip


def test_snapshots__all_are_taken_and_the_late_ones_averaged():
    """By preset: how many are taken, the first two, and which are averaged."""
    expected = {
        "default": (4, [1, 2], [4]),
        "tiny": (4, [1, 2], [3, 4]),
        "hunl": (6, [1, 2], []),  # a running mean
        "overnight": (4, [4, 8], [16]),  # the last alone, as in default
        "starter": (4, [4, 8], []),  # a running mean, too
        "pluribus": (58, [1, 2], list(range(5, 59))),
    }
    for preset, (taken, first, averaged) in expected.items():
        blueprint = load(CONFIG / "default.yaml", CONFIG / f"{preset}.yaml").blueprint
        assert len(blueprint.snapshots()) == taken
        assert blueprint.snapshots()[:2] == first
        assert blueprint.averaged() == averaged


RIVALS = [
    ({"count_rounds": 0, "average_after": 3}, [1, 2, 3]),  # the last alone is the blueprint
    ({"count_rounds": 0, "average_after": 2}, [1, 2, 3, 4]),
    ({"count_rounds": 1, "average_after": 3}, [1, 2, 3, 4]),  # before the flop it is not
    ({"count_rounds": 0, "mean_every": 10_000}, [1, 2, 3, 4]),
]


@pytest.mark.parametrize(("changes", "expected"), RIVALS)
def test_rivals__are_the_snapshots_that_are_not_the_blueprint(changes, expected):
    changes = {"intervals": 4, "iterations": 20_000, "snapshot_every": 1} | changes
    assert check(merged(DEFAULT, {"blueprint": changes})).blueprint.rivals() == expected


@pytest.mark.parametrize(
    ("flops", "setting", "expected"),
    [
        ("none", "full", False), ("all", "full", False), (7, "full", False), (8, "full", True),
        (8, "fast", False),
    ],
)  # fmt: skip
def test_on_flops__is_a_gain_on_enough_flops_by_their_buckets(flops, setting, expected):
    changes = {"search": {"flops": flops}, "evaluation": {"search_setting": setting}}
    assert check(merged(DEFAULT, changes)).on_flops == expected


def test_check__libratus_counts_some_iterations():
    """The number of intervals is no part of a run: its own section may not look at it."""
    preset = merged(DEFAULT, read_yaml(CONFIG / "libratus.yaml"))
    assert check(preset).blueprint.total == 60_000_000
    with pytest.raises(UserError, match="leaves no iteration of 60000000 to count"):
        check(merged(preset, {"blueprint": {"count_after": 60_000_000}}))


def test_open_run__a_run_that_counts_in_a_later_interval():
    """As `run.json` keeps it: without the number of intervals."""
    config = load(CONFIG / "default.yaml", CONFIG / "libratus.yaml")
    frozen = identity.settings(1, 13, config.game, config.abstraction, config.blueprint)
    assert run._schedule(Path("x"), frozen["blueprint"]).count_after == 30_000_000
