"""Commands for a person at the table: play, review."""

import sys
from typing import Any

import click

from sixmax.cli.options import COUNT, COUNT_OR_0, FILE, RUN_OR_FOUND, SEEDS, THREADS, search_options


class Seats(click.ParamType):
    """Names of agents, separated by commas; one may sit in several seats: a list of str."""

    name = "agents"

    def convert(self, value: Any, param: Any, ctx: Any) -> list[str]:
        words = value if isinstance(value, list) else [w.strip() for w in value.split(",")]
        if not all(words):
            self.fail(f"found {value!r}, wanted names, as in blueprint or rule,search", param, ctx)
        return words


@click.command()
@RUN_OR_FOUND
@click.option(
    "--against", type=Seats(), default="blueprint", show_default=True,
    help="One agent for all other seats, or one for each, separated by commas.",
)  # fmt: skip
@click.option(
    "--seat", default="rotate", show_default=True,
    help="A position, as BTN, kept in every hand; rotate: all move on by a seat a hand.",
)  # fmt: skip
@click.option("--hands", type=COUNT_OR_0, default=0, help="Leave after so many; 0: no limit.")
@click.option("--seed", type=SEEDS, help="Of cards and agents. Default: a new one, which is shown.")
@click.option("--name", default="you", show_default=True, help="Yours, in the saved hands.")
@click.option(
    "--opinion", default="blueprint", show_default=True,
    help="The agent whose opinion of your decisions is shown.",
)  # fmt: skip
@click.option("--save", type=FILE, help="Append the hands to a log of ACPC lines.")
@click.option("--phh", type=FILE, help="Write each hand to a file of PHH in this folder.")
@search_options
@THREADS
def play(setting: str, **options: Any) -> None:
    """Take a seat against agents of a run.

    Agents: blueprint, blueprint-purified, snapshot-00004, continuation-call, rule, call, random,
    search, … (docs/guide/protocols.md). After each hand all cards are shown, with the opinion of
    the blueprint, or of another agent, on each of your decisions and their cost.

    \b
    sixmax play --run results/default
    sixmax play --run results/default --against search,rule,blueprint,blueprint,call \\
        --setting fast --seat BTN --save hands.log
    """
    from sixmax.session.terminal.play import play as stage

    sys.exit(stage(**options))


@click.command()
@click.argument("file", type=FILE)
@RUN_OR_FOUND
@click.option("--player", help="Whose decisions; default: of all whose cards are known.")
@click.option(
    "--opinion", default="blueprint", show_default=True, help="The agent that is asked.",
)  # fmt: skip
@click.option("--worst", type=COUNT, help="So many decisions, the costliest first.")
@click.option("--seed", type=SEEDS, default=1, show_default=True, help="Of the sampled deals.")
@click.option("--out", type=FILE, help="All decisions, as JSON.")
@search_options
@THREADS
def review(setting: str, worst: int | None, **options: Any) -> None:
    """Go through the hands of FILE with an agent's opinion about each decision.

    FILE is an ACPC log or PHH. For each decision: the action done, the agent's own actions with
    those cards, and the cost by the blueprint's values.

    \b
    sixmax review hands.log --run results/default --player you --worst 10
    sixmax review hands.log --run results/default --out decisions.json
    """
    from sixmax.session.terminal.review import review as stage

    click.echo("\n".join(stage(worst=worst or 0, **options)))
