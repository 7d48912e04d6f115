"""Command of the continuation strategies: compress."""

import math
from pathlib import Path
from typing import Any

import click

from sixmax.cli.options import FILE, RUN, STORE, threads


class Bias(click.FloatRange):
    """Continuations lean towards an action, never away from it: a finite number above 1."""

    def __init__(self) -> None:
        super().__init__(min=1, min_open=True)

    def convert(self, value: Any, param: Any, ctx: Any) -> float:
        bias = super().convert(value, param, ctx)
        if not math.isfinite(bias):
            self.fail(f"found {value}, wanted a finite number above 1", param, ctx)
        return bias


@click.command()
@RUN
@click.option("--bias", type=Bias(), required=True, help="Factor on fold, call or raise.")
@STORE
@click.option("--check", type=FILE, required=True, help="Where the test of the samples goes, JSON.")
@threads
def compress(folder: Path, bias: float, out: Path, check: Path, threads: int) -> None:
    """Sample one action per infoset for each of the four continuation strategies.

    The blueprint unchanged, and leaning to folding, calling or raising; each action in the fewest
    bits. A chi-square test holds the samples to the strategies before anything is written.
    """
    from sixmax.continuation.stage import compress as stage

    stage(folder, bias, threads, out, check)
