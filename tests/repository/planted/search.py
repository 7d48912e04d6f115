"""Bugs of search: beliefs, leaves, all hands at once, safe and nested solving."""

from repository.planted.mutation import Mutation

RANGES = "tests/search/solvers/ranges"

QUICK = [
    Mutation(
        "beliefs are not updated on what a player does",
        "weight = beliefs[..., seat, :] * likelihood",
        "weight = beliefs[..., seat, :] * 1.0",
        "tests/ongoing/test_bayes.py::test_beliefs__of_two_players_are_bayes_rule",
    ),
    Mutation(
        "a leaf's node is that of the translated actions, its chips those of the true ones",
        "hand_at(places, x, mine)\n        for seat",
        "mine[:] = real\n        for seat",
        "tests/search/test_subgame.py::test_leaves__node_and_state_agree",
    ),
    Mutation(
        "an opponent's hand of both my cards is taken off twice",
        "add_left(won, held, lanes, _at(i, low[i], high[i], same[i]))",
        "add_left(won, held, lanes, _at(i, low[i], high[i], lows.size))",
        f"{RANGES}/test_terminals.py::test_value_ends__equals_every_pair_of_hands",
        jit=True,
    ),
    Mutation(
        "ties are lost in a subgame",
        "for j in range(below, upto):",
        "for j in range(below, below):",
        f"{RANGES}/test_terminals.py::test_value_ends__equals_every_pair_of_hands",
        jit=True,
    ),
    Mutation(
        "reach of the wrong player",
        "after = (slots + a, source[1]) if player == 0 else (source[0], slots + a)",
        "after = (slots + a, source[1]) if player == 1 else (source[0], slots + a)",
        f"{RANGES}/test_tree_parts.py::test_public__sources_are_the_players_last_actions",
    ),
    Mutation(
        "hands of a bucket count alike, however likely they are",
        "        first[bucket[h]] += prior[h] * row[h]\n        second",
        "        first[bucket[h]] += row[h]\n        second",
        f"{RANGES}/test_rows.py::test_sum_by_bucket__is_numpys",
    ),
    Mutation(
        "a hypothesis is not weighed by what it predicted",
        "after[..., seat, :] = weight / total",
        "after[..., seat, :] = weight / weight.sum(axis=-1, keepdims=True)",
        "tests/ongoing/test_bayes.py::test_hypotheses__are_weighed_by_how_well_they_predict",
    ),
    Mutation(
        "safe solving: an alternative beside a value that is not of the hand alone",
        "inside, outside = value[h] / gadget.left[h], gadget.alternative[h]",
        "inside, outside = value[h], gadget.alternative[h]",
        "tests/cfr/test_gadget.py::test_resolve__is_the_game_with_the_alternative",
    ),
    Mutation(
        "maxmargin without the alternatives",
        "margin = value[h] / gadget.left[h] - gadget.alternative[h]",
        "margin = value[h] / gadget.left[h]",
        "tests/cfr/test_gadget.py::test_maxmargin__is_the_solution_of_its_linear_program",
    ),
    Mutation(
        "gifts are taken from the opponent",
        "values += gifts(game, blueprint",
        "values -= gifts(game, blueprint",
        "tests/studies/libratus/test_subgames.py::test_alternatives__reach_adds_the_gifts",
    ),
    Mutation(
        "nested solving offers the value of the subgame, not of the decision before the bet",
        "values = before.values_at(node, best=True)[opponent]",
        "values = before.values_at(0, best=True)[opponent]",
        "tests/search/test_nested.py::test_search__a_bet_of_the_tree_brings_no_hand_more_than_its_decision",
        jit=True,
    ),
    Mutation(
        "a leaf's value counts pairs of holes that share a card",
        "meet[mine[:, None] == theirs] = 0",
        "meet[mine[:, None] == theirs] = 1",
        "tests/studies/modicum/test_leaf_values.py::test_matrices__are_walks_of_one_class_at_a_time",
        jit=True,
    ),
    Mutation(
        "self-generated values are made stronger where they beat the equilibrium's",
        "out[i] -= sign * chips",
        "out[i] += sign * chips",
        "tests/studies/modicum/test_makers.py::test_weakened__no_class_beats_the_equilibrium",
        jit=True,
    ),
    Mutation(
        "a class of hands enters a subgame with the weight of one hand",
        "alternative.seat, outside, left, holes)",
        "alternative.seat, outside, left)",
        "tests/search/solvers/limited/test_solver.py::test_run__safely_is_the_gadget_on_all_pairs",
    ),
    Mutation(
        "the response of an opponent who chooses is scored by the roll-outs that chose it",
        "chips, left = score.values(me)",
        "chips, left = response.values(me, best=True)",
        "tests/evaluation/search_gain/test_chooser.py::test_response_win__is_that_of_a_walk",
    ),
    Mutation(
        "a bet off the tree is read as the blueprint's bet beside it",
        "elif self._nests and not own:",
        "elif False:",
        "tests/search/test_nested_beliefs.py"
        "::test_beliefs__a_bet_off_the_tree_tells_no_hand_from_another",
    ),
]
