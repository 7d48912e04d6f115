"""Options and types of values that several commands share.

The name of an option is that of the stage's parameter, so a command passes its options on.
"""

import functools
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from sixmax.base.errors import UserError, did_you_mean

STARTER = "starter.sixmax"  # the packed run of the repository, first among those found
FILE = click.Path(path_type=Path)
COUNT = click.IntRange(min=1)
COUNT_OR_0 = click.IntRange(min=0)
DEALS = click.IntRange(min=2)  # a standard error needs two samples
SEEDS = click.IntRange(min=0, max=2**63 - 1)


class RunFolder(click.Path):
    """The folder of a run; a packed file is unpacked first, once, into a cache."""

    def __init__(self):
        super().__init__(path_type=Path)

    def convert(self, value: Any, param: Any, ctx: Any) -> Path:
        path = super().convert(value, param, ctx)
        if not path.is_file():
            return path
        from sixmax.blueprint.packed import folder_of

        return folder_of(path)


def found_run() -> Path:
    """The run of a command that names none: STARTER, or the only one in this folder; it is said.

    Raises UserError where there are several, or none.
    """
    from sixmax.base.progress import say

    packed = sorted(Path().glob("*.sixmax"))
    trained = sorted(Path("results").glob("*/blueprint/strategy.zarr"))
    runs = [Path(STARTER)] if Path(STARTER) in packed else packed + [p.parents[1] for p in trained]
    if not runs:
        raise UserError("found no results/{run} with a blueprint, and no *.sixmax; name a --run")
    if len(runs) > 1:
        raise UserError(f"found {len(runs)} runs: {', '.join(map(str, runs))}; name one by --run")
    say(f"run: {runs[0]}")
    return runs[0]


class Choice(click.Choice):
    """One of some words; the message of a misspelt one names the nearest."""

    def get_invalid_choice_message(self, value: Any, ctx: Any) -> str:
        message = super().get_invalid_choice_message(value, ctx)
        hint = did_you_mean(str(value), self.choices)
        return f"{message.removesuffix('.')}; {hint}" if hint else message


ROUND = Choice(("preflop", "flop", "turn", "river"))


class CountList(click.ParamType):
    """Whole numbers above 0, separated by commas: a list of int; "" is none."""

    name = "counts"

    def convert(self, value: Any, param: Any, ctx: Any) -> list[int]:
        if isinstance(value, list):
            return value
        words = [word.strip() for word in value.split(",")] if value else []
        if not all(word.isascii() and word.isdigit() and int(word) > 0 for word in words):
            self.fail(f"found {value!r}, wanted whole numbers above 0, as in 4,5,6", param, ctx)
        return [int(word) for word in words]


class Names(click.ParamType):
    """Words separated by commas: a list of str."""

    name = "names"

    def convert(self, value: Any, param: Any, ctx: Any) -> list[str]:
        words = value if isinstance(value, list) else [w.strip() for w in value.split(",")]
        if not all(words) or len(set(words)) < len(words):
            self.fail(f"found {value!r}, wanted names, each once, as in rule,call", param, ctx)
        return words


class Json(click.ParamType):
    """An object in JSON: a dict."""

    name = "json"

    def convert(self, value: Any, param: Any, ctx: Any) -> dict:
        if isinstance(value, dict):
            return value
        from sixmax.base.config_section import each_once

        try:
            values = json.loads(value, object_pairs_hook=each_once)
        except ValueError as error:
            self.fail(f"not JSON: {error}", param, ctx)
        if not isinstance(values, dict):
            self.fail(f"found {type(values).__name__}, wanted an object {{…}}", param, ctx)
        return values


RUN = click.option(
    "--run", "folder", type=RunFolder(), required=True,
    help="The folder results/{run}, or a packed run.",
)  # fmt: skip
RUN_OR_FOUND = click.option(
    "--run", "folder", type=RunFolder(), default=lambda: found_run(),
    help=f"The folder results/{{run}}, or a packed run. Default: {STARTER} here, or the only run.",
)  # fmt: skip
UNPACKED = click.option(
    "--run", "folder", type=RunFolder(), required=True, help="The folder results/{run}, not packed."
)
OUT = click.option("--out", type=FILE, required=True, help="The result, as JSON.")
STORE = click.option("--out", type=FILE, required=True, help="The store to write.")
TEXT = click.option("--text", type=FILE, required=True, help="The table as text.")
PLAYED = click.option("--deals", type=DEALS, required=True, help="Each is played from every seat.")
SEED = click.option("--seed", type=SEEDS, required=True, help="Of deals and actions.")
INTERVAL = click.option("--interval", type=COUNT, required=True, help="Which interval, from 1.")
SNAPSHOT = click.option("--snapshot/--no-snapshot", help="Keep the current strategy afterwards.")
HISTORY = click.option(
    "--history", type=FILE, required=True, help="The interval's statistics, as JSON."
)
LOG = click.option("--log", type=FILE, help="Write the hands as ACPC lines.")
PHH = click.option("--phh", type=FILE, help="Write the hands as PHH.")
AGENT = click.option(
    "--agent", default="blueprint", show_default=True, help="Or a snapshot, as in snapshot-00004."
)
RESULTS = click.argument("results", type=FILE, nargs=-1, required=True)
GAME_FILE = click.option("--game", type=FILE, help="An ACPC game definition, if not the usual one.")
ITERATIONS = click.option(
    "--iterations", type=COUNT, default=300, show_default=True, help="Of CFR."
)
THREADS = click.option(
    "--threads",
    type=COUNT,
    default=1,
    show_default=True,
    envvar="SIXMAX_THREADS",  # set by the workflow
    help="Cores to use; the result is the same.",
)
ALL_IN = click.option(
    "--all-in",
    "boards",
    type=COUNT_OR_0,
    help="Score an all-in pot by its mean over N random boards; 0, or N too large, means all. "
    "Without this option: by the board that came.",
)


def count_option(name: str, default: int, text: str) -> Callable:
    """The option ``name``, a whole number above 0 that is ``default`` where it is left out."""
    return click.option(name, type=COUNT, default=default, show_default=True, help=text)


RANKS = count_option("--ranks", 13, "Of the deck; 13 is a full one.")
FEATURES = click.option("--features", type=FILE, required=True, help="Folder of the features.")


def k_means_options(command: Callable) -> Callable:
    """``--sample``, ``--restarts``, ``--max-iterations`` and ``--seed`` of a clustering."""
    for option in (
        count_option("--sample", 200_000, "Situations to cluster."),
        count_option("--restarts", 2, "Runs; the best is kept."),
        count_option("--max-iterations", 50, "Of one run."),
        click.option("--seed", type=SEEDS, default=0, show_default=True, help="Of the run."),
    ):
        command = option(command)
    return command


def search_options(command: Callable) -> Callable:
    """``--config`` and ``--setting``: ``config``, a SearchConfig, and ``setting``, its name."""

    @click.option("--config", help="Changes to the run's own section `search`, as JSON.")
    @click.option(
        "--setting", type=Choice(["full", "fast"]), default="full", show_default=True,
        help="`fast` applies search.fast: shorter searches, half a second each in `default`.",
    )  # fmt: skip
    @functools.wraps(command)
    def run(config: str | None, setting: str, **options: Any) -> Any:
        from sixmax.search.config import search_config

        on_flops = bool(options.get("flops"))
        parsed = search_config(config, setting, on_flops, options.get("folder"))
        return command(config=parsed, setting=setting, **options)

    return run
