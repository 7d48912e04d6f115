import pytest

from sixmax.abstraction.config import AbstractionConfig

GOOD = {
    "bins": 50,
    "buckets": {"flop": 200, "turn": 200, "river": 200},
    "sample": {"flop": 1000, "turn": 1000, "river": 1000},
}


def test_config__takes_the_papers_values():
    actual = AbstractionConfig.parse(GOOD, "abstraction")
    assert actual.buckets.turn == 200


def test_scored__is_no_more_than_k_means_sees():
    many = dict.fromkeys(("flop", "turn", "river"), 200_000)
    assert AbstractionConfig.parse(GOOD, "abstraction").scored == 1000
    assert AbstractionConfig.parse(GOOD | {"sample": many}, "abstraction").scored == 100_000


def test_frozen__keeps_the_constants_as_the_first_runs_did():
    actual = AbstractionConfig.parse(GOOD, "abstraction").frozen()
    assert actual == GOOD | {"ochs_clusters": 8, "restarts": 2, "max_iterations": 50}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"bin": 50}, "abstraction.bin: unknown key; did you mean 'bins'"),
        ({"bins": 1}, "abstraction.bins: found 1"),
        ({"bins": 50.0}, "abstraction.bins: found 50.0"),
        (
            {"buckets": {"flop": 30_001, "turn": 200, "river": 200}},
            "abstraction.buckets.flop: found 30001, wanted: at most 30,000 buckets a round",
        ),
        ({"buckets": {"flop": 200, "turn": 200}}, "abstraction.buckets.river: missing"),
    ],
)
def test_config__refuses_in_one_line(change, message, refused):
    with refused(message):
        AbstractionConfig.parse({**GOOD, **change}, "abstraction")
