"""The command line: one command per stage, and looks into what the stages made."""

import atexit
import difflib
import gc
import importlib
import sys

import click

from sixmax.errors import UserError, printable

_OBJECTS = 50_000  # new ones, before the youngest are looked through
# command -> (module, one line for the list). Modules load when their command is called, so that
# `sixmax --help` and every short command start at once.
COMMANDS: dict[str, tuple[str, str]] = {
    "plan": ("plan", "What each stage of a config will cost"),
    "features": ("abstraction", "Features of every canonical hand"),
    "cluster": ("abstraction", "Buckets of one betting round"),
    "quality": ("abstraction", "How good the buckets of a round are"),
    "tree": ("blueprint", "The public betting tree as flat arrays"),
    "identity": ("blueprint", "Freeze what a training run is"),
    "train": ("blueprint", "One interval of blueprint training"),
    "shard": ("blueprint", "One shard of an interval, for several machines"),
    "merge": ("blueprint", "The shards of an interval, added up"),
    "average": ("blueprint", "The blueprint from averages and snapshots"),
    "compress": ("continuation", "The four continuation strategies, in bits"),
    "flop": ("search", "Buckets of turn and river after one flop, for the search"),
    "advise": ("search", "What to do at a point of a hand, by search"),
    "gain": ("search", "What search wins over the blueprint, subgame by subgame"),
    "gains": ("search", "Gains of search that several jobs measured, in one"),
    "duel": ("search", "Whole hands of search against copies of the blueprint"),
    "match": ("evaluation", "A duplicate match between two agents"),
    "table": ("hands", "A match hand by hand, also with search and over ACPC"),
    "acpc": ("hands", "Play at an ACPC dealer"),
    "replay": ("hands", "Check hand histories, and what their players won"),
    "matches": ("evaluation", "The results of matches in one table"),
    "values": ("evaluation", "What self-play wins from every point of the betting"),
    "aivat": ("evaluation", "A duplicate match with its luck taken off by AIVAT"),
    "compare": ("evaluation", "First-in play beside Pluribus's published frequencies"),
    "pluribus": ("evaluation", "An agent held to the decisions of Pluribus in its hands"),
    "lbr": ("evaluation", "A lower bound on what a two-player strategy can lose"),
    "bounds": ("evaluation", "Lower bounds by several protocols in one table"),
    "experiment": ("experiments", "The paper's 1 + 5 and 5 + 1, with its Control"),
    "hands": ("experiments", "How many hands it takes to see an edge"),
    "response": ("evaluation", "What best responses win from a strategy of a small game, exactly"),
    "report": ("report", "One page about a run"),
    "measure": ("validate", "How far from its known answer a small game is solved"),
    "answers": ("validate", "What is measured beside what is known, as a table and a page"),
    "verdict": ("validate", "Whether every bound of the validation is met"),
    "show": ("inspect", "What is inside a store"),
    "strategy": ("inspect", "The blueprint's strategy at a point of the betting"),
}


class _Lazy(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        module = importlib.import_module(f"sixmax.cli.{COMMANDS[name][0]}")
        return getattr(module, name)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in COMMANDS and args[0][:1].isalpha():
            near = difflib.get_close_matches(args[0], COMMANDS, n=1)
            hint = f"did you mean {near[0]!r}?" if near else "`sixmax --help` lists them"
            ctx.fail(f"no command {args[0]!r}; {hint}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, text) in COMMANDS.items()])


@click.command(cls=_Lazy, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="sixmax")
def app() -> None:
    """From a deck of cards to a six-player no-limit hold'em strategy.

    The stages are usually run by `snakemake`; each is also a command here, with plain arguments.
    """


def main() -> None:
    """Entry point: a user's mistake is one line and exit code 2, a bug a traceback."""
    # A job of `train` ends with 140,000 objects, nearly all of libraries. Looking through them for
    # cycles, while they are imported and again when all ends, was a quarter of it.
    gc.set_threshold(_OBJECTS)
    atexit.register(gc.freeze)
    try:
        app(standalone_mode=True)
    except UserError as error:
        print(f"sixmax: {printable(str(error), lines=False)}", file=sys.stderr)
        sys.exit(2)
    except BrokenPipeError:
        sys.exit(141)
    except OSError as error:
        if error.filename is None:
            raise
        name = printable(str(error.filename), lines=False)
        print(f"sixmax: {name}: {error.strerror}", file=sys.stderr)
        sys.exit(2)
    except MemoryError as error:
        wanted = f" ({error})" if str(error) else ""
        print(
            f"sixmax: the machine has too little memory{wanted}; take a smaller tree or fewer "
            "buckets, or end other work",
            file=sys.stderr,
        )
        sys.exit(2)
