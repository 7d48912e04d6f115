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
