"""The section ``search``: its settings, and what a command reads of it."""

import json
from typing import Annotated

import pytest
from click.testing import CliRunner

from sixmax.base import options
from sixmax.base.errors import UserError
from sixmax.cli.command import command
from sixmax.search.config import SETTINGS, SearchConfig, keep, search_config


def test_at_speed__fast_keeps_the_buckets_of_flops_that_have_their_own():
    config = SearchConfig(buckets=500)
    assert config.at_speed("fast").buckets == 0
    assert config.at_speed("fast", on_flops=True).buckets == 500
    assert config.at_speed("full").buckets == config.at_speed("full", on_flops=True).buckets == 500
    fast = config.at_speed("fast", on_flops=True)
    assert fast.board_iterations == config.fast.board_iterations < config.board_iterations


def test_search_config__changes_are_those_of_the_text():
    assert search_config(None) == SearchConfig()
    assert search_config('{"bets": [[], [2]]}', "fast").bets == [[], [2]]
    assert search_config("{}", "fast", on_flops=True).buckets == SearchConfig().buckets
    with pytest.raises(UserError, match="bets"):
        search_config('{"bets": [[], ["B"]]}')


def test_complete__has_every_key_even_at_its_default():
    rounds = [{"sizes": [[0.5, "A"], ["A"]], "max_raises": 2, "max_players": 2}] * 4
    config = SearchConfig.parse(NESTED | {"first": 2, "rounds": rounds, "flops": 8}, "search")
    values = json.loads(config.complete())
    assert values.keys() == SearchConfig.model_fields.keys() - {"flops"}
    assert values["fast"].keys() == type(config.fast).model_fields.keys()
    assert SearchConfig.parse(values, "search") == config.model_copy(update={"flops": "none"})


def test_search_config__a_run_has_its_own_section_and_changes_are_of_that(tmp_path):
    own = SearchConfig.parse(
        NESTED | {"first": 2, "fast": {"iterations": 700, "buckets": 9}}, "search"
    )
    keep(own, tmp_path / SETTINGS)
    assert search_config(None, folder=tmp_path) == own
    changed = search_config('{"tremble": 0.5, "fast": {"buckets": 7}}', folder=tmp_path)
    assert changed == own.model_copy(
        update={"tremble": 0.5, "fast": own.fast.model_copy(update={"buckets": 7})}
    )
    assert search_config(SearchConfig().complete(), folder=tmp_path) == SearchConfig()
    assert search_config(None, folder=tmp_path / "elsewhere") == SearchConfig()
    with pytest.raises(UserError, match="found 9, wanted"):
        search_config('{"first": 9}', folder=tmp_path)
    for text in ("{", "[]"):
        with pytest.raises(UserError, match="search"):
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
    assert "unknown key" in str(CliRunner().invoke(keeping, words).exception)
    words[1] = '{"first": 3, "fast": {"buckets": 9}}'
    assert CliRunner().invoke(keeping, words).exit_code == 0
    for more in ([], ["--setting", "fast"], ["--config", '{"buckets": 11}']):
        result = CliRunner().invoke(
            command("searching", searching), ["--run", str(tmp_path), *more]
        )
        assert result.exit_code == 0, result.output
    assert [config.first for config in heard] == [3, 3, 3]
    assert [config.buckets for config in heard] == [SearchConfig().buckets, 9, 11]


NESTED = {"nested": "resolve", "average": True, "exact_from": 2}


def test_parse__nested_solving_on_the_flop_ends_with_it():
    with pytest.raises(UserError, match=r"first 2 or 3, or 1 with limited \[1\]"):
        SearchConfig.parse(NESTED | {"first": 1}, "search")
    limited = NESTED | {"first": 1, "limited": [1]}
    with pytest.raises(UserError, match="found choosers all, wanted opponents"):
        SearchConfig.parse(limited, "search")
    config = SearchConfig.parse(limited | {"choosers": "opponents"}, "search")
    assert config.limited == [1]
    with pytest.raises(UserError, match="exact_from 2 at most"):
        SearchConfig.parse(config.model_dump() | {"exact_from": 3}, "search")
    with pytest.raises(UserError, match="limited"):
        SearchConfig.parse({"limited": [3]}, "search")


def test_parse__kept_values_of_the_first_round_are_of_one_player_who_chooses():
    both = {"limited": [0, 1]}
    with pytest.raises(UserError, match=r"limited with 0 takes.*found choosers all, wanted opp"):
        SearchConfig.parse(both, "search")
    both |= {"choosers": "opponents"}
    assert SearchConfig.parse(both, "search").limited == [0, 1]
    nested = SearchConfig.parse(NESTED | both | {"first": 0}, "search")
    assert nested.first == 0
    with pytest.raises(UserError, match=r"or 0 with limited \[0, 1\]"):
        SearchConfig.parse(NESTED | both | {"first": 0, "limited": [0]}, "search")


def test_model_dump__leaves_out_what_records_did_not_have():
    assert not {"limited", "leaf_values", "roll_outs", "limited_iterations"} & set(
        SearchConfig().model_dump()
    )
    assert SearchConfig().at_speed("fast").roll_outs == SearchConfig().roll_outs


def test_search__a_learned_leaf_is_of_monte_carlo_cfr_and_no_key_of_records_where_it_is_not():
    with pytest.raises(UserError, match=r"leaf is learned.*limited \[1\].*wanted leaf rollout"):
        SearchConfig.parse({"leaf": "learned", "limited": [1]}, "search")
    assert SearchConfig.parse({"leaf": "learned"}, "search").model_dump()["leaf"] == "learned"
    assert "leaf" not in SearchConfig().model_dump()


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ('{"nested": "resolve"}', "from the turn on"),
        ('{"nested": "safe", "first": 2}', "'none', 'resolve' or 'maxmargin'"),
        ('{"nested": "resolve", "first": 2, "exact_from": 2}', "average true (found false)"),
        ('{"nested": "resolve", "first": 2, "average": true}', "exact_from 2 at most (found 3)"),
        ('{"shift": -1}', "greater than or equal to 0"),
    ],
)
def test_config__refuses_in_one_line(text, wanted):
    with pytest.raises(UserError) as caught:
        SearchConfig.parse_json(text, "search")
    assert wanted in str(caught.value)
    assert "\n" not in str(caught.value)
