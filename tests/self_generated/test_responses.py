"""Responses against the best of all; the stage, to a search that plays by its values."""

import json
from types import SimpleNamespace

import numpy as np
import pytest

from cfr.games import PLAIN, small
from search.holdem import NESTED, with_player
from sixmax.base.errors import UserError
from sixmax.base.jit import set_threads
from sixmax.betting.rules import CALL, FOLD
from sixmax.betting.tree import CHOICE, n_actions, round_of, seat_of
from sixmax.blueprint.run import open_run
from sixmax.cfr.full.sweep import nash_conv
from sixmax.cfr.layout import infoset, section
from sixmax.cfr.policy import from_sums, shares
from sixmax.search import nested, public_hand, searcher
from sixmax.search.solvers.first_round import STORE, load
from sixmax.self_generated.config import Responses, SelfGeneratedConfig
from sixmax.self_generated.responses import respond, self_generated
from studies.improve.small import on_disk, searchable

pytestmark = pytest.mark.usefixtures("one_thread")
CONFIG = SelfGeneratedConfig(values=3)
FEW = Responses(iterations=3000, trunk_iterations=100, roll_outs=400)
SEARCH = with_player(NESTED, limited=(0, 1), choosers="opponents").model_copy(
    update={"first": 0, "roll_outs": 300, "vector_iterations": [60, 60, 300, 300]}
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = searchable(tmp_path_factory.mktemp("results") / "small")
    self_generated(folder, CONFIG, 1, 1, folder / STORE, folder / "self_generated/check.json", FEW)
    return folder


def test_self_generated__keeps_the_values_of_each_player_and_tells_how_they_came_about(folder):
    run = open_run(folder)
    kept = load(run, run.policy("blueprint"))
    assert kept.chips.shape == (2, 3, len(kept.node), 36, 36)
    np.testing.assert_array_equal(kept.chips[0, 0], kept.chips[1, 0])
    assert np.abs(kept.chips).max() <= 2000
    record = json.loads((folder / "self_generated/check.json").read_text())
    rows = record["strategies"]
    assert [(row["seat"], row["strategy"]) for row in rows] == [(0, 1), (1, 1), (0, 2), (1, 2)]
    for row in rows:
        assert row["won"] > 10  # chips that a response wins more than a random blueprint
        assert row["left"] < 0.001  # weakened
    for seat in (0, 1):
        values = [row["value"] for row in rows if row["seat"] == seat]
        assert values[0] <= values[1] + 5


def test_self_generated__same_bits_on_two_threads(folder, tmp_path):
    set_threads(2)
    self_generated(folder, CONFIG, 1, 2, tmp_path / "values.zarr", tmp_path / "check.json", FEW)
    again = json.loads((tmp_path / "check.json").read_text())
    assert again == json.loads((folder / "self_generated/check.json").read_text())
    for name in ("chips/c", "lead/c"):
        files = [f for f in (tmp_path / "values.zarr" / name).rglob("*") if f.is_file()]
        assert files
        for file in files:
            same = folder / STORE / file.relative_to(tmp_path / "values.zarr")
            assert same.read_bytes() == file.read_bytes()


@pytest.mark.parametrize(
    ("values", "seats", "expected"),
    [
        (1, 2, "values: found 1, wanted 2 or more"),
        (3, 3, "found 3 seats, 4 rounds; wanted a run of two players"),
    ],
)
def test_self_generated__that_cannot_be_made_is_refused(tmp_path, values, seats, expected):
    on_disk(tmp_path / "run", seats=seats)
    with pytest.raises(UserError, match=expected):
        self_generated(
            tmp_path / "run", CONFIG.model_copy(update={"values": values}), 1, 1,
            tmp_path / "values.zarr", tmp_path / "check.json", FEW,
        )  # fmt: skip
    assert not (tmp_path / "values.zarr").exists()


def before_the_flop(folder, seat, first=0, **fields):
    run = open_run(folder)
    config = with_player(SEARCH, **fields).model_copy(update={"first": first})
    own = searcher.Searcher(run, run.policy("blueprint"), config)
    return public_hand.PublicHand(run, run.policy("blueprint"), config, own, seed=7, seat=seat)


@pytest.mark.parametrize("seat", [0, 1])
def test_search__before_the_flop_ends_with_it_and_the_opponent_chooses_among_the_values(
    folder, seat
):
    at = before_the_flop(folder, seat)
    play, result = at.play(), at.search()
    np.testing.assert_allclose(play.rows.sum(axis=1), 1)
    tree = result.links[0].solved.tree
    assert len(tree.columns) == 1
    decisions = tree.decision_nodes()
    choices = [x for x in decisions if tree.action[tree.node[x, 1]] <= CHOICE]
    assert {tree.seat(x) for x in choices} == {1 - seat}
    assert {n_actions(int(tree.node[x, 0])) for x in choices} == {3}
    pair = play.rows[[0, 1]]  # 2c2d and 2c2h: holes of one class play alike
    np.testing.assert_allclose(pair[0], pair[1])
    assert play.rows[:, 0].std() > 0.05, "hands that differ play alike"


def test_search__before_the_flop_takes_as_many_values_as_it_is_told(folder):
    for number, expected in ((1, {1}), (2, {2}), (9, {3})):
        tree = before_the_flop(folder, 1, leaf_values=number).search().links[0].solved.tree
        decisions = tree.decision_nodes()
        choices = [x for x in decisions if tree.action[tree.node[x, 1]] <= CHOICE]
        assert {n_actions(int(tree.node[x, 0])) for x in choices} == expected


def test_search__a_raise_off_the_tree_before_the_flop_gets_a_subgame_of_its_own(folder):
    at = before_the_flop(folder, 1)
    at.act(333)
    play, links = at.play(), at.search().links
    assert isinstance(at.search(), nested.Nested)
    assert [link.begin for link in links] == [0, 1]
    assert play.offered[:2] == [FOLD, CALL]
    np.testing.assert_allclose(play.rows.sum(axis=1), 1)
    at.act(CALL)
    at.deal("AhKd9c")
    assert at.play().offered[0] == CALL


def test_search__without_the_values_says_how_to_make_them(tmp_path):
    at = before_the_flop(searchable(tmp_path / "small"), 1)
    with pytest.raises(UserError, match=r"make it by `sixmax stage self-generated --run .*/small"):
        at.play()
    at = before_the_flop(tmp_path / "small", 1, first=2)  # a later search does without
    for cards in ("AhKd9c", "Td"):
        at.act(CALL)
        at.act(CALL)
        at.deal(cards)
    np.testing.assert_allclose(at.play().rows.sum(axis=1), 1)


def leduc():
    """Leduc as a run, and a policy drawn at random."""
    tree, dealer, layout, _ = small("leduc", 2)
    schedule = SimpleNamespace(batch=50, scale=PLAIN.scale, schedule=lambda: PLAIN)
    weight = np.random.default_rng(4).integers(1, 100, layout.size).astype(np.int32)
    run = SimpleNamespace(tree=tree, dealer=dealer, layout=layout, schedule=schedule)
    return run, from_sums(tree, layout, weight)


def gain(run, policy, seat):
    """The most chips that ``seat`` could win more."""
    strategy = shares(run.tree, run.layout, policy)
    return nash_conv(run.tree, run.layout, run.dealer.deals, strategy).gains[seat]


@pytest.mark.parametrize("seat", [0, 1])
def test_respond__comes_to_a_best_response_and_leaves_the_others_play(seat):
    run, policy = leduc()
    first = shares(run.tree, run.layout, policy)[: run.layout.start[1]]
    actual = respond(run, policy, first, seat, 30_000, 3)
    for r in range(2):
        place = section(run.layout, r, 1 - seat)
        assert np.array_equal(actual[place], policy[place])
    assert gain(run, policy, seat) > 1.0
    assert gain(run, actual, seat) < 0.1


def test_respond__plays_on_as_before_where_it_never_came():
    """The other never raises, so no row after a raise of his is met."""
    run, policy = leduc()
    tree, rows = run.tree, {0: [], 1: []}
    for x in tree.decision_nodes():
        head = int(tree.node[x, 0])
        bucket = np.arange(run.layout.buckets[round_of(head)])
        at = infoset(run.layout, round_of(head), seat_of(head), bucket, tree.node[x, 2])
        rows[seat_of(head)].append((int(x), at[:, None] + np.arange(n_actions(head))))
    for x, at in rows[1]:
        raises = np.array([tree.action[y] > 0 for y in tree.children(x)])
        policy[at[:, raises]] = 0
    first = shares(tree, run.layout, policy)[: run.layout.start[1]]
    actual = respond(run, policy, first, 0, 30_000, 3)
    unmet = [raised_by_other(tree, x) for x, _ in rows[0]]
    assert 0 < sum(unmet) < len(unmet)
    assert [np.array_equal(actual[at], policy[at]) for _, at in rows[0]] == unmet


def raised_by_other(tree, x):
    """Whether seat 1 raised on the way to ``x``."""
    return any(tree.seat(before) == 1 and tree.action[x] > 0 for before, x in tree.steps(x))


def test_respond__meets_the_first_round_that_it_is_given():
    """In it the other plays another policy than in the rounds after it."""
    run, policy = leduc()
    given = policy.copy()
    place = section(run.layout, 0, 1)
    own = np.random.default_rng(8).integers(1, 100, run.layout.size).astype(np.int32)
    given[place] = from_sums(run.tree, run.layout, own)[place]
    gains, done = [], []
    for play in (given, policy):
        first = shares(run.tree, run.layout, play)[: run.layout.start[1]]
        response = respond(run, policy, first, 0, 30_000, 3, done.append)
        response[place] = given[place]
        gains.append(gain(run, response, 0))
    assert sum(done) == 60_000
    assert gains[0] < 0.1 < gains[1]
