"""The worth of actions at a spot: beliefs of search, means of the chart, jobs."""

import numpy as np
import pytest
from starlette.testclient import TestClient

from serve.conftest import FLOP, HERE, finished, post
from sixmax.api.ev import sampled
from sixmax.api.spots.address import Address
from sixmax.api.spots.walk import Walk
from sixmax.base.jit import set_threads, threads_in_use
from sixmax.cards.deck import classes
from sixmax.search.advice import position, replay
from sixmax.search.config import NEVER, SearchConfig
from sixmax.search.public_hand import PublicHand
from sixmax.search.solvers.problem import quiet
from sixmax.serve.app import Site, make_app
from sixmax.serve.jobs.background import Jobs
from sixmax.serve.jobs.worth import SpotWorth, WorthQuestion, as_values
from sixmax.session.range_worth import RangeWorth

DEALS = 2  # of a part
TREMBLE = SearchConfig().tremble


@pytest.fixture(scope="module", autouse=True)
def one_thread():
    before = threads_in_use()
    yield
    set_threads(before)


@pytest.fixture(scope="module")
def client(library):
    site = Site(library)
    site.jobs["worth"] = Jobs(SpotWorth(library, TREMBLE, 1, DEALS), "roll-out")
    return TestClient(make_app(site), base_url=HERE, headers={"Origin": HERE})


def test_beliefs__are_those_of_a_search_without_searches(run, library):
    """After actions of the tree; a raise off it is followed as the page follows it."""
    walk = Address("r350cf/cc/r750", "AhKd9cTs").walk(Walk(library.open("blueprint")))
    assert len(walk.decisions) == 6
    config = SearchConfig().model_copy(update=NEVER)
    hand = PublicHand(run, run.policy("blueprint"), config, None, 1)
    replay(hand, *position("r350cf/cc/r750", "AhKd9cTs"))
    assert np.allclose(walk.beliefs(TREMBLE), hand.now(), atol=1e-12)
    assert hand.now().max() > 2 / 200  # far from uniform over 190 hands


def test_as_values__classes_are_means_of_combos_by_reach(run, library):
    walk = Address("r350cf/", "AhKd9c").walk(Walk(library.open("blueprint")))
    strategy, random = walk.here().strategy, np.random.default_rng(3)
    n = random.integers(0, 3, (8, len(strategy.bucket))).astype(float)
    won = random.normal(size=(8, len(strategy.offered), len(strategy.bucket))) * n[:, None]
    result = RangeWorth(tuple(strategy.offered), won, n)
    actual = as_values(sampled(result, strategy, walk.board, 8), strategy)
    known = (n.sum(axis=0) > 0) & (strategy.bucket >= 0)
    assert (strategy.bucket[~known] >= 0).any() or known.sum() > 150
    for k, row in enumerate(actual["classes"]):
        own = np.flatnonzero((classes(run.ranks) == k) & known)
        if not len(own):
            assert row is None
            continue
        weight = strategy.weight[own]
        weight = weight / weight.sum() if weight.sum() else np.full(len(own), 1 / len(own))
        each = result.mean[:, own] @ weight
        assert np.allclose([mean for mean, _ in row[1:]], each, atol=0.006)
        mixed = weight @ (strategy.rows[own] * result.mean[:, own].T).sum(axis=1)
        assert row[0][0] == pytest.approx(mixed, abs=0.006)
        assert all(error > 0 for _, error in row)


def test_worth__every_strategy_that_is_shown(library):
    work = SpotWorth(library, TREMBLE, 1, 1)
    for agent in ("snapshot-00001", "continuation-call", "against:blueprint-purified"):
        result = work(WorthQuestion("r350cf/", "AhKd9c", agent), quiet)["ev"]
        assert np.isfinite(result["range"]).all()


def test_worth__by_requests_is_kept_with_its_spot(client):
    job = post(client, "/api/worth", {**FLOP, "agent": "blueprint"}).json()
    job = finished(client, job, path="/api/worth")
    assert (job["state"], job["share"], job["agent"]) == ("done", 1.0, "blueprint"), job
    ev, spot = job["result"]["ev"], client.get("/api/spot", params=FLOP).json()
    (strategy,), (kept,) = spot["strategies"], spot["worth"]
    assert (kept["id"], kept["result"]) == (job["id"], job["result"])
    assert job["result"]["deals"] == 64 * DEALS
    assert len(ev["range"]) == 1 + len(strategy["options"])
    for k, combos in strategy["holes"].items():
        assert len(ev["holes"][k]) == len(combos)
    again = post(client, "/api/worth", FLOP).json()
    assert again["id"] == job["id"]
    assert client.get("/api/spot", params={**FLOP, "beside": "rule"}).json()["worth"] == [kept]


def test_worth__is_cancelled(client):
    job = post(client, "/api/worth", {"actions": "", "agent": "snapshot-00001"}).json()
    cancelled = post(client, f"/api/worth/{job['id']}/cancel", {}).json()
    assert finished(client, cancelled, path="/api/worth")["state"] in ("cancelled", "done")


@pytest.mark.parametrize(
    ("body", "why"),
    [
        ({"actions": "r350cf/"}, "nobody is to act"),
        ({**FLOP, "agent": "search"}, "unknown"),
        ({**FLOP, "deals": "9"}, "field 'deals'"),
        ({**FLOP, "actions": 1}, "actions: found int"),
    ],
)
def test_worth__refuses(client, body, why):
    answer = post(client, "/api/worth", body)
    assert answer.status_code == 400
    assert why in answer.json()["error"]
