import numpy as np
import pytest

from oracles import abstraction as oracle
from sixmax.abstraction.clustering import kmeans
from threads import same_on_two_threads


def blobs(n, columns, groups, seed=0, width=2500):
    """Rows around a few places, and weights of 1 to 24."""
    random = np.random.default_rng(seed)
    places = random.integers(8_000, 57_000, (groups, columns))
    rows = places[random.integers(groups, size=n)] + random.normal(0, width, (n, columns))
    return np.clip(rows, 0, 65535).astype(np.uint16), random.integers(1, 25, n)


@pytest.mark.parametrize("metric", kmeans.METRICS)
@pytest.mark.parametrize("columns", [1, 8, 49])
def test_nearest__equals_twin(metric, columns):
    random = np.random.default_rng(1)
    points = random.integers(0, 65536, (60, columns), dtype=np.uint16)
    centroid = random.integers(0, 65536, (25, columns), dtype=np.uint16)
    expected = [oracle.nearest(x, centroid, metric) for x in points]
    label, distance = kmeans.nearest(points, centroid, metric)
    assert list(zip(label, distance, strict=True)) == expected


@pytest.mark.parametrize("metric", kmeans.METRICS)
def test_nearest__of_equals_does_not_depend_on_the_numbering(metric):
    # few values, so ties abound, also between centroids with the same sum of columns
    random = np.random.default_rng(2)
    points = random.integers(0, 3, (300, 3), dtype=np.uint16)
    centroid = np.unique(random.integers(0, 3, (12, 3), dtype=np.uint16), axis=0)
    expected = [oracle.nearest(x, centroid, metric) for x in points]
    label, distance = kmeans.nearest(points, centroid, metric)
    assert list(zip(label, distance, strict=True)) == expected
    order = random.permutation(len(centroid))
    again, _ = kmeans.nearest(points, centroid[order], metric)
    np.testing.assert_array_equal(order[again], label)


@pytest.mark.parametrize("metric", kmeans.METRICS)
def test_seeds__equal_twin(metric):
    """Of points with equals among them, and with weights: every draw and every choice."""
    points, weight = blobs(300, 4, 12, seed=3)
    points[100:140] = points[60:100]
    expected = oracle.seeds(points, weight, 40, metric, np.random.default_rng(4))
    actual = kmeans._seeds(points, weight, 40, metric, np.random.default_rng(4))
    np.testing.assert_array_equal(actual, points[expected])


@pytest.mark.parametrize("metric", kmeans.METRICS)
def test_next_seed__keeps_each_point_with_its_nearest_seed(metric):
    points, weight = blobs(300, 4, 12, seed=5)
    gap, following = np.empty((2, 300), np.int64)
    head, radius, chosen = np.empty((3, 20), np.int64)
    seeding = kmeans.kernels.Seeding(
        points, weight, metric == "l2", chosen, gap, head, following, radius
    )
    kmeans.kernels.first_seed(seeding, 7)
    for count in range(1, 20):
        rows = np.random.default_rng(count).integers(0, 300, 3)
        kmeans.kernels.next_seed(seeding, rows, count)
    each = [[oracle.distance(x, points[row], metric) for row in chosen] for x in points]
    np.testing.assert_array_equal(gap, np.min(each, axis=1))
    chained = {}
    for seed in range(20):
        i = head[seed]
        while i >= 0:
            chained[i], i = seed, following[i]
    assert sorted(chained) == list(range(300))
    for i, seed in chained.items():
        assert each[i][seed] == gap[i] <= radius[seed]


@pytest.mark.parametrize("values", [90, 400, 65535])
@pytest.mark.parametrize(("median", "twin"), [(True, oracle.median), (False, oracle.mean)])
def test_centres__equals_twin(median, twin, values):
    """Of few values medians are counted, of many sorted; of 400 both, by the bucket's size."""
    points, weight = blobs(200, 4, 3)
    points = (points % values).astype(np.uint16)
    label = np.random.default_rng(3).integers(0, 5, 200).astype(np.int32)
    actual = kmeans.centres(points, weight, label, 6, median)
    for bucket in range(5):
        inside = label == bucket
        expected = [twin(column.tolist(), weight[inside].tolist()) for column in points[inside].T]
        assert actual[bucket].tolist() == expected
    assert not actual[5].any()  # nobody's label


def test_centres__half_of_the_weight_at_or_below_is_enough():
    points, weight = np.array([[1], [2], [3], [9]], np.uint16), np.array([2, 1, 2, 1])
    label = np.zeros(4, np.int32)
    assert kmeans.centres(points, weight, label, 1, median=True).tolist() == [[2]]
    assert oracle.median([1, 2, 3, 9], [2, 1, 2, 1]) == 2


def test_distance_to__equals_twin():
    points, _ = blobs(50, 4, 3)
    label = np.random.default_rng(4).integers(0, 3, 50).astype(np.int32)
    for metric in kmeans.METRICS:
        actual = kmeans.distance_to(points, points[:3], label, metric)
        expected = [
            oracle.distance(x, points[i], metric) for x, i in zip(points, label, strict=True)
        ]
        assert actual.tolist() == expected


