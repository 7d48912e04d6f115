"""The command line: a command for each stage, and commands that read results."""

import importlib
import io
import os
import re
import sys
from collections.abc import Callable
from typing import Any

import click

from sixmax.base import retired
from sixmax.base.code_digest import PACKAGE
from sixmax.base.errors import UserError, did_you_mean, printable
from sixmax.base.files import FULL
from sixmax.cli.process import settle
from sixmax.measurements import MEASUREMENTS

# Group -> command -> its function. Modules load when their command is called, so that
# `sixmax --help` starts at once; the first line of the function's docstring is that of the list.
GROUPS: dict[str, dict[str, str]] = {
    "Run: the cost ahead, the report, a file to take home": {
        "new": "cli.new:new",
        "plan": "plan.plan:plan",
        "report": "report.page:make",
        "pack": "pack.run_file:pack",
        "unpack": "pack.run_file:unpack",
    },
    "Look: the contents of a run": {
        "show": "pack.run_file:show",
        "strategy": "ongoing.preflop_chart:strategy",
        "worth": "serve.jobs.worth:worth",
        "serve": "serve.server:serve",
    },
    "Play: a seat at the table, and decisions in single hands": {
        "play": "session.terminal.play:play",
        "review": "session.terminal.review:review",
        "advise": "search.advice:advise",
        "solve": "api.solve_file:solve",
        "table": "evaluation.match.table:table",
        "acpc": "evaluation.match.table:acpc",
    },
    "Measure: strategies and search": {
        "match": "evaluation.match.stage:match",
        "values": "evaluation.aivat.values_fit:values",
        "aivat": "evaluation.aivat.scored_match:aivat",
        "experiment": "evaluation.experiments.hands:experiment",
        "hands": "scores.power:hands",
        "chooser": "evaluation.search_gain.chooser:chooser",
        "lbr": "evaluation.exploitability.lbr_search:lbr",
        "replay": "hands.replay:replayed",
        "measure": "studies.validate.stage:measure",
        **{name: each.place for name, each in MEASUREMENTS.items()},
    },
    "Make: parts of a run by hand": {
        "flop": "abstraction.flop.store:make_all",
        "gaps": "studies.improve.stage:gaps",
        "improve": "studies.improve.stage:improve",
    },
}
# Those of the workflow alone: `sixmax stage NAME`, in the order of the pipeline.
STAGES: dict[str, str] = {
    "features": "abstraction.features:make",
    "cluster": "abstraction.buckets:make",
    "quality": "abstraction.quality:make",
    "tree": "blueprint.train:build_tree",
    "identity": "blueprint.train:freeze",
    "train": "blueprint.train:train_interval",
    "shard": "blueprint.shards:train_shard",
    "merge": "blueprint.shards:merge_shards",
    "average": "blueprint.train:average",
    "node-values": "blueprint.values:node_values",
    "compress": "continuation.stage:compress",
    "leaf-function": "leaf_function.stage:leaf_function",
    "self-generated": "self_generated.responses:self_generated",
    "search-settings": "search.settings:keep",
    "matches": "evaluation.match.results:gather",
    "league": "report.pages.league:league",
    "pool": "cli.pool:pool",
    "bounds": "evaluation.exploitability.lbr:gather",
    "answers": "report.pages.validation:answers",
    "flop-game": "studies.libratus.stage:solve_game",
    "resolve": "studies.libratus.stage:resolve",
    "off-tree": "studies.libratus.stage:off_tree",
    "libratus": "report.pages.papers:libratus",
    "flop-equilibrium": "studies.modicum.stage:solve_flops",
    "leaf-values": "studies.modicum.stage:leaf_values",
    "answer-bet": "studies.modicum.stage:answer_bet",
    "modicum": "report.pages.papers:modicum",
    "rps-picture": "report.pages.papers:draw_rps",
    "verdict": "studies.checks:verdict",
}
COMMANDS = {name: place for group in GROUPS.values() for name, place in group.items()}
# Where a name is found that is not among those asked: beside `stage`, within it, or another one.
NOW = {
    **retired.COMMANDS,
    **{name: f"sixmax stage {name}" for name in STAGES},
    **{name: f"sixmax {name}" for name in COMMANDS},
}


