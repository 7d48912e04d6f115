"""The gain of search as it is measured: by one job or several, of policies and of searches."""

import json

import numpy as np
import pytest

from evaluation.search_gain.fakes import CONFIG, Bluffer, finds
from evaluation.seated import Opened
from search.holdem import NESTED, nested_searcher, small_run, small_searcher, with_player
from sixmax.base.errors import UserError
from sixmax.base.files import write_json
from sixmax.cfr.postprocess import parse, postprocess
from sixmax.evaluation.search_gain import gain as stage
from sixmax.evaluation.search_gain.expected_gain import RIVER, Measurement
from sixmax.evaluation.search_gain.gain import PARTS, by_flop, measured
from sixmax.evaluation.search_gain.round_tree import fixed
from sixmax.evaluation.search_gain.spots import HandsAsked
from sixmax.scores.job_parts import cost_file
from sixmax.scores.job_parts import pooled as put_together
from sixmax.search.config import SearchSettings
from sixmax.search.result import SearchCache

HOW = {"protocol": {"unit": "mbb/game"}, "setting": "fast", "config": {"first": 1}}
LAST = CONFIG.model_copy(update={"first": RIVER})


def gained(hands, search=None, config=CONFIG, alone=False, flops=(), **options):
    """The record of the ``hands`` asked for by ``search``, else that of a Bluffer."""
    run, policy = small_run()
    cache = SearchCache(search or finds(Bluffer, run, policy))
    measurement = Measurement(run, policy, 50, hands.branches, flops)
    return measured(measurement, config, cache, hands, alone, **options)


def test_gain__of_a_policy_is_nothing_for_the_blueprint_alone():
    run, policy = small_run()
    other = postprocess(run.tree, run.layout, policy, parse("blueprint-purified")[1])
    for each in (policy, other):
        won = gained(HandsAsked(12, 5), fixed(run, each))["won"]["all"]
        assert any(won) == (each is other)


def written(folder, hands, flops=(), **other):
    """The file of a gain of ``hands``, with its cost beside it."""
    file = folder / f"{hands.seed}-{hands.begin}-{hands.hands}.json"
    write_json(file, gained(hands, flops=flops) | HOW | other)
    write_json(cost_file(file), {"seconds": 2.0, "threads": 1})
    return file


def pooled(folder, *files):
    put_together(PARTS, list(files), folder / "all.json")
    return json.loads((folder / "all.json").read_text())


def test_pool__of_parts_is_what_one_job_measures(tmp_path):
    expected = json.loads(written(tmp_path, HandsAsked(40, 5)).read_text())
    parts = [
        written(tmp_path, HandsAsked(n, 5, begin)) for begin, n in ((30, 10), (0, 17), (17, 13))
    ]
    actual = pooled(tmp_path, *parts)
    assert actual.pop("of") == [[5, 0, 17], [5, 17, 30], [5, 30, 40]]
    assert expected.pop("of") == [[5, 0, 40]]
    assert actual == expected
    assert any(expected["won"]["all"])
    cost = json.loads(cost_file(tmp_path / "all.json").read_text())
    assert cost == {"seconds": 6.0, "threads": 1}


def test_pool__of_two_seeds_and_of_a_pool(tmp_path):
    one, two = (written(tmp_path, HandsAsked(n, seed)) for n, seed in ((20, 5), (30, 6)))
    put_together(PARTS, [two, one], tmp_path / "both.json")
    more = written(tmp_path, HandsAsked(10, 6, 30))
    actual = pooled(tmp_path, more, tmp_path / "both.json")
    won = [json.loads(f.read_text())["won"]["all"] for f in (one, two)]
    assert actual["hands"] == 60
    assert actual["won"]["all"][:50] == won[0] + won[1]
    assert actual["gain"]["all"]["mean"] == pytest.approx(np.mean(actual["won"]["all"]))


@pytest.mark.parametrize(
    ("hands", "other", "expected"),
    [
        (HandsAsked(10, 5, 9), {}, r"hand 9 of seed 5 is in .*5-0-10.json and in .*5-9-10"),
        *(
            (HandsAsked(10, 6), {key: "other"}, f"different protocols .* put together: {key} is")
            for key in ("setting", "protocol", "config")
        ),
        (HandsAsked(2, 6), {"won": {"last": [0, 0]}}, "the rows all, .* and last: wanted the same"),
    ],
)
def test_pool__refuses_parts_that_do_not_go_together(tmp_path, hands, other, expected):
    parts = written(tmp_path, HandsAsked(10, 5)), written(tmp_path, hands, **other)
    with pytest.raises(UserError, match=expected):
        pooled(tmp_path, *parts)
    assert not (tmp_path / "all.json").exists()


@pytest.mark.parametrize("text", ["[]", "{", '{"gain": {}}'])
def test_pool__refuses_what_is_no_gain(tmp_path, text):
    (tmp_path / "other.json").write_text(text)
    with pytest.raises(
        UserError, match=r"other\.json: (not a gain of search|damaged: it is not JSON)"
    ):
        pooled(tmp_path, tmp_path / "other.json")


