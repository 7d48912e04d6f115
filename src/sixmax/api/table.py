"""A seat at a table of agents, for a notebook: ``table.act("r 225")``."""

from collections.abc import Sequence

from sixmax.api import checks
from sixmax.base.errors import UserError
from sixmax.blueprint.run import Run
from sixmax.session.commands import parse
from sixmax.session.luck import open_luck
from sixmax.session.opinion import Opinion
from sixmax.session.session import Session
from sixmax.session.state import SeatView
from sixmax.session.terminal import words


class LiveTable:
    """Hands of a person among agents of a run; its ``repr`` is the table since the last action.

    The same seed and the same actions give the same hands.
    """

    def __init__(self, run: Run, against: Sequence[str], seat: str, seed: int):
        """As :meth:`sixmax.api.run.OpenedRun.play`."""
        self._run = run
        self.session = Session(run, against, seat, seed, luck=open_luck(run))
        self._lines = words.opening(self.session.state())
        self._go_on()

    def act(self, action: str) -> "LiveTable":
        """Do ``action``: f, c, "r 225" in chips of this round, "r half", a (all-in), as typed.

        The agents act until it is your turn again, or the hand is over. Raises UserError for one
        that is illegal.
        """
        before = self.session.state()
        command = parse(checks.text("action", action, "r 225"), before)
        if command.action is None:
            raise UserError(f"action {action!r}: wanted f, c, r and a size, or a")
        self.session.act(command.action)
        self._lines = words.happened(before, self.session.state())
        self._go_on()
        return self

    def next_hand(self) -> "LiveTable":
        """Deal the next hand. Raises UserError where one is still going on."""
        self.session.next_hand()
        self._lines = words.opening(self.session.state())
        self._go_on()
        return self

    def review(self) -> list[Opinion]:
        """The blueprint's opinion about each of your decisions in the hand that is over."""
        return self.session.review()

    @property
    def state(self) -> SeatView:
        """The hand as you may see it."""
        return self.session.state()

    @property
    def over(self) -> bool:
        return self.session.over

    def _go_on(self) -> None:
        session = self.session
        while not session.over and not session.waits:
            before = session.state()
            session.step()
            self._lines += words.happened(before, session.state())
        if not session.over:
            self._lines += words.choices(session.state())[:1]
            return
        self._lines += words.ending(session.state())
        if opinions := session.review():
            self._lines += words.decisions(opinions, "blueprint")
        score = session.result()
        big_blind = self._run.big_blind
        self._lines += words.result(score, big_blind, session.helped, session.lucky)

    def __repr__(self) -> str:
        return "\n".join(self._lines)
