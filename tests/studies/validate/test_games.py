"""Games as validation opens them."""

import numpy as np
import pytest

from oracles.cfr import head, nash_conv
from sixmax.base.errors import UserError
from sixmax.cfr.policy import uniform
from sixmax.studies.validate.games import open_game


def uniform_rows(tree):
    """The uniform strategy in the form of the slow twin."""
    return lambda x, bucket: np.full(head(tree, x)[3], 1 / head(tree, x)[3])


@pytest.mark.parametrize(("name", "seats"), [("kuhn", 2), ("kuhn", 3), ("leduc", 2)])
def test_score__is_that_of_the_slow_twin(name, seats):
    game = open_game(name, seats)
    expected, values = nash_conv(game.tree, game.layout, game.deals, uniform_rows(game.tree))
    actual = game.score(uniform(game.tree, game.layout))
    assert actual.total == pytest.approx(expected)
    assert actual.values == pytest.approx(values)


def test_open__refuses_what_is_no_small_game():
    with pytest.raises(UserError, match="wanted one of"):
        open_game("chess", 2)