def test_pool__wants_the_cost_beside_each_part(tmp_path):
    part = written(tmp_path, HandsAsked(10, 5))
    cost_file(part).unlink()
    with pytest.raises(UserError, match=r"_cost\.json: no such file; wanted the cost of a search"):
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
    parts = [written(tmp_path, HandsAsked(20, 5, begin), [3, 8, 11]) for begin in (0, 20)]
    actual = pooled(tmp_path, *parts)
    assert actual["flops"] == [3, 8, 11]
    assert len(actual["flop"]) == 40
    assert set(actual["flop"]) == {3, 8, 11}
    assert "hands on 3 flops alone" in actual["design"]
    samples = by_flop(np.array(actual["won"]["all"]), actual["flop"])
    error = samples.std(ddof=1) / np.sqrt(3)
    assert actual["gain"]["all"]["standard_error"] == pytest.approx(error)
    other = written(tmp_path, HandsAsked(10, 6))
    with pytest.raises(UserError, match="different protocols cannot be put together"):
        pooled(tmp_path, *parts, other)


def test_measured__says_what_was_measured():
    message, hands = [], HandsAsked(30, 5)
    record = gained(hands, progress=message.append)
    assert sum(message) == record["hands"] == 30
    assert set(record["gain"]) == {"all", "flop", "turn", "river"}
    parts = sum(record["gain"][name]["mean"] for name in ("flop", "turn", "river"))
    assert np.isclose(record["gain"]["all"]["mean"], parts)
    assert record["searches"] > 0
    assert gained(hands) == record

    one = gained(HandsAsked(10, 5), small_searcher(LAST), LAST, alone=True)
    assert list(one["gain"]) == ["river"]
    assert one["gain"]["river"]["mean"] == np.mean(one["won"]["river"]) != 0


@pytest.mark.parametrize("alone", [False, True])
def test_measured__the_blueprints_raises_are_the_same_by_name(alone):
    records = []
    for rounds in ([], list(small_run()[0].game.rounds)):
        config = CONFIG.model_copy(update={"rounds": rounds})
        records.append(gained(HandsAsked(6, 5), small_searcher(config), config, alone))
    assert records[0] == records[1]
    assert any(any(row) for row in records[0]["won"].values())


def test_measured__says_in_how_many_ways_hands_go_on():
    one, two = (
        gained(HandsAsked(4, 5, branches=ways))["design"] for ways in ((1, 1, 1), (1, 1, 2))
    )
    assert two == one + "; a hand goes on in 1, 1 and 2 ways into flop, turn and river"


def test_measured__alone_solves_nested_subgames_of_each_seat():
    run, policy = small_run(2)
    counted, few = {}, NESTED.model_copy(update={"vector_iterations": [10] * 4, "first": 3})
    measurement, hands = Measurement(run, policy, 20), HandsAsked(6, 3)
    for nested in ("none", "resolve"):
        config = with_player(few, nested=nested)
        record, whole = (
            measured(measurement, config, SearchCache(nested_searcher(config)), hands, alone)
            for alone in (True, False)
        )
        counted[nested] = record["searches"]
    assert record["won"]["river"] == whole["won"]["river"]
    assert any(record["won"]["river"])
    assert counted["resolve"] > 2 * counted["none"] > 0


@pytest.mark.parametrize("form", ["blueprint-purified", "snapshot-00003", "snapshot-00003-range-4"])
def test_gain__of_a_form_of_the_blueprint_says_by_which_protocol(form, tmp_path, monkeypatch):
    opened = Opened()
    monkeypatch.setattr(stage, "open_run", lambda folder: opened)
    monkeypatch.setattr(stage, "Searcher", lambda run, policy, config: fixed(run, policy))
    out = tmp_path / "gain.json"
    config = CONFIG.changed(blueprint=form)
    stage.gain(tmp_path, SearchSettings(config), HandsAsked(6, 1), None, 50, 1, out)
    assert opened.asked == [form]
    result = json.loads(out.read_text())
    actual = result["protocol"]
    assert "in expectation over private hands" in actual["payoff"]
    assert actual["sample"] == "hand of blueprint play (mean over the seats)"
    assert (actual["unit"], actual["seats"], actual["big_blind"]) == ("mbb/game", 3, 100)
    assert result["hands"] == 6
    for row in result["gain"].values():
        assert {"mean", "standard_error", "interval", "level"} <= set(row)


def test_gain__of_a_round_alone_refuses_branches(tmp_path, monkeypatch):
    run, _ = small_run()
    monkeypatch.setattr(stage, "open_run", lambda folder: run)
    asked = HandsAsked(6, 1, branches=(1, 1, 6))
    with pytest.raises(UserError, match="--branches 1 1 6 with --round 1: a round alone does"):
        stage.gain(tmp_path, SearchSettings(CONFIG), asked, 1, 50, 1, tmp_path / "o")
