"""The section ``search``: its settings, and what a command reads of it."""

import json
from typing import Annotated

import pytest

from commands import called
from sixmax.base import options
from sixmax.base.errors import UserError
from sixmax.base.files import write_json
from sixmax.cli.command import command
from sixmax.search.config import SearchConfig
from sixmax.search.players import PLAYERS
from sixmax.search.settings import SETTINGS, keep, search_config, settings_for_copies


def test_at_speed__fast_takes_the_buckets_of_the_blueprint():
    config = SearchConfig(buckets=500)
    assert config.at_speed("full") == config
    fast = config.at_speed("fast")
    assert fast.buckets == 0
    assert fast.vector_iterations == config.fast.vector_iterations < config.vector_iterations
    assert fast.roll_outs == config.roll_outs


def test_search_config__changes_are_those_of_the_text():
    assert search_config(None) == SearchConfig()
    assert search_config('{"bets": [[], [2]]}', "fast").bets == [[], [2]]
    with pytest.raises(UserError, match="bets"):
        search_config('{"bets": [[], ["B"]]}')


def test_complete__has_every_key_even_at_its_default():
    rounds = [{"sizes": [[0.5, "A"], ["A"]], "max_raises": 2, "max_players": 2}] * 4
    config = SearchConfig.parse(NESTED | {"first": 2, "rounds": rounds, "flops": 8}, "search")
    values = json.loads(config.complete())
    assert values.keys() == SearchConfig.model_fields.keys() - {"flops"}
    assert values["fast"].keys() == type(config.fast).model_fields.keys()
    assert SearchConfig.parse(values, "search") == config.model_copy(update={"flops": "none"})


def test_search_config__a_run_has_its_own_section_and_changes_are_of_that(tmp_path, capsys):
    fast = {"iterations": 700, "roll_outs": 9}
    own = SearchConfig.parse(NESTED | {"first": 2, "fast": fast}, "search")
    keep(own, tmp_path / SETTINGS)
    assert search_config(None, folder=tmp_path) == own
    changed = search_config('{"tremble": 0.5, "fast": {"roll_outs": 7}}', folder=tmp_path)
    fast = own.fast.model_copy(update={"roll_outs": 7})
    assert changed == own.model_copy(update={"tremble": 0.5, "fast": fast})
    assert search_config(SearchConfig().complete(), folder=tmp_path) == SearchConfig()
    assert search_config(SearchConfig().complete(), folder=tmp_path.parent) == SearchConfig()
    assert search_config(None, folder=tmp_path / "none") == SearchConfig()
    assert not capsys.readouterr().err
    assert search_config(None, folder=tmp_path.parent) == SearchConfig()
    assert "settings.json is missing: searches by defaults; `snakemake /" in capsys.readouterr().err
    assert settings_for_copies(tmp_path)
    assert not capsys.readouterr().err
    assert settings_for_copies(tmp_path.parent) == {}
    assert "settings.json is missing" in capsys.readouterr().err
    (tmp_path / "packed").mkdir()
    (tmp_path / "packed" / "card.json").touch()
    assert search_config(None, folder=tmp_path / "packed") == SearchConfig()
    assert not capsys.readouterr().err
    for text, words in (('{"first": 9}', "found 9, wanted"), ("{", "search"), ("[]", "search")):
        with pytest.raises(UserError, match=words):
            search_config(text, folder=tmp_path)
    for text in ("{}", '{"search": []}', "{"):
        (tmp_path / SETTINGS).write_text(text)
        with pytest.raises(UserError, match=r"settings\.json.*`sixmax stage search-settings` wr"):
            search_config(None, folder=tmp_path)


def test_search_options__a_command_about_a_run_searches_by_its_section(tmp_path):
    heard = []

    def searching(folder: options.Run, config: Annotated[SearchConfig, options.SEARCH]) -> None:
        heard.append(config)

    keeping = command("search-settings", keep)
    words = ["--config", '{"first": 3, "fast": {"tremble": 1}}', "--out", str(tmp_path / SETTINGS)]
    with pytest.raises(UserError, match="unknown key"):
        called(*words, on=keeping)
    words[1] = '{"first": 3, "fast": {"roll_outs": 9}}'
    called(*words, on=keeping)
    for more in ([], ["--setting", "fast"], ["--config", '{"buckets": 11}']):
        called("--run", tmp_path, *more, on=command("searching", searching))
    assert [config.first for config in heard] == [3, 3, 3]
    assert [config.buckets for config in heard] == [SearchConfig().buckets, 0, 11]
    assert [config.roll_outs for config in heard] == [100_000, 9, 100_000]


NESTED = {"player": "libratus"}


@pytest.mark.parametrize(("player", "least"), [("pluribus", 0), ("libratus", 2), ("modicum", 0)])
def test_parse__safe_solving_to_the_end_begins_with_the_turn(player, least):
    for first in range(5):
        values = {"player": player, "first": first}
        if first >= least:
            assert SearchConfig.parse(values, "search").player is PLAYERS[player]
        else:
            with pytest.raises(UserError, match=f"found first {first}, wanted {least} to 4"):
                SearchConfig.parse(values, "search")


