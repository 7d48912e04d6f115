"""The chart of play before the flop."""

import pytest

from search.holdem import small_run
from sixmax.base.errors import UserError
from sixmax.ongoing.preflop_chart import find


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("fold", "the tree offers f, c, r400; did you mean 'f'?"),
        ("check", "the tree offers f, c, r400; did you mean 'c'?"),
        ("r300", "the tree offers f, c, r400; did you mean 'r400'?"),
        ("raise to 300", "the tree offers f, c, r400; did you mean 'r400'?"),
        ("what", "the tree offers f, c, r400"),
    ],
)
def test_find__an_action_that_is_not_offered(word, expected):
    run, _ = small_run()
    with pytest.raises(UserError) as caught:
        find(run, ("c", word))
    assert str(caught.value) == f"action 2: found {word!r}, {expected}"
