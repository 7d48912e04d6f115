import pytest

from sixmax.abstraction.config import AbstractionConfig
from sixmax.base.errors import UserError

GOOD = {
    "bins": 50,
    "ochs_clusters": 8,
    "buckets": {"flop": 200, "turn": 200, "river": 200},
    "sample": {"flop": 1000, "turn": 1000, "river": 1000},
    "restarts": 2,
    "max_iterations": 50,
    "quality_sample": 1000,
}


def test_config__takes_the_papers_values():
    actual = AbstractionConfig.parse(GOOD, "abstraction")
    assert actual.buckets.turn == 200


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"bin": 50}, "abstraction.bin: unknown key; did you mean 'bins'"),
        ({"bins": 1}, "abstraction.bins: found 1"),
        ({"bins": 50.0}, "abstraction.bins: found 50.0"),
        ({"ochs_clusters": 0}, "abstraction.ochs_clusters: found 0"),
        (
            {"buckets": {"flop": 30_001, "turn": 200, "river": 200}},
            "abstraction.buckets.flop: found 30001, wanted: at most 30,000 buckets a round",
        ),
        ({"buckets": {"flop": 200, "turn": 200}}, "abstraction.buckets.river: missing"),
        ({"restarts": 0}, "abstraction.restarts: found 0"),
    ],
)
def test_config__refuses_in_one_line(change, message):
    with pytest.raises(UserError, match=message) as error:
        AbstractionConfig.parse({**GOOD, **change}, "abstraction")
    assert "\n" not in str(error.value)
