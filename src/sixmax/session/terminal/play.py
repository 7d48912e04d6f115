"""The command ``play``: a person at a table of agents, in a terminal or through a pipe."""

import secrets
import sys
import time
from pathlib import Path
from typing import Annotated

from sixmax.base import options
from sixmax.base.errors import UserError, printable
from sixmax.base.options import Option
from sixmax.base.progress import say
from sixmax.blueprint.run import Run, open_run
from sixmax.evaluation.aivat.values import STORE
from sixmax.search.config import SearchConfig
from sixmax.session.book import Book
from sixmax.session.luck import Luck, open_luck
from sixmax.session.person import Command, SeatView, parse
from sixmax.session.session import Session
from sixmax.session.terminal import words

_PATIENCE = 2.0  # seconds that a hand's end waits for AIVAT
_FRESH = 1 << 31  # seeds that are drawn where none is given
INTERRUPTED = 130  # the exit code after Ctrl-C


class _LeaveError(Exception):
    """The person leaves the table."""


@options.stage
def play(
    folder: options.FoundRun,
    against: Annotated[
        list[str],
        Option("One agent for all other seats, or one for each, separated by commas.",
               kind="seats", default="blueprint"),
    ],
    seat: Annotated[
        str,
        Option("A position, as BTN, kept in every hand; rotate: all move on by a seat a hand.",
               default="rotate"),
    ],
    hands: Annotated[int, Option("Leave after so many; 0: no limit.", least=0, default=0)],
    seed: Annotated[int, options.seed("Of cards and agents. Default: a new one, which is shown.")]
    | None,
    name: Annotated[str, Option("Yours, in the saved hands.", default="you")],
    opinion: Annotated[
        str, Option("The agent whose opinion of your decisions is shown.", default="blueprint")
    ],
    config: Annotated[SearchConfig, options.SEARCH],
    save: Annotated[Path, Option("Append the hands to a log of ACPC lines.")] | None,
    phh: Annotated[Path, Option("Write each hand to a file of PHH in this folder.")] | None,
    threads: options.Threads,
) -> int:  # fmt: skip
    """Take a seat against agents, with their opinion after each hand.

    Agents: blueprint, blueprint-purified, snapshot-00004, continuation-call, rule, call, random,
    search, … (docs/guide/protocols.md). After each hand all cards are shown, with the opinion of
    the blueprint, or of another agent, on each of your decisions and their cost.

    \b
    sixmax play --run results/default
    sixmax play --run results/default --against search,rule,blueprint,blueprint,call \\
        --setting fast --seat BTN --save hands.log

    Returns the exit code. Raises UserError as Session and Book do.
    """
    run = open_run(folder)
    seed = secrets.randbelow(_FRESH) if seed is None else seed
    book = Book(run.game, save, phh)
    session = Session(
        run, against, seat, seed, name=name, adviser=opinion, config=config, luck=_luck(run),
        first=book.first, keep=book.add,
    )  # fmt: skip
    table = TerminalTable(session, run, opinion)
    table.line(words.welcome(run.folder.name, seed, book.first))
    code = 0
    try:
        table.play(hands)
    except _LeaveError:
        table.line()
    except KeyboardInterrupt:
        table.line()
        code = INTERRUPTED
    table.leave(book.hands, [str(place) for place in (save, phh) if place])
    return code


def _luck(run: Run) -> Luck | None:
    """AIVAT by the values of ``run``; without values None, and a line that says so."""
    luck = open_luck(run)
    if luck is None:
        store = run.folder / STORE
        say(f"no {store} (sixmax values makes it): the result keeps the luck of the cards")
    return luck