OLD = {
    "blueprint": "blueprint", "first": 1, "off_tree": 100, "off_tree_players": 4, "rounds": [],
    "bets": [[], [0.33, 1.5], [0.33, 1.5], [0.33, 1.5]], "buckets": 500, "iterations": 200_000,
    "batch": 100, "vector_nodes": 5_000, "exact_from": 3, "vector_iterations": 200,
    "turn_iterations": None, "method": "dcfr", "vector_boards": 1, "board_iterations": 1_000,
    "believe_blueprint": 0.5, "tremble": 0.01, "seconds": 0.0, "nested": "none",
    "nested_bets": "all", "begin": "safe", "shift": 0.0, "choosers": "all", "limited": [],
    "leaf_values": None, "roll_outs": 100_000, "limited_iterations": 500, "leaf": "rollout",
    "average": False,
    "fast": {
        "iterations": 100_000, "buckets": 0, "board_iterations": 150, "vector_iterations": None,
        "turn_iterations": None, "roll_outs": None, "limited_iterations": None,
    },
}  # fmt: skip  # as every run kept its section before `player`
OLD_FAST = {"vector_iterations": [500, 150, 150, 200]}
OLD_LIBRATUS = {
    "first": 2, "off_tree_players": 0, "buckets": 0, "exact_from": 2, "vector_iterations": 1_000,
    "turn_iterations": 300, "average": True, "nested": "resolve", "shift": 0.08,
    "fast": {"buckets": None, "vector_iterations": 200, "turn_iterations": 150},
}  # fmt: skip
OLD_MODICUM = OLD_LIBRATUS | {
    "first": 0, "off_tree_players": 4, "limited": [0, 1], "choosers": "opponents", "shift": 0.0,
    "nested_bets": "off_tree", "begin": "beliefs", "fast": {"limited_iterations": 300},
}  # fmt: skip
NOW_LIBRATUS = {
    "player": "libratus-believing", "first": 2, "off_tree": None, "buckets": 0,
    "vector_iterations": [500, 1_000, 300, 1_000],
    "fast": {"vector_iterations": [500, 150, 150, 200]},
}  # fmt: skip
NOW_MODICUM = {
    "player": "modicum-believing", "first": 0, "buckets": 0,
    "vector_iterations": [500, 500, 300, 1_000],
    "fast": {"vector_iterations": [300, 300, 300, 1_000]},
}  # fmt: skip


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ({}, {"fast": OLD_FAST}),
        ({"average": True}, {"fast": OLD_FAST}),
        (
            {"turn_iterations": 7, "board_iterations": 8},
            {"vector_iterations": [500, 8, 8, 200], "fast": OLD_FAST},
        ),
        ({"leaf": "learned"}, {"player": "pluribus-learned", "fast": OLD_FAST}),
        (OLD_LIBRATUS, NOW_LIBRATUS),
        (OLD_LIBRATUS | {"nested": "maxmargin"}, NOW_LIBRATUS | {"player": "libratus-maxmargin"}),
        (OLD_LIBRATUS | {"shift": 0.0}, NOW_LIBRATUS | {"player": "libratus-unshifted"}),
        (OLD_MODICUM, NOW_MODICUM),
        (OLD_MODICUM | {"leaf_values": 1}, NOW_MODICUM | {"player": "modicum-one-value"}),
    ],
)  # fmt: skip
def test_search_config__of_an_older_run_searches_as_it_did(old, new, tmp_path):
    kept = OLD | old | {"fast": OLD["fast"] | old.get("fast", {})}
    write_json(tmp_path / SETTINGS, {"search": kept})
    assert search_config(None, folder=tmp_path) == SearchConfig.parse(new, "search")
    assert search_config('{"tremble": 0.5}', folder=tmp_path).tremble == 0.5


@pytest.mark.parametrize(
    "old",
    [
        {"method": "cfr+"},
        {"off_tree_players": 6},
        {"leaf_values": 3},
        {"fast": {"buckets": None}},
        {"limited": 5},
        {"player": "libratus"},
    ],
)
def test_search_config__of_an_older_run_without_an_equal_says_what_makes_it_anew(old, tmp_path):
    write_json(tmp_path / SETTINGS, {"search": OLD | old})
    expected = (
        r"settings.json: kept by an older sixmax \(.*\).*`sixmax stage search-settings.*unpack"
    )
    with pytest.raises(UserError, match=expected) as caught:
        search_config('{"first": 3}', folder=tmp_path)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ('{"player": "libratus"}', "from the turn on"),
        ('{"player": "safe"}', "there are pluribus, pluribus-learned, libratus,"),
        ('{"player": ["libratus"]}', "there are pluribus, pluribus-learned, libratus,"),
        (
            '{"nested": "resolve", "average": true}',
            "search.average: no key any more; now a constant",
        ),
        ('{"turn_iterations": null}', "now the third number of search.vector_iterations"),
        ('{"fast": {"board_iterations": 20}}', "search.fast.board_iterations: no key any more"),
        ('{"vector_iterations": 20}', "now numbers by round, preflop to river"),
        ('{"vector_iterations": [20]}', "list should have at least 4 items"),
        ('{"first": 1, "first": 2}', "search: the key 'first' stands twice"),
        ('{"tremble": -1}', "greater than or equal to 0"),
    ],
)
def test_config__refuses_in_one_line(text, wanted, refused):
    for parse in (search_config, lambda text: SearchConfig.parse_json(text, "search")):
        with refused(wanted):
            parse(text)
