"""Hand histories checked: hands played by the rules, payoffs compared, winnings added up.

Files are read a hand at a time: memory does not grow with them.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated

from sixmax.base import options
from sixmax.base.errors import UserError
from sixmax.base.files import write_json
from sixmax.base.progress import Done, Progress, quiet, say
from sixmax.betting.config import GameConfig
from sixmax.hands import all_in
from sixmax.hands.acpc import read_game
from sixmax.hands.formats import Format, histories, opened
from sixmax.hands.hand_file import HandFile, name_of, size
from sixmax.hands.record import GAME, Record, seated
from sixmax.hands.tally import Tally, Totals
from sixmax.scores.statistics import PAYOFF


def replay(
    files: Iterable[Path],
    game: GameConfig | None = None,
    boards: int | None = None,
    progress: Done = quiet,
) -> Tally:
    """Check ``files``, ACPC logs or PHH; ``progress`` counts what is read.

    ``game`` is the rules of logs that do not name theirs. ``boards`` counts all-in pots by
    :func:`sixmax.hands.all_in.expected`. A file that cannot be read counts as damaged.
    """
    tally = Tally(PAYOFF if boards is None else all_in.payoff(boards))
    for file in files:
        name, before = name_of(file), tally.hands + tally.damaged
        try:
            with opened(file, progress) as (kind, hands):
                _replay_file(kind, hands, game, boards, tally)
        except UserError as error:
            text = str(error)
            tally.damage(text if text.startswith(name) else f"{name}: {text}")
        except OSError as error:
            tally.damage(f"{name}: {error.strerror}")
        if tally.hands + tally.damaged == before:
            tally.empty.append(name)
    return tally


def _replay_file(
    kind: Format, file: HandFile, game: GameConfig | None, boards: int | None, tally: Tally
) -> None:
    """Check the hands of ``file``, and the totals of its matches."""
    (texts, parse), totals = kind.read(file, game), Totals()
    for place, text in texts:
        if text.startswith(kind.totals):
            totals.compare(text, place, tally)
            totals = Totals()
            continue
        try:
            hand, net = parse(text, place)
            tally.hand(hand, net, place, boards)
            totals.add(hand)
        except UserError as error:
            tally.damage(str(error))
            totals.damaged = True


def records(
    file: Path, game: GameConfig, progress: Done = quiet, keys: tuple[str, ...] = GAME
) -> Iterator[Record]:
    """The hands of ``file`` in the seats of ``game``, each as it is read.

    ``game`` is the rules of a log that does not name its own. Raises UserError for a hand that is
    damaged or differs from ``game`` in one of ``keys``. ``progress`` counts what is read.
    """
    with opened(file, progress) as (kind, hands):
        texts, parse = kind.read(hands, game)
        for place, text in texts:
            if not text.startswith(kind.totals):
                yield seated(parse(text, place)[0], game, keys)


@options.stage
def replayed(
    files: options.Files, game: options.Game | None = None, boards: options.Boards | None = None,
    out: options.Out | None = None,
    allow_empty: Annotated[bool, options.Option("Accept a file without hands.")] = False,
) -> tuple[str, int]:  # fmt: skip
    """Check hand histories by the rules, and add up the payoffs.

    FILES are ACPC logs, PHH, or folders of them. They may be packed by gzip; - is the standard
    input. Hidden files in folders are left out. Checks every action by the rules and every payoff
    to the chip. Prints hands, mismatches, and mbb/game of each player in each game with standard
    error and 95 % interval. Odd chips of split pots and a house's rake are counted apart and are no
    mismatches. The default game is Pluribus's for six players and the ACPC's for two. The exit code
    is 1 if something is wrong, or a file has no hands.

    \b
    sixmax replay results/default/hands.log
    zcat hands.log.gz | sixmax replay -
    """
    logs = histories(files)
    rules = None if game is None else read_game(game)
    with Progress(size(logs), "replay", "B") as bar:
        tally = replay(logs, rules, boards, bar.add)
    if out is not None:
        try:
            write_json(out, tally.to_json())
        except (OSError, UserError):
            say(tally.text())  # a replay may have taken long
            raise
    return tally.text(), int(tally.fails(allow_empty))
