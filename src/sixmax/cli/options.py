"""Options and kinds of values that several commands share."""

import json
from pathlib import Path
from typing import Any

import click

FILE = click.Path(path_type=Path)
COUNT = click.IntRange(min=1)
DEALS = click.IntRange(min=2)  # of what has an error: one sample has none
SEED = click.IntRange(min=0, max=2**63 - 1)


class Counts(click.ParamType):
    """Whole numbers above 0, separated by commas: a list of int."""

    name = "counts"

    def convert(self, value: Any, param: Any, ctx: Any) -> list[int]:
        if isinstance(value, list):
            return value
        words = [word.strip() for word in value.split(",")]
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
        try:
            found = json.loads(value)
        except ValueError as error:
            self.fail(f"not JSON: {error}", param, ctx)
        if not isinstance(found, dict):
            self.fail(f"found {type(found).__name__}, wanted an object {{…}}", param, ctx)
        return found


threads = click.option(
    "--threads",
    type=COUNT,
    default=1,
    show_default=True,
    envvar="SIXMAX_THREADS",  # set by the workflow
    help="Cores to use; the result is the same.",
)

all_in = click.option(
    "--all-in",
    "boards",
    type=click.IntRange(min=0),
    default=None,
    help="Count all-in pots by the mean over so many boards, or all where no more can come; 0: "
    "always all. Left out: as the cards fell.",
)

# Options that several commands have.
RUN = click.option("--run", "folder", type=FILE, required=True, help="The folder results/{run}.")
OUT = click.option("--out", type=FILE, required=True, help="Where the result goes, as JSON.")
STORE = click.option("--out", type=FILE, required=True, help="The store to write.")
TABLE = click.option("--out", type=FILE, required=True, help="The table as JSON.")
TEXT = click.option("--text", type=FILE, required=True, help="The table to read.")
FIGURES = click.option("--out", type=FILE, required=True, help="Where the figures go, as JSON.")
PLAYED = click.option("--deals", type=DEALS, required=True, help="Each is played from every seat.")
DRAWN = click.option("--seed", type=SEED, required=True, help="Of deals and actions.")
INTERVAL = click.option("--interval", type=COUNT, required=True, help="Which interval, from 1.")
SNAPSHOT = click.option("--snapshot/--no-snapshot", help="Keep the current strategy afterwards.")
HISTORY = click.option(
    "--history", type=FILE, required=True, help="Where to say what happened, as JSON."
)
LOG = click.option("--log", type=FILE, default=None, help="Where the hands go, as ACPC lines.")
PHH = click.option("--phh", type=FILE, default=None, help="Where the hands go, as PHH.")
AGENT = click.option(
    "--agent", default="blueprint", show_default=True, help="Or a snapshot, as in snapshot-00004."
)
CONFIG = click.option(
    "--config",
    "settings",
    default=None,
    help="The config section `search`, as JSON, or its changes.",
)
SETTING = click.option(
    "--setting", type=click.Choice(["full", "fast"]), default="full", show_default=True,
    help="Fast takes what search.fast changes: a second a decision.",
)  # fmt: skip
