"""The command that checks hand histories: replay."""

from pathlib import Path

import click

from sixmax.cli.options import ALL_IN, FILE, GAME_FILE


@click.command()
@click.argument("files", type=FILE, nargs=-1, required=True)
@GAME_FILE
@ALL_IN
@click.option("--out", type=FILE, help="The result, as JSON.")
@click.option("--allow-empty", is_flag=True, help="Accept a file without hands.")
@click.pass_context
def replay(
    ctx: click.Context,
    files: tuple[Path, ...],
    game: Path | None,
    boards: int | None,
    out: Path | None,
    allow_empty: bool,
) -> None:
    """Check the hands of FILES: ACPC logs, PHH (.phh, .phhs), or folders of them.

    They may be packed by gzip; - is the standard input. Hidden files in folders are left out.
    Checks every action by the rules and every payoff to the chip. Prints hands, mismatches, and
    mbb/game of each player in each game with standard error and 95 % interval. Odd chips of split
    pots and a house's rake are counted apart and are no mismatches. The default game is
    Pluribus's for six players and the ACPC's for two. The exit code is 1 if something is wrong, or
    a file has no hands.

    \b
    sixmax replay results/default/hands.log
    zcat hands.log.gz | sixmax replay -
    """
    from sixmax.base.files import write_json
    from sixmax.base.progress import Progress
    from sixmax.base.stage import refuse_unwritable
    from sixmax.hands.acpc import read_game
    from sixmax.hands.hand_file import histories, size
    from sixmax.hands.replay import replay as check

    refuse_unwritable(out)
    logs = histories(files)
    rules = None if game is None else read_game(game)
    with Progress(size(logs), "replay", "B") as bar:
        tally = check(logs, rules, boards, bar.add)
    click.echo(tally.text())
    if out is not None:
        write_json(out, tally.to_json())
    if tally.fails(allow_empty):
        ctx.exit(1)
