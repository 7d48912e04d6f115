"""The ``abstraction`` section: features and buckets.

The paper: 169 preflop classes and 200 buckets a round after it, by k-means on "domain-specific
features" (supplement, "Further details of the abstraction algorithm", which gives no more). The
features are those of Johanson et al. 2013: histograms of 50 bins, 8 clusters of opponents.
"""

from pydantic import Field, field_validator

from sixmax.base.config_section import Section

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
    ochs_clusters: int = Field(ge=1, le=32)  # clusters of opponents' hands; Johanson et al.: 8
    buckets: BucketCounts  # of each round; paper: 200
    sample: ByRound  # situations that k-means sees; all situations are then given a bucket
    restarts: int = Field(ge=1, le=100)  # runs of k-means, the best is kept
    max_iterations: int = Field(ge=1, le=10_000)  # of one run; it usually stops earlier by itself
    quality_sample: int = Field(ge=100, le=10_000_000)  # situations that the quality report scores
