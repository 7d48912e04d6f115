"""The command line: a command for each stage, and commands that read results."""

import importlib
import io
import os
import sys

import click

from sixmax.base.errors import UserError, did_you_mean, printable
from sixmax.base.files import FULL
from sixmax.cli.process import settle

# Group -> command -> (module, line of the list). Modules load when their command is called, so that
# `sixmax --help` and every short command start at once.
GROUPS: dict[str, dict[str, tuple[str, str]]] = {
    "Run: the cost ahead, the report, a file to take home": {
        "new": ("run.new", "Lay out a project of your own: workflow, presets, profiles"),
        "plan": ("run.plan", "Predict rows, memory, disk and time of every stage of a config"),
        "report": ("run.report", "Write one page about a run"),
        "pack": ("run.pack", "Put a run into one file, to take home"),
        "unpack": ("run.pack", "Make a run of a packed file"),
    },
    "Look: the contents of a run": {
        "show": ("look.inspect", "List the arrays of a store, or print the card of a packed run"),
        "strategy": ("look.inspect", "Print the blueprint's play before the flop, by hand class"),
        "ranges": ("look.ranges", "Write the ranges before the flop, by seat and opponent"),
        "worth": ("look.worth", "Roll out the worth of each action at a spot, by hand"),
        "serve": ("look.serve", "Explore a run in the browser: charts, any betting, searches"),
    },
    "Play: a seat at the table, and decisions in single hands": {
        "play": ("play.session", "Take a seat against agents, with their opinion after each hand"),
        "review": (
            "play.session",
            "Go through played hands with an agent's opinion and their cost",
        ),
        "advise": ("play.search", "Ask for a decision at any point of a hand, by real-time search"),
        "solve": ("play.search", "Solve a turn or river of two players from a file"),
        "table": (
            "play.agents",
            "Play a match hand by hand: search and ACPC players may take part",
        ),
        "acpc": ("play.agents", "Let an agent play at an ACPC dealer"),
    },
    "Measure: strategies, search, tables of the papers": {
        "match": (
            "measure.matches",
            "Play two agents against each other in duplicate, from tables",
        ),
        "matches": ("measure.matches", "Gather the results of matches into one table"),
        "league": ("measure.matches", "Gather the matches of several runs into a table and a page"),
        "values": ("measure.aivat", "Estimate the value function of AIVAT from self-play"),
        "aivat": ("measure.aivat", "Play a duplicate match and remove its luck by AIVAT"),
        "experiment": (
            "measure.experiments",
            "Play the paper's 1 + 5 or 5 + 1 experiment, with its Control",
        ),
        "hands": ("measure.experiments", "Compute how many hands it takes to see an edge"),
        "gain": ("measure.gain", "Measure the gain of search over its blueprint, in expectation"),
        "gains": ("measure.gain", "Merge gains of search that several jobs measured"),
        "chooser": ("measure.gain", "Let an opponent choose how to go on after a searched round"),
        "duel": ("measure.gain", "Play whole hands of search against copies of the blueprint"),
        "lbr": (
            "measure.exploitability",
            "Bound the loss of a two-player strategy by local best response",
        ),
        "lbrs": (
            "measure.exploitability",
            "Merge local best responses to search that several jobs measured",
        ),
        "bounds": (
            "measure.exploitability",
            "Gather the bounds of several protocols into one table",
        ),
        "response": (
            "measure.exploitability",
            "Compute exact best responses to a strategy of a small game",
        ),
        "compare": (
            "measure.pluribus",
            "Set first-in play beside Pluribus's published frequencies",
        ),
        "pluribus": ("measure.pluribus", "Score an agent by Pluribus's own decisions in its hands"),
        "replay": ("measure.replay", "Check hand histories by the rules, and add up the payoffs"),
        "quality": ("measure.quality", "Measure how good the buckets of a round are"),
        "measure": (
            "measure.validate",
            "Solve a small game and measure its exploitability on the way",
        ),
        "answers": ("measure.validate", "Gather these measurements beside the known answers"),
        "verdict": ("measure.validate", "Fail if a bound of the validation is missed"),
        "resolve": (
            "measure.libratus",
            "Solve all subgames of a flop game anew, and measure the result",
        ),
        "off-tree": (
            "measure.libratus",
            "Answer bets that such a game lacks, and measure the result",
        ),
        "libratus": ("measure.libratus", "Gather the tables of the Libratus paper"),
        "answer-bet": (
            "measure.modicum",
            "Answer a bet that a flop game lacks, by depth-limited solving",
        ),
        "modicum": ("measure.modicum", "Gather figure 2 of the Modicum paper"),
        "rps-picture": ("measure.modicum", "Draw why a leaf needs several values"),
        "holds": ("measure.libratus", "Fail if something that must hold in the tables does not"),
    },
    "Stages, in the order of the pipeline (`snakemake` runs them for you)": {
        "features": ("stages.abstraction", "Compute the features of every canonical hand"),
        "cluster": ("stages.abstraction", "Cluster the hands of a betting round into buckets"),
        "tree": ("stages.blueprint", "Build the public betting tree as flat arrays"),
        "identity": ("stages.blueprint", "Freeze the settings and inputs of a training run"),
        "train": ("stages.blueprint", "Train one interval of the blueprint by Monte Carlo CFR"),
        "shard": ("stages.blueprint", "Train one shard of an interval, for several machines"),
        "merge": ("stages.blueprint", "Take the mean of the shards of an interval"),
        "average": ("stages.blueprint", "Average strategy and snapshots into the blueprint"),
        "node-values": (
            "stages.blueprint",
            "Estimate the blueprint's own values, by node and bucket",
        ),
        "compress": ("stages.blueprint", "Sample and pack the continuation strategies"),
        "leaf-function": (
            "stages.leaf_function",
            "Fit a network that values the leaves of a search",
        ),
        "self-generated": (
            "stages.self_generated",
            "Make values at the end of the first round, for search",
        ),
        "flop": ("stages.abstraction", "Cluster turn and river after one flop, for search"),
        "search-settings": ("stages.search", "Keep the settings of search in the run"),
        "gaps": ("stages.improve", "Score the opponents' bets in hand logs that a run lacks"),
        "improve": ("stages.improve", "Add branches for these bets: an improved run"),
        "flop-game": (
            "stages.flop_games",
            "Solve a flop game of two players: a blueprint for tables",
        ),
        "flop-equilibrium": (
            "stages.flop_games",
            "Solve a flop game of two players, all hands apart",
        ),
        "leaf-values": (
            "stages.flop_games",
            "Make values for the leaves before the flop of such a game",
        ),
    },
}
COMMANDS = {name: place for group in GROUPS.values() for name, place in group.items()}


class _Commands(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        module = importlib.import_module(f"sixmax.cli.{COMMANDS[name][0]}")
        return getattr(module, name.replace("-", "_"))

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in COMMANDS and args[0][:1].isalpha():
            hint = did_you_mean(args[0], COMMANDS) or "`sixmax --help` lists them"
            ctx.fail(f"no command {args[0]!r}; {hint}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        for title, group in GROUPS.items():
            with formatter.section(title):
                formatter.write_dl([(f"{name:10}", text) for name, (_, text) in group.items()])


@click.command(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="sixmax")
def app() -> None:
    """From a deck of cards to a six-player no-limit hold'em strategy.

    `snakemake` runs a whole config and its evaluation; each stage is also a command here.
    `sixmax COMMAND --help` explains a command, with an example.
    """


def _give_up_output() -> None:
    """Drop what is left for a standard output that is full: Python would try again at the end."""
    if sys.stdout is not None:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


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
            _give_up_output()
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
