"""Counting a tree round by round: against a walk over all of it, whatever the room."""

import numpy as np
from hypothesis import assume, given, settings

from oracles import game as oracle
from oracles.games import games, holdem
from sixmax.betting import tree_count
from sixmax.betting.tree import kind_of
from sixmax.betting.tree_build import build
from sixmax.betting.tree_count import count


def by_walking(game):
    """Decision nodes, action columns and terminals of the twin's tree."""
    decisions = np.zeros((len(game.rounds), game.seats), dtype=int)
    columns, kinds = decisions.copy(), [0] * 4
    for node in oracle.tree(game):
        kinds[("decision", "folded", "showdown", "sidepots").index(node["kind"])] += 1
        if node["kind"] == "decision":
            decisions[node["round"], node["player"]] += 1
            columns[node["round"], node["player"]] += len(node["children"])
    return decisions.tolist(), columns.tolist(), [0, *kinds[1:]]


def as_lists(counts):
    return counts.decisions.tolist(), counts.columns.tolist(), counts.terminals.tolist()


@settings(max_examples=60)
@given(games(seats=(2, 5), stack=30, rounds=(2, 4), max_raises=1, max_width=2))
def test_count__agrees_with_a_walk(game):
    counts = count(game)
    assume(counts.nodes < 3000)
    assert as_lists(counts) == by_walking(game)


def test_count__room_does_not_matter(monkeypatch):
    game = holdem([300, 200, 300, 100], [[0.5, "A"], ["A"]], 2)
    expected = as_lists(count(game))
    monkeypatch.setattr(tree_count, "_STARTS_AT_ONCE", 1)
    assert as_lists(count(game)) == expected


def test_count__is_what_is_built():
    game = holdem([300, 200, 300, 100], [[0.5, "A"], ["A"]], 2)
    counts, tree = count(game), build(game)
    assert counts.nodes == len(tree.node)
    assert counts.rows == len(tree.contributed) > 0
    assert (np.bincount(kind_of(tree.node[:, 0]), minlength=4)[1:] == counts.terminals[1:]).all()
