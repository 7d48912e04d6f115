"""Types of values on the command line, beside click's own."""

import json
import math
from pathlib import Path
from typing import Any

import click

from sixmax.base.errors import UserError, did_you_mean

STARTER = "starter.sixmax"  # the packed run of the repository, first among those found
FILE = click.Path(path_type=Path)


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


class Real(click.FloatRange):
    """A finite number within bounds."""

    def convert(self, value: Any, param: Any, ctx: Any) -> float:
        number = super().convert(value, param, ctx)
        if not math.isfinite(number):
            self.fail(f"found {value}, wanted a finite number", param, ctx)
        return number


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
    """Words separated by commas, each once unless they are ``seats``: a list of str."""

    name = "names"

    def __init__(self, seats: bool = False):
        self.seats = seats

    def convert(self, value: Any, param: Any, ctx: Any) -> list[str]:
        words = value if isinstance(value, list) else [w.strip() for w in value.split(",")]
        if not all(words) or (len(set(words)) < len(words) and not self.seats):
            wanted = "names" if self.seats else "names, each once"
            self.fail(f"found {value!r}, wanted {wanted}, as in rule,call", param, ctx)
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
