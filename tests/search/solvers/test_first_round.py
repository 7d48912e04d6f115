"""The kept values of the first round: their place in a subgame, and their store."""

import numpy as np
import pytest

from search.holdem import drawn, small_run, whole_round
from sixmax.base.errors import UserError
from sixmax.search.solvers.first_round import STORE, load
from sixmax.search.subgame import leaf_nodes
from sixmax.store import write


@pytest.mark.parametrize("chooser", [0, 1])
def test_at__has_the_choices_of_the_one_who_chooses(chooser):
    kept, subgame = drawn(), whole_round(3, 1 << chooser)
    actual, tree = kept.at(subgame), subgame.tree
    leaves = leaf_nodes(tree)
    for x in {int(tree.parent[y]) for y in leaves}:
        for k, y in enumerate(tree.children(x)):
            i = int(np.flatnonzero(kept.node == tree.node[y, 2])[0])
            place = int(np.flatnonzero(leaves == y)[0])
            # The tree is that of the blueprint: chips are as they were kept, by [other's, own].
            np.testing.assert_allclose(actual[0, place], kept.chips[chooser, k, i].T, rtol=1e-6)
            np.testing.assert_allclose(actual[1, place], -kept.chips[chooser, k, i], rtol=1e-6)
    assert len(leaves) == 3 * len(kept.node) > 3


def test_at__of_more_choices_or_choosers_than_there_are_is_refused():
    with pytest.raises(ValueError, match="3 strategies, found a choice of more"):
        drawn().at(whole_round(4))
    with pytest.raises(ValueError, match="found two players who choose"):
        drawn().at(whole_round(2, 3))


def test_load__refuses_values_that_are_missing_or_of_another_run(tmp_path):
    run = small_run(2)[0]._replace(folder=tmp_path, identity={"digest": "mine"})
    with pytest.raises(
        UserError, match=r"looks up values there; make it by `sixmax stage self-gen"
    ):
        load(run)
    write(tmp_path / STORE, "self-generated", drawn()._asdict(), run="mine")
    kept = load(run)
    assert all(map(np.array_equal, kept, drawn()))
    with pytest.raises(UserError, match="of another run"):
        load(run._replace(identity={"digest": "other"}))
