"""The worth of actions at a spot: beliefs of search, means of the chart, jobs, and the text."""

import re
from dataclasses import replace

import numpy as np
import pytest

from commands import called
from serve.conftest import FLOP, client_of, finished, post
from sixmax.api.decision import EV
from sixmax.api.walk import Address
from sixmax.base.errors import UserError
from sixmax.base.jit import set_threads, threads_in_use
from sixmax.betting.state import spell
from sixmax.cards.deck import class_names, classes
from sixmax.ongoing.policies import Side
from sixmax.search.advice import position, replay
from sixmax.search.config import NEVER, SearchConfig
from sixmax.search.public_hand import PublicHand
from sixmax.search.solvers.problem import quiet
from sixmax.serve.app import Site
from sixmax.serve.jobs.background import Jobs
from sixmax.serve.jobs.worth import SpotWorth, WorthQuestion, as_values, weights_of, worth_text
from sixmax.session.range_worth import RangeWorth, range_worth

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
    site.jobs["worth"] = Jobs(SpotWorth(library, TREMBLE, DEALS), "roll-out")
    return client_of(site)


def test_beliefs__are_those_of_a_search_without_searches(run, library):
    """After actions of the tree; a raise off it is followed as the page follows it."""
    walk = Address("r350cf/cc/r750", "AhKd9cTs").walk(library.open("blueprint"))
    assert len(walk.decisions) == 6
    config = SearchConfig().model_copy(update=NEVER)
    hand = PublicHand(run, run.policy("blueprint"), config, None, 1)
    replay(hand, *position("r350cf/cc/r750", "AhKd9cTs"))
    assert np.allclose(walk.beliefs(TREMBLE), hand.now(), atol=1e-12)
    assert hand.now().max() > 2 / 200  # far from uniform over 190 hands


def test_as_values__classes_are_means_of_combos_by_reach(run, library):
    walk = Address("r350cf/", "AhKd9c").walk(library.open("blueprint"))
    strategy, random = walk.here().strategy, np.random.default_rng(3)
    n = random.integers(0, 3, (8, len(strategy.bucket))).astype(float)
    won = random.normal(size=(8, len(strategy.offered), len(strategy.bucket))) * n[:, None]
    result = RangeWorth(tuple(strategy.offered), won, n)
    ev = EV(strategy, result.mean, result.off, 8)
    actual = as_values(*ev.every, strategy, ev.known)
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
    work = SpotWorth(library, TREMBLE, 1)
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


@pytest.fixture(scope="module")
def spot(library):
    return library.opened.at("r350")


@pytest.fixture(scope="module")
def result(spot):
    side = Side(spot.agent.game, spot.agent.policy)
    return range_worth(spot.walk, side, spot.beliefs(), spot.chart.offered, 1, deals=2)


@pytest.fixture(scope="module")
def ev(spot, result):
    return EV(spot.chart, result.mean, result.off, 128)


def numbers(line):
    return [
        float(text.replace("+", "")) for text in re.findall(r"[+-]\d+\.\d+|(?<=± )\d+\.\d+", line)
    ]


def test_worth_text__differences_are_means_over_the_holes_by_reach(spot, result, ev):
    strategy, ranks = spot.chart, spot.walk.run.ranks
    words, blind = [spell(a) for a in strategy.offered], max(spot.walk.run.game.blinds)
    at, pair = words.index("c"), class_names(ranks)[0]
    lines = worth_text(ev, blind, "c", weights_of(spot.chart, "c", [pair])).splitlines()
    assert [line.split("  ")[0].strip() for line in lines[1:]] == ["range", "c of it", pair]
    own = classes(ranks) == 0
    for line, weight in zip(
        lines[1:],
        (strategy.weight, strategy.weight * strategy.rows[:, at], strategy.weight * own),
        strict=True,
    ):
        actual = numbers(line)
        for k in (k for k in range(len(words)) if k != at):
            each = np.nan_to_num(result.mean[k] - result.mean[at])
            held = weight * (result.deals.sum(axis=0) > 0)
            assert actual.pop(0) == pytest.approx(held @ each / held.sum() / blind, abs=6e-4)
            assert actual.pop(0) > 0
        assert not actual


def test_worth_text__half_an_interval_is_that_of_the_parts(spot, result, ev):
    """One hole: the ratio of sums by parts, its spread by the jackknife of them."""
    words, hole = [spell(a) for a in spot.chart.offered], 7
    weights = {"one": np.arange(len(spot.chart.bucket)) == hole}
    (mean, half, *_) = numbers(worth_text(ev, 1, "c", weights).splitlines()[1])
    at, k = words.index("c"), next(k for k, word in enumerate(words) if word != "c")
    more, deals = result.won[:, k, hole] - result.won[:, at, hole], result.deals[:, hole]
    parts = len(deals)
    assert mean == pytest.approx(more.sum() / deals.sum(), abs=6e-4)
    left = [(more.sum() - m) / (deals.sum() - d) for m, d in zip(more, deals, strict=True)]
    spread = np.sqrt((parts - 1) / parts * ((left - np.mean(left)) ** 2).sum())
    assert half == pytest.approx(1.998 * spread, rel=0.05)  # Student's t of 63


def test_worth_text__says_which_hands_never_come_here_and_which_no_deal_leaves(spot, ev):
    name, own = class_names(spot.walk.run.ranks)[0], classes(spot.walk.run.ranks) == 0
    rest = replace(spot.chart.range, weights=spot.chart.range.weights * ~own)
    free = replace(spot.chart, range=rest)
    weights = weights_of(free, "c", [name])
    assert np.array_equal(weights[f"{name}, never here"], own * 1.0)
    blocked = replace(ev, strategy=free, mean=np.where(own, np.nan, ev.mean))
    lines = worth_text(blocked, 1, "c", weights).splitlines()
    assert lines[3].split("   ")[0].startswith(f"{name}, never here")
    assert numbers(lines[3]) == []
    assert lines[3].endswith("–")
    assert len({len(line) for line in lines}) == 1


@pytest.mark.parametrize(
    ("less", "hands", "why"),
    [
        ("r9999", [], "action 'r9999': unknown; there are f, c"),
        ("c", ["AKx"], "found 'AKx', wanted AA"),
    ],
)
def test_weights__of_an_action_or_a_hand_that_is_not_there(spot, less, hands, why):
    with pytest.raises(UserError, match=why):
        weights_of(spot.chart, less, hands)


def test_command__prints_the_same_for_any_threads(folder):
    line = ["worth", "r350", "--less", "c", "--run", folder, "--deals", 70]
    texts = [called(*line, "--threads", threads).stdout for threads in (1, 2)]
    assert texts[0] == texts[1]
    assert texts[0].startswith("blueprint: 128 deals; big blinds")
