"""The cost of training on trees of other sizes."""

from plan.presets import preset
from sixmax.betting.tree_count import count
from sixmax.plan.rates import REFERENCE_DECISIONS, REFERENCE_TABLE_GB, relative_cost


def test_relative_cost__is_one_for_the_reference_and_grows_with_the_tree():
    """The reference: limps for all, one bet on flop and turn; 200 buckets a round."""
    decisions, table_gb = REFERENCE_DECISIONS, REFERENCE_TABLE_GB
    game = preset().game
    bet = game.rounds[1].model_copy(update={"sizes": [[0.75]], "max_raises": 1, "max_players": 3})
    river = game.rounds[3].model_copy(update={"max_players": 2})
    rounds = [game.rounds[0].model_copy(update={"limps": True}), bet, bet, river]
    reference = count(game.model_copy(update={"rounds": rounds}))
    entries = reference.columns.sum(axis=1) @ [169, 200, 200, 200]
    assert (int(reference.decisions.sum()), round(4 * entries / 1e9, 2)) == (decisions, table_gb)
    assert relative_cost(decisions, table_gb) == 1
    default = count(preset().game)
    gb = 4e-9 * (default.columns.sum(axis=1) @ [169, 200, 200, 200])
    assert 0.85 < relative_cost(int(default.decisions.sum()), gb) < 1
    costs = [relative_cost(decisions, gb) for gb in (0.001, 0.01, 1, 100)]
    assert costs[0] == costs[1] < costs[2] < costs[3]
    assert relative_cost(10 * decisions, 10 * table_gb) > relative_cost(decisions, 10 * table_gb)
