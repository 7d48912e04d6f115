"""The record of ranges of a small run of three players, beside the tree and the explorer."""

import json

import numpy as np
import pytest

from serve.conftest import write_run
from sixmax.agents.rule import class_weights
from sixmax.api.walk import Address
from sixmax.blueprint.run import open_run
from sixmax.cfr.layout import infoset
from sixmax.evaluation.ranges import ranges, record, spots
from sixmax.serve.library import Library
from sixmax.serve.spot import spot


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    return open_run(write_run(tmp_path_factory.mktemp("ranges") / "results" / "small"))


@pytest.fixture(scope="module")
def values(run):
    return record(run, run.policy("blueprint"), class_weights(run))


def pairs(spots):
    return [(each["seat"], each["against"]) for each in spots]


def test_record__every_seat_first_in_and_every_pair_after(values):
    assert pairs(values["first_in"]) == [("BTN", None), ("SB", None)]
    expected = [("SB", "BTN"), ("BB", "BTN"), ("BB", "SB")]
    assert pairs(values["facing_raise"]) == expected
    assert pairs(values["facing_three_bet"]) == [(b, a) for a, b in expected]


def test_record__is_the_explorer_s_chart_at_every_address(run, values):
    library, seen = Library(run), 0
    for kind in ("first_in", "facing_raise", "facing_three_bet"):
        for each in values[kind]:
            page = spot(library, Address.of({"actions": each["actions"]}))
            assert page["now"]["seat"] == each["seat"]
            (shown,) = page["strategies"]
            assert [option["word"] for option in shown["options"]] == each["options"]
            assert 100 * np.array(shown["classes"]) == pytest.approx(
                np.array(each["classes"]), abs=0.02
            )
            assert 100 * np.array(shown["total"]) == pytest.approx(each["total"], abs=0.02)
            assert 100 * np.array(shown["reach"]) == pytest.approx(each["reach"], abs=0.02)
            seen += 1
    assert seen == 8


def test_spots__take_the_commonest_raise(run):
    policy, weight = run.policy("blueprint"), class_weights(run)
    every = list(spots(run, policy, weight))
    sizes = {}
    for each in every:
        if each.kind == "first_in":
            raises = each.action > 0
            total = (weight @ each.strategy)[raises]
            sizes[each.seat] = int(each.action[raises][total.argmax()])
    faced = [each for each in every if each.kind == "facing_raise"]
    assert len(faced) == 3
    for each in faced:
        assert sizes[each.against] in each.path


def test_spots__where_no_hand_raises_nobody_faces_one(run):
    policy = np.zeros(run.layout.size, np.uint8)
    weight = class_weights(run)
    uniform = list(spots(run, policy, weight))
    assert not any(each.trained.any() for each in uniform)
    folding = run.policy("blueprint").copy()
    for each in uniform:
        if each.kind == "first_in":
            _fold(run, folding, each)
    kinds = {each.kind for each in spots(run, folding, weight)}
    assert kinds == {"first_in"}


def _fold(run, policy, spot):
    """Set the rows of ``spot`` to fold always."""
    slot = run.tree.node[run.tree.find(spot.path), 2]
    for bucket in range(int(run.layout.buckets[0])):
        at = int(infoset(run.layout, 0, spot.seat, bucket, slot))
        policy[at : at + len(spot.action)] = [255, *[0] * (len(spot.action) - 1)]


def test_stage__writes_the_record(run, tmp_path, values):
    ranges(run.folder, "blueprint", tmp_path / "ranges.json")
    kept = json.loads((tmp_path / "ranges.json").read_text())
    assert kept == {"agent": "blueprint", "cards": "holdem", "ranks": 6, **values}
