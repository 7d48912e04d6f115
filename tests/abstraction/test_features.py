from itertools import combinations
from math import comb

import numpy as np
import pytest

from abstraction.small_deck import BINS, CLUSTERS, RANKS
from oracles import abstraction as oracle
from oracles.situations import situation
from sixmax.abstraction import features, features_kernels
from sixmax.base.errors import UserError
from sixmax.cards import deck, equity, isomorphism
from sixmax.cards.strength_ladder import climb, ladder
from sixmax.store import read
from threads import same_on_two_threads


def opened(folder, name):
    return read(folder / f"{name}.zarr", f"features-{name}")


def some(folder, name, n, seed=0):
    """(number, hole, board) of a few situations."""
    total, k = len(opened(folder, name)["win"]), features.BOARD_CARDS[name]
    for index in np.random.default_rng(seed).integers(total, size=n).tolist():
        yield index, *situation(index, k, RANKS)


def runouts(hole, board):
    rest = np.setdiff1d(np.arange(4 * RANKS), [*hole, *board])
    return [[*board, *more] for more in combinations(rest.tolist(), 5 - len(board))]


def by_river_kernel(hole, board):
    """As the oracle's histogram, from the river kernel of cards, one runout after the other."""
    s, wins2 = ladder(RANKS), np.empty(deck.n_holes(RANKS), np.int32)
    here, wins = deck.hole_id(*hole), []
    for full in runouts(hole, board):
        equity.sweep(climb(np.array(full, np.int8), RANKS, s), s, wins2)
        wins.append(int(wins2[here]))
    bins = [oracle.bin_of(w, 2 * features.opponents(RANKS), BINS) for w in wins]
    return np.bincount(bins, minlength=BINS), sum(wins)


def test_river__win_equals_brute_force(folder):
    win = opened(folder, "river")["win"]
    for index, hole, board in some(folder, "river", 12):
        results = oracle.river_results(hole, board, RANKS)
        assert len(results) == features.opponents(RANKS)
        assert win[index] == sum(results.values())


def test_river__clusters_equal_brute_force(folder):
    ochs, cluster = opened(folder, "river")["ochs"], opened(folder, "preflop")["cluster"]
    cluster_of_hole = cluster[deck.classes(RANKS)]
    for index, hole, board in some(folder, "river", 12, seed=1):
        expected = oracle.river_ochs(hole, board, RANKS, cluster_of_hole, CLUSTERS)
        np.testing.assert_array_equal(ochs[index], expected)


def test_river__cluster_that_is_all_blocked_counts_as_everyone():
    assert features_kernels.fixed_point(0, 0, 990, 990) == 32768
    assert features_kernels.fixed_point(20, 10, 990, 990) == features_kernels.FULL
    assert features_kernels.fixed_point(0, 10, 990, 990) == 0


@pytest.mark.parametrize(("name", "n"), [("turn", 4), ("flop", 1)])
def test_histograms__equal_brute_force(folder, name, n):
    store = opened(folder, name)
    for index, hole, board in some(folder, name, n, seed=2):
        expected, total = oracle.histogram(hole, board, RANKS, BINS)
        np.testing.assert_array_equal(store["histogram"][index], expected)
        assert store["win"][index] == total


@pytest.mark.parametrize(("name", "n"), [("turn", 300), ("flop", 60)])
def test_histograms__equal_runouts_one_by_one(folder, name, n):
    store = opened(folder, name)
    for index, hole, board in some(folder, name, n, seed=3):
        expected, total = by_river_kernel(hole, board)
        np.testing.assert_array_equal(store["histogram"][index], expected)
        assert store["win"][index] == total


@pytest.mark.parametrize("hole", [(0, 1), (3, 22), (5, 21)], ids=["pair", "offsuit", "suited"])
def test_histograms__preflop_equals_runouts_one_by_one(folder, hole):
    store, c = opened(folder, "preflop"), deck.classes(RANKS)[deck.hole_id(*hole)]
    expected, total = by_river_kernel(hole, ())
    np.testing.assert_array_equal(store["histogram"][c], expected)
    assert store["win"][c] == total


