"""The command of a function: options from its signature, help from its docstring."""

from pathlib import Path
from typing import Annotated, NamedTuple

import pytest

from commands import called
from sixmax.base import options
from sixmax.base.config_section import Section
from sixmax.base.options import Option, argument
from sixmax.cli.command import command
from sixmax.search.config import SearchConfig


class Colour(Section):
    red: int = 0


class Pair(NamedTuple):
    left: Annotated[str, argument("LEFT")]
    right: Annotated[int, Option("Beside it.", least=1)] = 7


def taken(function, *words, env=None):
    """The arguments that ``function`` gets of the command line ``words``."""
    given = []

    def noted(**values):
        given.append(values)

    noted.__wrapped__ = function
    noted.__annotations__, noted.__doc__ = function.__annotations__, function.__doc__
    called(*words, on=command("it", noted), env=env)
    return given[0]


def every(
    pair: Pair,
    names: Annotated[list[str], Option("Some.")],
    counts: Annotated[list[int], Option("Some.", default="")],
    files: options.Files,
    section: Annotated[Colour, Option("A section.", default="{}")],
    out: options.Out | None,
    threads: options.Threads,
    share: Annotated[float, Option(above=0, most=1)] = 0.5,
    size: Annotated[list[float], Option("Several.", many=True)] = (),
    ways: Annotated[tuple[int, int], Option(least=1)] = (1, 1),
    weaken: Annotated[bool, Option("Or not.", "--weaken/--strong")] = True,
    progress=print,
):
    """Take everything.

    The ``share`` counts.

    Raises UserError never.
    """


def test_command__has_an_option_for_each_that_is_declared():
    actual = taken(every, "a", "x", "y", "--names", "k,l")
    assert actual.pop("section") == Colour(red=0)
    assert actual == {
        "pair": Pair("a", 7), "names": ["k", "l"], "counts": [], "files": [Path("x"), Path("y")],
        "out": None, "threads": 1, "share": 0.5, "size": [], "ways": (1, 1), "weaken": True,
    }  # fmt: skip


def test_command__reads_each_type():
    words = ["a", "x", "--right", "3", "--names", "k", "--counts", "4,5", "--share", "1"]
    words += ["--section", '{"red": 9}', "--size", "0.5", "--size", "2", "--ways", "2", "6"]
    actual = taken(every, *words, "--strong", "--out", "o")
    assert actual["pair"] == Pair("a", 3)
    assert actual["counts"] == [4, 5]
    assert actual["section"] == Colour(red=9)
    assert (actual["size"], actual["ways"]) == ([0.5, 2.0], (2, 6))
    assert (actual["share"], actual["weaken"], actual["out"]) == (1.0, False, Path("o"))


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["--share", "0"], "'--share': 0.0 is not in the range 0<x<=1"),
        (["--share", "nan"], "'--share': found nan, wanted a finite number"),
        (["--right", "0"], "'--right': 0 is not in the range x>=1"),
        (["--names", "k,k"], "wanted names, each once"),
    ],
)
def test_command__refuses_values_out_of_bounds(words, expected):
    done = called("a", "x", "--names", "k", *words, on=command("it", every), code=2)
    assert expected in done.output


def test_command__names_an_option_that_is_missing():
    done = called("a", "x", on=command("it", every), code=2)
    assert "Missing option '--names'" in done.output


def test_command__help_is_the_docstring_less_what_is_about_python():
    text = called("--help", on=command("it", every)).output
    assert "Take everything." in text
    assert "The `share` counts." in text
    assert "Raises" not in text
    assert "LEFT" in text


@pytest.mark.parametrize(
    ("variables", "words", "expected"),
    [({}, [], 1), ({"SIXMAX_THREADS": "3"}, [], 3), ({}, ["--threads", "2"], 2)],
)
def test_threads__are_taken_from_the_workflow(variables, words, expected):
    """Jobs of the workflow say their threads by SIXMAX_THREADS: a command's words do not change."""
    actual = taken(every, "a", "x", "--names", "k", *words, env=variables)
    assert actual["threads"] == expected


def searching(
    folder: options.Run,
    config: Annotated[SearchConfig, options.SEARCH],
    flops: Annotated[int, Option(least=1)] | None = None,
):
    """Search."""


@pytest.mark.parametrize(
    ("words", "buckets"),
    [([], 500), (["--setting", "fast"], 0), (["--setting", "fast", "--flops", "2"], 0)],
)
def test_search__is_in_the_setting_that_is_asked_for(tmp_path, monkeypatch, words, buckets):
    monkeypatch.chdir(tmp_path)
    actual = taken(searching, "--run", "r", *words)
    assert actual.keys() == {"folder", "config", "flops"}
    assert actual["config"].buckets == buckets


@pytest.mark.parametrize(
    ("result", "output", "code"),
    [
        ("text", "text\n", 0), (["a", "b"], "a\nb\n", 0), (3, "", 3), (("text", 2), "text\n", 2),
        (None, "", 0), ([], "\n", 0),
    ],
)  # fmt: skip
def test_result__of_a_function_is_printed_or_the_exit_code(result, output, code):
    assert called(on=command("it", lambda: result), code=code).output == output
