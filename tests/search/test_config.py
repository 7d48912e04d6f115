"""The section ``search``: its settings, and what a command reads of it."""

import pytest

from sixmax.errors import UserError
from sixmax.search.config import SearchConfig, search_config


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
    for rounds in ([0], [3]):  # before the flop a search always ends with the round
        with pytest.raises(UserError, match="limited"):
            SearchConfig.parse({"limited": rounds}, "search")


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