@pytest.mark.parametrize("name", ["flop", "turn"])
def test_histograms__hold_every_runout_once(folder, name):
    mass = opened(folder, name)["histogram"].sum(axis=1, dtype=int)
    k = features.BOARD_CARDS[name]
    assert (mass == comb(4 * RANKS - 2 - k, 5 - k)).all()


@pytest.mark.parametrize("name", features.ROUNDS)
def test_win__is_a_half_on_average(folder, name):
    # every pair of hands is met from both sides, so this is exact
    win = opened(folder, name)["win"].astype(object)
    if name == "preflop":
        weight = np.bincount(deck.classes(RANKS))
    else:
        weight = isomorphism.situation_weights(RANKS, features.BOARD_CARDS[name])
    weight = weight.astype(object)
    assert 2 * (win @ weight) == features.win_scale(RANKS, name) * weight.sum()


def test_opponents__clusters_ascend_in_strength(folder):
    store = opened(folder, "preflop")
    means = [store["win"][store["cluster"] == k].mean() for k in range(CLUSTERS)]
    assert means == sorted(means)
    aces, low = deck.class_names(RANKS).index("AA"), deck.class_names(RANKS).index("T9o")
    assert store["cluster"][aces] == CLUSTERS - 1
    assert store["cluster"][low] == 0


def test_bin_table__equals_twin_and_its_ends():
    table = features.bin_table(13, 50)
    assert len(table) == 1981
    assert table.tolist() == [oracle.bin_of(w, 1980, 50) for w in range(1981)]
    assert (table[0], table[-1]) == (0, 49)


def test_counts__of_the_full_deck():
    # numbers.md: 990 opponents' hands; 46 rivers; 1,081 runouts; C(50, 5) boards
    assert features.opponents(13) == 990
    assert [features.runouts(13, name) for name in features.ROUNDS] == [2_118_760, 1081, 46, 1]


def test_make__same_whatever_the_threads(tmp_path):
    def digests(threads):
        features.make(4, 10, 3, tmp_path / str(threads), threads)
        stores = (opened(tmp_path / str(threads), name) for name in features.ROUNDS)
        return [store.attributes["digests"] for store in stores]

    same_on_two_threads(digests)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ((2, 10, 3), "deck of 2"),
        ((6, 1, 3), "1 bins"),
        ((6, 10, 37), "37 opponent clusters: wanted 1 to 36"),
        ((4, 10, 11), "11 opponent clusters: wanted 1 to 10"),
    ],
)
def test_make__refuses_in_one_line(tmp_path, values, message):
    with pytest.raises(UserError, match=message):
        features.make(*values, tmp_path / "features")
    assert not list(tmp_path.iterdir())


def test_make__as_many_clusters_as_classes_that_differ(tmp_path):
    """Four ranks have no flush: 4 pairs and 6 other hands differ."""
    features.make(4, 10, 10, tmp_path)
    assert set(opened(tmp_path, "preflop")["cluster"].tolist()) == set(range(10))


@pytest.mark.slow
def test_make__full_deck(tmp_path):
    """Every feature of 52 cards: counts of numbers.md, preflop equities that everyone knows."""
    features.make(13, 50, 8, tmp_path, 2)
    rows = [len(opened(tmp_path, name)["win"]) for name in features.ROUNDS]
    assert rows == [169, 1_286_792, 13_960_050, 123_156_254]
    store = opened(tmp_path, "preflop")
    equities = store["win"] / features.win_scale(13, "preflop")
    actual = dict(zip(deck.class_names(13), equities, strict=True))
    # from ../shared/data/preflop_allin_169x169.csv: a row's mean over opponents with card removal
    known = {"AA": 0.852, "KK": 0.824, "AKs": 0.670, "22": 0.503, "72o": 0.346, "32o": 0.323}
    for name, expected in known.items():
        assert actual[name] == pytest.approx(expected, abs=5e-4)
