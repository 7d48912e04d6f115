"""The ``abstraction`` section: features and buckets.

The paper: 169 preflop classes and 200 buckets a round after it, by k-means on "domain-specific
features" (supplement, "Further details of the abstraction algorithm", which gives no more). The
features are those of Johanson et al. 2013: histograms of 50 bins, 8 clusters of opponents.
"""

from typing import Any

from pydantic import Field, field_validator

from sixmax.base.config_section import Section

OCHS_CLUSTERS = 8  # of opponents' hands, that a river hand is measured against; Johanson et al.
RESTARTS = 2  # runs of k-means; the best is kept
MAX_ITERATIONS = 50  # of one run; it usually stops by itself
SCORED = 100_000  # situations
MAX_BUCKETS = 30_000  # a round: a bucket is stored in two bytes, up to 255 in one


def distinct_classes(ranks: int) -> int:
    """Hand classes that differ in strength, so the most clusters of opponents' hands.

    With fewer than five ranks there is no flush, and suits do not matter.
    """
    return ranks * ranks if ranks >= 5 else ranks * (ranks + 1) // 2


class ByRound(Section):
    """One number for each round after the first, which is lossless."""

    flop: int = Field(ge=1)
    turn: int = Field(ge=1)
    river: int = Field(ge=1)


class BucketCounts(ByRound):
    """Buckets of each round."""

    @field_validator("flop", "turn", "river")
    @classmethod
    def _not_too_many(cls, value: int) -> int:
        if value > MAX_BUCKETS:
            raise ValueError(f"at most {MAX_BUCKETS:,} buckets a round")
        return value


class AbstractionConfig(Section):
    """The features, and their clustering into buckets."""

    bins: int = Field(ge=2, le=255)  # of the histograms of win probability; peers of the paper: 50
    buckets: BucketCounts  # of each round; paper: 200
    sample: ByRound  # situations that k-means sees; all situations are then given a bucket

    @property
    def scored(self) -> int:
        """Situations that the quality report scores: no more than k-means learns from."""
        return min(SCORED, max(dict(self.sample).values()))

    def frozen(self) -> dict[str, Any]:
        """The settings that the buckets are a function of, as plain JSON values."""
        constants = {
            "ochs_clusters": OCHS_CLUSTERS, "restarts": RESTARTS, "max_iterations": MAX_ITERATIONS
        }  # fmt: skip
        return self.model_dump(mode="json") | constants