def function_at(place: str) -> Callable[..., Any]:
    """The function of a command at ``place``, as in "report.page:make"."""
    module, _, function = place.partition(":")
    return getattr(importlib.import_module(f"sixmax.{module}"), function)


def line_of(place: str) -> str:
    """The first line of the docstring of the function at ``place``, read and not imported."""
    module, _, function = place.partition(":")
    text = (PACKAGE / f"{module.replace('.', '/')}.py").read_text(encoding="utf-8")
    return re.search(rf'^def {function}\(.*?"""(.*?)\.?\n', text, re.M | re.S)[1]


class _Commands(click.Group):
    """Commands by name, each made of its function when it is called."""

    def __init__(self, groups: dict[str, dict[str, str]], **options: Any):
        super().__init__(**options)
        self._groups = groups
        self._places = {name: place for group in groups.values() for name, place in group.items()}

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [*self._places, *self.commands]

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in self._places:
            return self.commands.get(name)
        from sixmax.cli.command import command

        return command(name, function_at(self._places[name]))

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        known = self.list_commands(ctx)
        if args and args[0] not in known and args[0][:1].isalpha():
            now = NOW.get(args[0])
            hint = f"it is `{now}`" if now else did_you_mean(args[0], known)
            ctx.fail(f"no command {args[0]!r}; {hint or '`sixmax --help` lists them'}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        for title, group in self._groups.items():
            rows = [(f"{name:10}", line_of(place)) for name, place in group.items()]
            with formatter.section(title):
                formatter.write_dl(rows)
        for name, each in self.commands.items():
            with formatter.section("The workflow's own"):
                formatter.write_dl([(f"{name:10}", each.get_short_help_str(90))])


@click.command(
    cls=_Commands, groups=GROUPS, context_settings={"help_option_names": ["-h", "--help"]}
)
@click.version_option(package_name="sixmax")
def app() -> None:
    """From a deck of cards to a six-player no-limit hold'em strategy.

    `snakemake` runs a whole config and its evaluation. `sixmax COMMAND --help` explains a command,
    with an example.
    """


@app.command(
    cls=_Commands, groups={"Stages, in the order of the pipeline": STAGES},
    short_help="One stage of the workflow by itself; `sixmax stage --help` lists them",
)  # fmt: skip
def stage() -> None:
    """One stage of the workflow by itself.

    `snakemake` runs them for you.
    """


def main() -> None:
    """Entry point: a user's mistake is one line and exit code 2, a bug a traceback."""
    settle()
    # A terminal of 8 bits lacks some of our characters, and names may hold any: then as on stderr.
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        try:
            app(standalone_mode=True)
        finally:
            if sys.stdout is not None:
                sys.stdout.flush()
    except UserError as error:
        print(f"sixmax: {printable(str(error), lines=False)}", file=sys.stderr)
        sys.exit(2)
    except BrokenPipeError:
        sys.exit(141)
    except OSError as error:
        name = error.filename
        if name is None and error.errno not in FULL:
            raise
        if name is None:  # stages name the file that they write
            if sys.stdout is not None:  # Python would try to write the rest at its end
                os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            name = "standard output (or a file that was being written)"
        print(f"sixmax: {printable(str(name), lines=False)}: {error.strerror}", file=sys.stderr)
        sys.exit(2)
    except MemoryError as error:
        wanted = f" ({error})" if str(error) else ""
        print(
            f"sixmax: the machine has too little memory{wanted}; take a smaller tree or fewer "
            "buckets, or end other work",
            file=sys.stderr,
        )
        sys.exit(2)
