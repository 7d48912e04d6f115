"""A run of 300 buckets a round, more than a byte tells apart, from features to search."""

import json

import numpy as np
import pytest
import yaml

from abstraction.small_deck import BINS, CLUSTERS, RANKS, cluster
from oracles import abstraction as oracle
from processes import ROOT, SNAKEMAKE, printed
from search.holdem import SEARCH
from sixmax.abstraction import features
from sixmax.betting.config import GameConfig
from sixmax.betting.tree import DECISION, kind_of, round_of, seat_of
from sixmax.blueprint import identity
from sixmax.blueprint.config import BlueprintConfig
from sixmax.blueprint.run import open_run
from sixmax.blueprint.train import average, build_tree, freeze, train_interval
from sixmax.cards.isomorphism import boards
from sixmax.cfr.layout import infoset
from sixmax.continuation.stage import compress
from sixmax.evaluation.aivat import scored_match, values_fit
from sixmax.evaluation.exploitability.lbr import bound
from sixmax.evaluation.match.pairings import Pairing
from sixmax.evaluation.match.stage import match
from sixmax.evaluation.search_gain.gain import gain
from sixmax.evaluation.search_gain.spots import HandsAsked
from sixmax.ongoing.hand import blueprint_buckets, blueprint_rows
from sixmax.search.config import SearchSettings
from sixmax.store import read
from studies.improve.small import SCHEDULE
from workflow.golden import digests

COUNTS = {"preflop": RANKS**2, "flop": 300, "turn": 300, "river": 300}
GAME = GameConfig.parse(
    {
        "stacks": [1000, 1000], "blinds": [50, 100], "antes": [0, 0], "first": [0, 1, 1, 1],
        "rounds": [{"sizes": [[1]], "max_raises": 1, "max_players": 2}] * 4,
    },
    "game",
)  # fmt: skip
PAIR = Pairing("blueprint", "rule")


def make(run, stores, threads):
    """The run that ``stores`` of buckets begin, with the results of some of its stages."""
    blueprint = run / "blueprint"
    (run / "abstraction").symlink_to(stores)
    schedule = BlueprintConfig.parse(SCHEDULE, "blueprint")
    settings = identity.settings(1, RANKS, GAME, None, schedule)
    build_tree(blueprint / "tree.zarr", GAME, list(COUNTS.values()), 4.0)
    tables = {name: stores / f"{name}.zarr" for name in COUNTS}
    freeze(blueprint / "run.json", settings, blueprint / "tree.zarr", list(tables.values()))
    train_interval(run, 1, threads, True, blueprint / "history" / "00001.json")
    average(run, 1, [1], threads, blueprint / "strategy.zarr")
    packed = run / "continuation" / "strategies.zarr"
    compress(run, 5.0, threads, packed, run / "continuation" / "check.json")
    match(run, PAIR, 100, 1, threads, run / "evaluation" / "match.json", boards=10)


def judge(run, threads):
    """AIVAT, a local best response and the gain of search with both kinds of buckets."""
    evaluation = run / "evaluation"
    values_fit.values(run, 2000, 1, threads, evaluation / "values.zarr")
    scored_match.aivat(
        run, PAIR, evaluation / "values.zarr", 20, 1, threads, evaluation / "aivat.json"
    )
    bound(run, "blueprint", "56flop", 10, 1, threads, evaluation / "lbr.json")
    for buckets in (0, 40):
        config = SEARCH.model_copy(update={"buckets": buckets, "vector_iterations": [5, 5, 5, 50]})
        out = evaluation / f"gain-{buckets}.json"
        gain(run, SearchSettings(config), HandsAsked(2, 1), None, 5, threads, out)


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """The same run, made by one thread and by two."""
    folder = tmp_path_factory.mktemp("wide")
    features.make(RANKS, BINS, CLUSTERS, folder / "features")
    for name, count in COUNTS.items():
        cluster(folder / "features", folder / "stores" / f"{name}.zarr", name, count)
    result = []
    for threads in (1, 2):
        run = folder / str(threads) / "run"
        run.mkdir(parents=True)
        make(run, folder / "stores", threads)
        result.append(run)
    return result


def test_run__same_whatever_the_threads(runs):
    one, two = map(digests, runs)
    assert len(one) > 30
    assert one == two


@pytest.mark.slow
def test_results__same_whatever_the_threads(runs):
    for threads, run in enumerate(runs, 1):
        judge(run, threads)
    one, two = map(digests, runs)
    assert len(one) > 80
    assert one == two
    flops = sorted((runs[0] / "search" / "flop").glob("*.zarr"))
    assert flops
    assert {read(flop, "flop-buckets").attributes["buckets"] for flop in flops} == {40}


def test_run__every_round_has_its_buckets(runs):
    run = open_run(runs[0])
    assert run.layout.buckets.tolist() == list(COUNTS.values())
    assert [table.dtype for table in run.buckets[:4]] == [np.uint8, *[np.uint16] * 3]
    policy = run.policy("blueprint")
    for r, (start, stop) in enumerate(zip(run.layout.start, run.layout.start[1:], strict=False)):
        assert policy[start:stop].any(), r
    dealt = run.dealer.deal(np.uint64(1), 0, 20_000).bucket
    for r, count in enumerate(COUNTS.values()):
        assert len(np.unique(dealt[:, :, r])) > 0.95 * count


def test_rows__are_those_of_the_bucket_that_the_oracle_reads(runs):
    """On a flop and a river: the table by hand, then the entries of the infoset by hand."""
    run = open_run(runs[0])
    policy = run.policy("blueprint")
    for in_round, k in ((1, 3), (3, 5)):
        board = np.random.default_rng(k).permutation(4 * RANKS)[:k].astype(np.int8)
        table, canonical = run.buckets[in_round], boards(RANKS, k).cards.tolist()
        expected = oracle.board_buckets(table, canonical, board, RANKS)
        actual = blueprint_buckets(run, board)
        assert actual.tolist() == expected
        assert max(expected) > 255
        node = next(x for x in range(len(run.tree.node)) if decides(run, x, in_round, seat=1))
        rows = blueprint_rows(run, policy, node, actual)
        n = rows.shape[1]
        for hole in np.flatnonzero(actual >= 0):
            at = infoset(run.layout, in_round, 1, int(actual[hole]), int(run.tree.node[node, 2]))
            weight = policy[at : at + n].astype(float)
            by_hand = weight / weight.sum() if weight.any() else np.full(n, 1 / n)
            np.testing.assert_allclose(rows[hole], by_hand)


def decides(run, node, in_round, seat):
    head = int(run.tree.node[node, 0])
    return (kind_of(head), round_of(head), seat_of(head)) == (DECISION, in_round, seat)


@pytest.mark.slow
def test_report__of_tables_of_one_byte_and_of_two(tmp_path):
    """The whole workflow, as the run of the golden digests but for its buckets."""
    values = yaml.safe_load((ROOT / "tests" / "workflow" / "golden.yaml").read_text())
    values["abstraction"]["buckets"] = {"flop": 300, "turn": 20, "river": 400}
    (tmp_path / "own.yaml").write_text(yaml.safe_dump(values))
    options = ["--directory", str(tmp_path), "--configfile", str(tmp_path / "own.yaml")]
    printed(*SNAKEMAKE, "--cores", "2", *options)
    run = tmp_path / "results" / "golden"
    counts = json.loads((run / "abstraction" / "quality_river.json").read_text())
    assert counts["buckets"] == 400
    assert (run / "report" / "index.html").stat().st_size > 100_000