@pytest.mark.parametrize("metric", kmeans.METRICS)
def test_cluster__finds_clumps_that_are_there(metric):
    points, weight = blobs(600, 8, 5, width=30)
    actual = kmeans.cluster(points, weight, 5, metric, seed=1, restarts=3, quiet=True)
    truth = np.unique(points // 4096, axis=0, return_inverse=True)[1]
    pairs = set(zip(actual.label.tolist(), truth.tolist(), strict=True))
    assert len({label for label, _ in pairs}) == 5
    assert actual.distance.max() < (500**2 if metric == "l2" else 8 * 200)


@pytest.mark.parametrize("columns", [2, 8])
def test_cluster__l2_objective_within_1_percent_of_scikit_learn(columns):
    # the oracle that the issue asks for: the best of 10 restarts on the same sample
    from sklearn.cluster import KMeans

    points, weight = blobs(3000, columns, 40, seed=5, width=4000)
    theirs = KMeans(25, n_init=10, random_state=0).fit(points, sample_weight=weight)
    expected = theirs.inertia_ / weight.sum()
    actual = kmeans.cluster(points, weight, 25, "l2", seed=1, restarts=5, quiet=True).objective
    one = ((points - np.average(points, axis=0, weights=weight)) ** 2).sum(axis=1)
    assert actual < 1.01 * expected
    assert expected < 0.25 * np.average(one, weights=weight)  # one bucket: no work at all


def test_cluster__one_run_of_few_buckets_is_as_much_a_matter_of_luck_as_scikit_learns():
    """With 12 buckets of points that have no clumps, one run of either lies a few per cent above
    the best of many: the median of ten runs is what can be compared."""
    from sklearn.cluster import KMeans

    points, weight = blobs(1500, 8, 60, seed=11, width=9000)
    ours, theirs = [], []
    for seed in range(10):
        result = kmeans.cluster(points, weight, 12, "l2", seed=seed, quiet=True)
        other = KMeans(12, n_init=1, random_state=seed).fit(points, sample_weight=weight)
        ours.append(result.objective)
        theirs.append(other.inertia_ / weight.sum())
    assert np.median(ours) == pytest.approx(np.median(theirs), rel=0.01)
    assert min(ours) < 1.005 * min(theirs)
    assert max(theirs) > 1.005 * min(theirs), "both stop in one of many places"


def test_cluster__median_beats_mean_on_earth_movers_distance():
    # it is what the objective asks for; docs/notebook/abstraction/centre.md has the rest
    random = np.random.default_rng(6)
    shares = random.dirichlet(np.full(20, 0.2), 2000)
    histograms = np.array([random.multinomial(1081, s) for s in shares])
    points = np.cumsum(histograms, axis=1)[:, :-1].astype(np.uint16)
    weight = np.ones(2000, np.int64)
    by = {
        centre: kmeans.cluster(points, weight, 30, "emd", 1, 3, 100, centre, quiet=True).objective
        for centre in kmeans.CENTRES
    }
    assert by["median"] < by["mean"]


@pytest.mark.parametrize("metric", kmeans.METRICS)
def test_cluster__is_a_standstill(metric):
    points, weight = blobs(1500, 8, 12, seed=7)
    actual = kmeans.cluster(points, weight, 10, metric, seed=2, quiet=True)
    again = kmeans.centres(points, weight, actual.label, 10, metric == "emd")
    np.testing.assert_array_equal(kmeans.sorted_by_sum(again), actual.centroid)
    assert actual.iterations < 100
    expected = np.average(actual.distance.astype(float), weights=weight)
    assert actual.objective == pytest.approx(expected)


@pytest.mark.parametrize("metric", kmeans.METRICS)
def test_cluster__same_whatever_the_threads(metric):
    given = blobs(3000, 8, 20, seed=8)
    same_on_two_threads(lambda _: kmeans.cluster(*given, 20, metric, seed=3, quiet=True))


def test_cluster__weight_counts_as_copies():
    points, weight = blobs(60, 3, 4, seed=9)
    copies = np.repeat(points, weight, axis=0)
    start = kmeans.sorted_by_sum(points[:6])
    weighted = kmeans._lloyd(points, weight, start, "l2", False, 50)
    repeated = kmeans._lloyd(copies, np.ones(len(copies), np.int64), start, "l2", False, 50)
    np.testing.assert_array_equal(weighted.centroid, repeated.centroid)
    assert weighted.objective == pytest.approx(repeated.objective)


def test_cluster__empty_buckets_are_given_a_centroid():
    points, weight = blobs(500, 4, 6, seed=10)
    start = np.repeat(points[:2], [1, 7], axis=0)  # seven times the same: six will be empty
    actual = kmeans._lloyd(points, weight, start, "emd", True, 50)
    assert actual.reseeded >= 6
    assert len(np.unique(actual.label)) == 8


def test_cluster__fewer_distinct_points_than_buckets_are_refused():
    points = np.repeat(blobs(5, 4, 5)[0], 20, axis=0)
    with pytest.raises(ValueError, match="6 buckets were asked of fewer distinct points"):
        kmeans.cluster(points, np.ones(100, np.int64), 6, "emd", seed=1)


def test_cluster__as_many_buckets_as_distinct_points():
    points = np.repeat(blobs(5, 4, 5)[0], 20, axis=0)
    actual = kmeans.cluster(points, np.ones(100, np.int64), 5, "emd", seed=1, quiet=True)
    assert actual.objective == 0


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"metric": "l1"}, "metric"),
        ({"centre": "mode"}, "centre"),
        ({"points": np.zeros((9, 2))}, "uint16"),
        ({"weight": np.zeros(9, int)}, "weight"),
    ],
)
def test_cluster__refuses(change, message):
    arguments = {"points": np.eye(9, dtype=np.uint16), "weight": np.ones(9, int), "metric": "l2"}
    with pytest.raises(ValueError, match=message):
        kmeans.cluster(**{**arguments, **change}, k=2, seed=0)
