"""Command of the continuation strategies: compress."""

import math
from typing import Any

import click

from sixmax.cli.options import FILE, RUN, STORE, THREADS


class Bias(click.FloatRange):
    """The factor of a biased continuation: a finite number above 1."""

    def __init__(self) -> None:
        super().__init__(min=1, min_open=True)

    def convert(self, value: Any, param: Any, ctx: Any) -> float:
        bias = super().convert(value, param, ctx)
        if not math.isfinite(bias):
            self.fail(f"found {value}, wanted a finite number above 1", param, ctx)
        return bias


@click.command()
@RUN
@click.option("--bias", "factor", type=Bias(), required=True, help="Factor on fold, call or raise.")
@click.option("--generator", default="bias", show_default=True, help="The maker of continuations.")
@STORE
@click.option("--check", type=FILE, required=True, help="The test of the samples, as JSON.")
@THREADS
def compress(**options: Any) -> None:
    """Sample one action per infoset for each of the continuation strategies.

    Those of `bias` are the blueprint, and the blueprint biased towards folding, calling or raising;
    continuation/generate.py has the generators. An action takes the fewest bits. A chi-square test
    compares samples and strategies before anything is written.
    """
    from sixmax.continuation.stage import compress as stage

    stage(**options)