class TerminalTable:
    """Shows ``session`` on the standard output, and reads the person's commands from the input."""

    def __init__(self, session: Session, run: Run, opinion: str):
        self._session, self._run, self._opinion = session, run, opinion
        self._in, self._out, self._paint = sys.stdin, sys.stdout, words.Paint(sys.stdout)
        self._explained = False  # what a cost is
        self._late = False  # whether the last result came without AIVAT

    def line(self, text: str = "", colour: str = "") -> None:
        self._out.write(self._paint(printable(text), colour) + "\n")
        self._out.flush()

    def lines(self, texts: list[str]) -> None:
        for text in texts:
            self.line(text)

    def play(self, hands: int) -> None:
        """Play so many hands, 0: until the person leaves."""
        while True:
            self._hand()
            if hands and self._session.hands >= hands:
                return
            if self._in.isatty():
                prompt = "Enter for the next hand, q to quit > "
                while (command := self._command(prompt)).name != "next":
                    self._other(command)
            self._session.next_hand()

    def _hand(self) -> None:
        session = self._session
        self.line()
        first, *seats = words.opening(session.state())
        self.line(first, "bold")
        self.lines(seats)
        self.line("preflop")
        while not session.over:
            before = session.state()
            mine, searched = session.waits, not session.waits and before.thinking
            if mine:
                session.act(self._turn())
            elif searched:
                self._search(before)
            else:
                session.step()
            done, *dealt = words.happened(before, session.state())
            if not searched:  # else its line is there, with the time
                self.line(done, "bold" if mine else "")
            self.lines(dealt)
        self._review()

    def _search(self, state: SeatView) -> None:
        """Let an agent act that searches, and say so meanwhile."""
        self._out.write(f"  {words.player(state, state.actor)} searches … ")
        self._out.flush()
        began = time.monotonic()
        self._session.step()
        last = words.last_action(self._session.state())
        self.line(f"{time.monotonic() - began:.1f} s, {words.deed(state, last)}")

    def _turn(self) -> int:
        """The action that the person chooses."""
        held, may = words.choices(self._session.state())
        self.line(held, "bold")
        self.line(may)
        while True:
            command = self._command("> ")
            if command.action is not None:
                return command.action
            self._other(command)

    def _command(self, prompt: str) -> Command:
        """The next line that is a command."""
        while True:
            text = self._read(prompt)
            try:
                return parse(text, self._session.state())
            except UserError as error:
                self.line(str(error))

    def _read(self, prompt: str) -> str:
        """The next line typed. Raises _LeaveError at the end of input."""
        if self._in.isatty() and self._out.isatty():
            try:
                return input(prompt)  # with the editing of lines that the terminal has
            except EOFError:
                raise _LeaveError from None
        self._out.write(prompt)
        self._out.flush()
        text = self._in.readline()
        if not text:
            raise _LeaveError
        if not self._in.isatty():
            self._out.write(printable(text.rstrip("\n")) + "\n")
        return text

    def _other(self, command: Command) -> None:
        """Do a command that is no action."""
        if command.name == "quit":
            raise _LeaveError
        if command.name == "help":
            self.lines(words.HELP.splitlines())
        elif command.name == "score":
            self._score()
        elif command.name == "opinion":
            if self._session.over:
                self.line("your decisions are above; the next hand has not begun")
                return
            self.lines(words.detail(self._session.opinion(), self._opinion, self._run.ranks))
        elif command.name == "next":
            self.line("your turn: f, c, r SIZE or a; ? helps")

    def _score(self, wait: bool = False) -> None:
        """Show the result; without ``wait`` AIVAT may come later."""
        score = self._session.scores.result(None if wait else _PATIENCE)
        self._late = score.late
        self.lines(words.result(score, self._run.big_blind, self._session.helped))

    def _review(self) -> None:
        """The end of a hand: cards, chips, opinions, and the result so far."""
        self.lines(words.ending(self._session.state()))
        if opinions := self._session.review():
            if not self._explained:
                self.lines(words.COST.splitlines())
                self._explained = True
            self.lines(words.decisions(opinions, self._opinion))
        self._score()

    def leave(self, saved: int, places: list[str]) -> None:
        """The last words: the result, and where the hands are."""
        late, unfinished = self._late, not self._session.over
        if unfinished:
            self.line(f"hand {self._session.state().number} was not finished and does not count")
        if late:
            self.line("AIVAT is still at work; Ctrl-C leaves without its result")
        if late or unfinished:
            try:
                self._score(wait=True)
            except KeyboardInterrupt:
                self.line()
        if places and saved:
            hands = "hand" if saved == 1 else "hands"
            self.line(f"{saved:,} {hands} saved in {' and '.join(places)}")
