"""Gains of search from several jobs: the same whole, and nothing that does not belong to it."""

import json

import numpy as np
import pytest

from evaluation.search_gain.fakes import finds
from evaluation.search_gain.test_duel import CONFIG
from evaluation.search_gain.test_whole_hands import Bluffer
from search.holdem import small_run
from sixmax.base.errors import UserError
from sixmax.base.files import write_json
from sixmax.evaluation.search_gain.merge import PARTS, by_flop
from sixmax.evaluation.search_gain.stage import NumberedHands, whole
from sixmax.evaluation.search_gain.whole_hands import Measurement
from sixmax.scores.job_parts import cost_file
from sixmax.scores.job_parts import pooled as put_together
from sixmax.search.result import SearchCache

HOW = {"protocol": {"unit": "mbb/game"}, "setting": "fast", "config": {"first": 1}}


def measured(folder, seed, begin, hands, **other):
    """The file of a gain of that many hands, with its cost beside it."""
    run, policy = small_run()
    once = SearchCache(finds(Bluffer, run, policy))
    record = whole(Measurement(run, policy, 20), CONFIG, once, NumberedHands(hands, seed, begin))
    file = folder / f"{seed}-{begin}-{hands}.json"
    write_json(file, record | HOW | other)
    write_json(cost_file(file), {"seconds": 2.0, "threads": 1})
    return file


def pooled(folder, *files):
    put_together(PARTS, list(files), folder / "all.json")
    return json.loads((folder / "all.json").read_text())


def test_pool__of_parts_is_what_one_job_measures(tmp_path):
    expected = json.loads(measured(tmp_path, 5, 0, 40).read_text())
    parts = [measured(tmp_path, 5, begin, hands) for begin, hands in ((30, 10), (0, 17), (17, 13))]
    actual = pooled(tmp_path, *parts)
    assert actual.pop("of") == [[5, 0, 17], [5, 17, 30], [5, 30, 40]]
    assert expected.pop("of") == [[5, 0, 40]]
    assert actual == expected
    assert any(expected["won"]["all"])
    cost = json.loads(cost_file(tmp_path / "all.json").read_text())
    assert cost == {"seconds": 6.0, "threads": 1}


def test_pool__of_two_seeds_and_of_a_pool(tmp_path):
    one, two = measured(tmp_path, 5, 0, 20), measured(tmp_path, 6, 0, 30)
    put_together(PARTS, [two, one], tmp_path / "both.json")
    actual = pooled(tmp_path, measured(tmp_path, 6, 30, 10), tmp_path / "both.json")
    won = [json.loads(f.read_text())["won"]["all"] for f in (one, two)]
    assert actual["hands"] == 60
    assert actual["won"]["all"][:50] == won[0] + won[1]
    assert actual["gain"]["all"]["mean"] == pytest.approx(np.mean(actual["won"]["all"]))


def test_pool__refuses_hands_that_are_counted_twice(tmp_path):
    parts = measured(tmp_path, 5, 0, 10), measured(tmp_path, 5, 9, 10)
    with pytest.raises(UserError, match=r"hand 9 of seed 5 is in .*5-0-10.json and in .*5-9-10"):
        pooled(tmp_path, *parts)
    assert not (tmp_path / "all.json").exists()


@pytest.mark.parametrize("key", ["setting", "protocol", "config"])
def test_pool__refuses_what_was_measured_in_another_way(tmp_path, key):
    parts = measured(tmp_path, 5, 0, 10), measured(tmp_path, 6, 0, 10, **{key: "other"})
    with pytest.raises(UserError, match=f"different protocols cannot be put together: {key} is"):
        pooled(tmp_path, *parts)


@pytest.mark.parametrize("text", ["[]", "{", '{"gain": {}}'])
def test_pool__refuses_what_is_no_gain(tmp_path, text):
    (tmp_path / "other.json").write_text(text)
    with pytest.raises(
        UserError, match=r"other\.json: (not a gain of search|damaged: it is not JSON)"
    ):
        pooled(tmp_path, tmp_path / "other.json")


def test_pool__wants_the_cost_beside_each_part(tmp_path):
    part = measured(tmp_path, 5, 0, 10)
    cost_file(part).unlink()
    with pytest.raises(
        UserError,
        match=r"_cost\.json: no such file; wanted the cost of a search, which `sixmax gain` writes",
    ):
        pooled(tmp_path, part)


def test_by_flop__has_the_mean_of_hands_and_the_error_of_flops():
    """One hand a flop is a sample each; hands on a flop that are all alike count once."""
    random = np.random.default_rng(1)
    values = random.normal(size=50)
    np.testing.assert_allclose(by_flop(values, list(range(50))), values)
    four = by_flop(np.repeat(values, 4), np.repeat(range(50), 4).tolist())
    np.testing.assert_allclose(four, values)
    uneven = random.integers(0, 7, 50)
    actual = by_flop(values, uneven.tolist())
    assert actual.mean() == pytest.approx(values.mean())
    expected = [
        values.mean() + 7 / 50 * (values - values.mean())[uneven == f].sum() for f in range(7)
    ]
    np.testing.assert_allclose(actual, expected)


def test_pool__of_hands_on_given_flops(tmp_path):
    run, policy = small_run()
    parts = []
    for begin in (0, 20):
        cache = SearchCache(finds(Bluffer, run, policy))
        record = whole(
            Measurement(run, policy, 20), CONFIG, cache, NumberedHands(20, 5, begin, [3, 8, 11])
        )
        parts.append(tmp_path / f"{begin}.json")
        write_json(parts[-1], record | HOW)
        write_json(cost_file(parts[-1]), {"seconds": 2.0, "threads": 1})
    actual = pooled(tmp_path, *parts)
    assert actual["flops"] == [3, 8, 11]
    assert len(actual["flop"]) == 40
    assert set(actual["flop"]) == {3, 8, 11}
    assert "hands on 3 flops alone" in actual["design"]
    samples = by_flop(np.array(actual["won"]["all"]), actual["flop"])
    error = samples.std(ddof=1) / np.sqrt(3)
    assert actual["gain"]["all"]["standard_error"] == pytest.approx(error)
    other = measured(tmp_path, 6, 0, 10)
    with pytest.raises(UserError, match="different protocols cannot be put together"):
        pooled(tmp_path, *parts, other)
