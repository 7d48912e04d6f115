"""Hand histories checked: hands played by the rules, payoffs compared, winnings added up.

Files are read a hand at a time: memory does not grow with them. A log's hands are all of one game,
PHH has the rules of each hand in it.
"""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Annotated

import numpy as np

from sixmax.base import options
from sixmax.base.errors import UserError
from sixmax.base.files import write_json
from sixmax.base.options import Option
from sixmax.base.progress import Progress, say
from sixmax.base.stage import refuse_unwritable
from sixmax.betting import notation
from sixmax.betting.config import GameConfig
from sixmax.betting.state import Betting
from sixmax.hands import all_in, phh
from sixmax.hands.acpc import game_from, read_game
from sixmax.hands.hand_file import LONGEST, HandFile, histories, name_of, opened, placed, size
from sixmax.hands.record import GAME, Record, from_line, rules, seated
from sixmax.hands.tally import Tally, Totals
from sixmax.scores.statistics import PAYOFF

_HEAD_WIDTH = 1000  # characters of a comment in which a log names its game
ACPC_STACK = {2: 20_000, 6: 10_000}  # chips: the ACPC's heads-up game, and Pluribus's

Parser = Callable[[str, str], tuple[Record, np.ndarray]]  # of text and place: payoffs by the rules


def replay(
    files: Iterable[Path],
    game: GameConfig | None = None,
    boards: int | None = None,
    progress: Callable[[int], None] = lambda n: None,
) -> Tally:
    """Check ``files``, ACPC logs or PHH; ``progress`` counts what is read.

    ``game`` is the rules of logs that do not name theirs. ``boards`` counts all-in pots by
    :func:`sixmax.hands.all_in.expected`. A file that cannot be read counts as damaged.
    """
    tally = Tally(PAYOFF if boards is None else all_in.payoff(boards))
    for file in files:
        before = tally.hands + tally.damaged
        try:
            with opened(file, progress) as hands:
                _replay_file(hands, game, boards, tally)
        except UserError as error:
            text = str(error)
            name = name_of(file)
            tally.damage(text if text.startswith(name) else f"{name}: {text}")
        except OSError as error:
            tally.damage(f"{name_of(file)}: {error.strerror}")
        if tally.hands + tally.damaged == before:
            tally.empty.append(name_of(file))
    return tally


def _replay_file(file: HandFile, game: GameConfig | None, boards: int | None, tally: Tally) -> None:
    """Check the hands of ``file``, and the totals of its matches."""
    (texts, parse), totals = _reader(file, game), Totals()
    for place, text in texts:
        if _is_score(file, text):
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
    file: Path,
    game: GameConfig,
    progress: Callable[[int], None] = lambda n: None,
    keys: tuple[str, ...] = GAME,
) -> Iterator[Record]:
    """The hands of ``file`` in the seats of ``game``, each as it is read.

    ``game`` is the rules of a log that does not name its own. Raises UserError for a hand that is
    damaged or differs from ``game`` in one of ``keys``. ``progress`` counts what is read.
    """
    with opened(file, progress) as hands:
        texts, parse = _reader(hands, game)
        for place, text in texts:
            if not _is_score(hands, text):
                yield seated(parse(text, place)[0], game, keys)


def _reader(file: HandFile, game: GameConfig | None) -> tuple[Iterator[tuple[str, str]], Parser]:
    """Place and text of each hand of ``file`` and of lines with totals; and their parser."""
    if file.is_phh:
        blocks = phh.blocks(file.lines)
        return ((f"{file.name}, line {number:,}", text) for number, text in blocks), phh.parse
    rules = game_of(file, game)
    start = Betting(rules)

    def parse(line: str, place: str) -> tuple[Record, np.ndarray]:
        if len(line) > LONGEST:
            raise UserError(f"{place}: a line of more than {LONGEST:,} characters")
        return from_line(line, rules, place=place, start=start)

    return placed(file), parse


def _is_score(file: HandFile, text: str) -> bool:
    return not file.is_phh and text.startswith("SCORE:")


def game_of(log: HandFile, game: GameConfig | None) -> GameConfig:
    """The rules that a log names, else ``game``, else the usual ones. Raises UserError."""
    head, seats = [], 6
    for line in log.head:
        if line.startswith("#"):
            head.append(line[:_HEAD_WIDTH].lstrip("# "))
        elif line.startswith("STATE:"):
            try:
                seats = len(notation.parse(line).names)
            except UserError:
                continue  # the first hand that is not damaged says it
            break
    if any(line.startswith("GAMEDEF") for line in head):
        return game_from(head, log.name)
    if game is not None:
        return game
    if seats not in ACPC_STACK:
        raise UserError(
            f"{log.name}: {seats} players, whose stacks are unknown; name them by --game"
        )
    blinds = [100, 50] if seats == 2 else [50, 100] + [0] * (seats - 2)
    first = [1 if seats == 2 else 2, 0, 0, 0]
    return rules([ACPC_STACK[seats]] * seats, blinds, [0] * seats, first)


def replayed(
    files: options.Files, game: options.Game | None = None, boards: options.Boards | None = None,
    out: options.Out | None = None,
    allow_empty: Annotated[bool, Option("Accept a file without hands.")] = False,
) -> tuple[str, int]:  # fmt: skip
    """Check hand histories by the rules, and add up the payoffs.

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
    refuse_unwritable(out)
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
