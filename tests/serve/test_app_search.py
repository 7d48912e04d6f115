"""The route of searches: their results, the values of actions, what is refused."""

import json

import numpy as np
import pytest

from search.holdem import RANKS
from serve.conftest import FLOP, QUICK, client_of, finished, post
from sixmax.base.rng import child
from sixmax.cards.deck import classes, hole_cards, parse_cards
from sixmax.cards.evaluate import rank_holes
from sixmax.search.advice import position, replay
from sixmax.search.public_hand import PublicHand
from sixmax.search.searcher import Searcher
from sixmax.search.settings import search_config
from sixmax.search.solvers.problem import quiet
from sixmax.serve.app import Site
from sixmax.serve.guard import MOST_BODY
from sixmax.serve.jobs.search import SearchQuestion, SpotSearch
from sixmax.serve.library import Library

RIVER = {"actions": "r350cf/cc/cc/", "board": "AhKd9cTsTd"}


@pytest.mark.parametrize("spot", [RIVER, FLOP])
def test_search__is_that_of_advise(client, run, spot):
    job = finished(client, post(client, "/api/search", {**spot, "setting": "full"}).json())
    assert job["state"] == "done", job
    config, policy = search_config(json.dumps(QUICK)), run.policy("blueprint")
    hand = PublicHand(run, policy, config, Searcher(run, policy, config), int(child(1, "advise")))
    replay(hand, *position(spot["actions"], spot["board"]))
    play, belief = hand.play(), hand.now()
    result = job["result"]
    assert result["offered"] == play.offered
    mine = belief[hand.betting.actor]
    assert np.allclose(result["total"], mine @ play.rows, atol=1e-4)
    for seat in result["beliefs"]:
        theirs = belief[hand.betting.names.index(seat["seat"])]
        weight = np.bincount(classes(run.ranks), theirs, run.ranks**2)
        assert (np.array(seat["grid"]) > 1e-3).sum() <= (weight > 0).sum()
    assert [seat["seat"] for seat in result["beliefs"]] == ["SB", "BTN"]
    again = client.get("/api/spot", params=spot).json()
    assert [each["id"] for each in again["search"]] == [job["id"]]


def test_values__are_those_of_fold_and_call_by_hand(run, library):
    """The small blind bets all: the button's value is its strategy times the showdown."""
    config = {**QUICK, "tremble": 0, "believe_blueprint": 0}
    work, board = SpotSearch(library, json.dumps(config)), parse_cards("AhKd9cTsTd", RANKS)
    question = SearchQuestion("r350cf/cc/cc/r2000", "AhKd9cTsTd", "full")
    result = work(question, quiet)
    hand = work._searched(question, quiet).hand
    (theirs, _, _), (fold, call) = hand.now(), hand.play().rows.T
    rank, pairs = np.empty(len(call), np.int32), hole_cards(RANKS)
    rank_holes(board, RANKS, rank)
    apart = ~(pairs[:, None, :, None] == pairs[None, :, None, :]).any((2, 3))
    weight = np.where(apart, theirs, 0.0)
    pot, price = 350 + 350 + 100, 1650
    won = np.sign(rank[:, None] - rank[None, :])
    chips = np.select([won > 0, won < 0], [pot + price, -price], pot / 2)
    expected = call * (weight * chips).sum(1) / np.maximum(weight.sum(1), 1e-300)
    label = classes(RANKS)
    for name, values in result["ev"]["holes"].items():
        holes = np.flatnonzero((label == name) & (rank >= 0))
        known = [k for k, value in enumerate(values) if value is not None]
        actual = [values[k][0][0] for k in known]
        assert np.allclose(actual, expected[holes[known]], atol=2), name  # chips
    assert result["values"] == "ready"
    assert np.allclose((fold + call)[rank >= 0], 1)


def test_values__of_a_flop_are_made_on_request_alone(client):
    ask = {**FLOP, "setting": "full"}
    assert finished(client, post(client, "/api/search", ask).json())["result"]["ev"] is None
    job = finished(client, post(client, "/api/search", {**ask, "values": True}).json())
    assert job["result"]["values"] == "ready"
    assert np.isfinite(job["result"]["ev"]["range"]).all()


def test_search__can_be_cancelled(client):
    job = post(client, "/api/search", {"actions": "", "setting": "fast"}).json()
    cancelled = post(client, f"/api/search/{job['id']}/cancel", {})
    assert cancelled.status_code == 200
    assert finished(client, cancelled.json())["state"] in ("cancelled", "done")


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"actions": "ff"}, 400), ({"actions": "r350cf/"}, 400), ({**FLOP, "setting": "slow"}, 400),
        ({**FLOP, "values": "yes"}, 400), ({**FLOP, "config": "{}"}, 400), ([], 400), ("{", 400),
        (b"\xff", 400), ("[" * 5000, 400), ({"actions": "c" * MOST_BODY}, 413),
    ],
)  # fmt: skip
def test_search__refuses_what_is_no_decision(client, body, status):
    assert post(client, "/api/search", body).status_code == status


def test_search__of_a_run_without_continuations_says_so(run, tmp_path):
    (tmp_path / "blueprint").symlink_to(run.folder / "blueprint")
    bare = run._replace(folder=tmp_path)
    client = client_of(Site(Library(bare)))
    answer = post(client, "/api/search", FLOP)
    assert answer.status_code == 400
    assert "continuation" in answer.json()["error"]
    assert "continuation" in client.get("/explore").text
