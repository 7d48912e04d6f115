"""Hand histories checked: hands played by the rules, payoffs compared, winnings added up.

Files are read a hand at a time: memory does not grow with them. A log's hands are all of one game,
PHH has the rules of each hand in it.
"""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TextIO

from sixmax.betting import notation
from sixmax.betting.config import GameConfig
from sixmax.betting.state import Betting
from sixmax.errors import UserError
from sixmax.evaluation.hands import all_in, phh
from sixmax.evaluation.hands.acpc import game_from
from sixmax.evaluation.hands.record import GAME, Record, from_line, rules, seated
from sixmax.evaluation.hands.tally import Tally
from sixmax.evaluation.hands.totals import Totals
from sixmax.evaluation.scores.statistics import PAYOFF

_HEAD_LINES, _HEAD_WIDTH = 1000, 1000  # comments in which a log may name its game
LONGEST = 1 << 20  # characters of a line: no more are kept in memory
SUFFIXES = (".phh", ".phhs")
ACPC_STACK = {2: 20_000, 6: 10_000}  # chips: the ACPC's heads-up game, and Pluribus's


def replay(
    files: Iterable[Path],
    game: GameConfig | None = None,
    boards: int | None = None,
    progress: Callable[[int], None] = lambda n: None,
) -> Tally:
    """Check ``files``, ACPC logs or PHH; ``progress`` counts characters read.

    ``game`` is the rules of logs that do not name theirs. ``boards`` counts all-in pots by
    :func:`sixmax.evaluation.hands.all_in.expected`. A file that cannot be read counts as damaged,
    and the others are checked.
    """
    tally = Tally(PAYOFF if boards is None else all_in.payoff(boards))
    for file in files:
        before = tally.hands + tally.damaged
        try:
            if file.suffix in SUFFIXES:
                _replay_phh(file, boards, tally, progress)
            else:
                _replay_log(file, game_of(file, game), boards, tally, progress)
        except UserError as error:
            text = str(error)
            tally.damage(text if text.startswith(str(file)) else f"{file}: {text}")
        except OSError as error:
            tally.damage(f"{file}: {error.strerror}")
        if tally.hands + tally.damaged == before:
            tally.empty.append(str(file))
    return tally


def _replay_log(
    file: Path, game: GameConfig, boards: int | None, tally: Tally, progress: Callable[[int], None]
) -> None:
    """Check the hands of ``file``, played by ``game``, and the totals of its matches."""
    totals, start = Totals(), Betting(game)
    for place, line in log_lines(file, progress):
        if line.startswith("SCORE:"):
            totals.compare(line, place, tally)
            totals = Totals()
            continue
        try:
            if len(line) > LONGEST:
                raise UserError(f"{place}: a line of more than {LONGEST:,} characters")
            hand, net = from_line(line, game, place=place, start=start)
            tally.hand(hand, net, place, boards)
            totals.add(hand)
        except UserError as error:
            tally.damage(str(error))
            totals.damaged = True


def _replay_phh(
    file: Path, boards: int | None, tally: Tally, progress: Callable[[int], None]
) -> None:
    """Check the hands of ``file``; ``progress`` counts characters read."""
    with file.open(encoding="utf-8", errors="replace") as stream:
        for number, text in phh.blocks(lines(stream)):
            place = f"{file}, line {number:,}"
            try:
                tally.hand(*phh.parse(text, place), place, boards)
            except UserError as error:
                tally.damage(str(error))
            progress(len(text))


def records(
    file: Path,
    game: GameConfig,
    progress: Callable[[int], None] = lambda n: None,
    keys: tuple[str, ...] = GAME,
) -> Iterator[Record]:
    """The hands of ``file`` in the seats of ``game``, each as it is read.

    ``game`` is the rules of a log that does not name its own. Raises UserError for a hand that is
    damaged or differs from ``game`` in one of ``keys``. ``progress`` counts characters read.
    """
    if file.suffix in SUFFIXES:
        with file.open(encoding="utf-8", errors="replace") as stream:
            for number, text in phh.blocks(lines(stream)):
                progress(len(text))
                yield seated(phh.parse(text, f"{file}, line {number:,}")[0], game, keys)
        return
    rules = game_of(file, game)
    for place, line in log_lines(file, progress):
        if not line.startswith("SCORE:"):
            yield seated(from_line(line, rules, place=place)[0], game, keys)


def log_lines(
    file: Path, progress: Callable[[int], None] = lambda n: None
) -> Iterator[tuple[str, str]]:
    """Place and text of each line of ``file`` that is neither empty nor a comment.

    ``progress`` counts characters read.
    """
    with file.open(encoding="utf-8", errors="replace", newline="\n") as stream:
        for number, line in enumerate(lines(stream), start=1):
            progress(len(line))
            if (line[0] != "#" and not line.isspace()) or len(line) > LONGEST:
                yield f"{file}, line {number:,}", line


def lines(stream: TextIO) -> Iterator[str]:
    """The lines of ``stream``; of one longer than LONGEST its first LONGEST + 1 characters."""
    while line := stream.readline(LONGEST + 1):
        yield line
        while len(line) > LONGEST and not line.endswith("\n"):
            line = stream.readline(LONGEST + 1)


def histories(places: Iterable[Path]) -> list[Path]:
    """The files among ``places``, and those in its folders that end like logs or PHH.

    Raises UserError for a place where there is nothing of the kind.
    """
    files: list[Path] = []
    for place in places:
        inside = [file for file in sorted(place.glob("*")) if file.suffix in (".log", *SUFFIXES)]
        if not (inside or place.is_file()):
            fault = "no hand histories (.log, .phh, .phhs)" if place.is_dir() else "no such file"
            raise UserError(f"{place}: {fault}")
        files += inside or [place]
    return files


def game_of(file: Path, game: GameConfig | None) -> GameConfig:
    """The rules of a log: those it names, else ``game``, else the usual ones of so many players.

    Raises UserError where none is known.
    """
    head, seats = [], 6
    with file.open(encoding="utf-8", errors="replace") as stream:
        for line in lines(stream):
            if line.startswith("#") and len(head) < _HEAD_LINES:
                head.append(line[:_HEAD_WIDTH].lstrip("# "))
            elif line.startswith("STATE:"):
                try:
                    seats = len(notation.parse(line).names)
                except UserError:
                    continue  # the first hand that is not damaged says it
                break
    if any(line.startswith("GAMEDEF") for line in head):
        return game_from(head, str(file))
    if game is not None:
        return game
    if seats not in ACPC_STACK:
        raise UserError(f"{file}: {seats} players, whose stacks are unknown; name them by --game")
    blinds = [100, 50] if seats == 2 else [50, 100] + [0] * (seats - 2)
    first = [1 if seats == 2 else 2, 0, 0, 0]
    return rules([ACPC_STACK[seats]] * seats, blinds, [0] * seats, first)
