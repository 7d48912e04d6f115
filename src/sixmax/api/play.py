"""Hands played: duplicate matches of agents, and a person's seat at a table of agents."""

from collections.abc import Callable, Sequence

from sixmax.agents.open_players import open_players
from sixmax.api import checks
from sixmax.api.run import Agent
from sixmax.base.errors import UserError
from sixmax.base.rng import child
from sixmax.blueprint.run import Run
from sixmax.evaluation.aivat import scored_match
from sixmax.evaluation.aivat.values import load
from sixmax.evaluation.match import by_hand
from sixmax.evaluation.match.contest import Contestant, contest
from sixmax.scores.statistics import Result
from sixmax.session.luck import open_luck
from sixmax.session.opinion import Opinion
from sixmax.session.person import SeatView, parse
from sixmax.session.session import Session
from sixmax.session.terminal import words


def match(
    a: Agent, b: Agent, deals: int = 20_000, seed: int = 1, aivat: bool = False,
    report: Callable[[int], None] = lambda n: None,
) -> Result:  # fmt: skip
    """Play ``deals`` deals of agent ``a`` against copies of ``b``, once with ``a`` in each seat.

    ``mean`` of the result is in mbb/game with a 95 % ``interval`` (Student's t over deals),
    ``count`` the hands. The agents may be of two runs of one real game. Those with tables play
    10,000 deals in a second or two, on all cores; one that searches takes seconds a hand: give it a
    few ``deals``. The same ``seed`` gives the same result. ``report`` is called with the deals, or
    by hand the hands, that were played since. With ``aivat`` luck is taken off by the run's values
    of situations (sixmax.evaluation.aivat): the same win rate with a smaller interval, of other
    deals.

    Raises UserError for fewer than two deals, runs of different games, and agents of two runs of
    which one decides hand by hand.
    """
    for name, agent in (("a", a), ("b", b)):
        checks.one(name, agent, Agent, "an agent, as run.agent('blueprint')")
    deals, seed = checks.whole("deals", deals, 2), checks.whole("seed", seed, 0)
    if aivat:
        return _without_luck(a, b, deals, seed, report)
    if a.by_hand or b.by_hand:
        return _by_hand(a, b, deals, seed, report)
    sides = [Contestant(each.name, each.run, each.game, each.policy) for each in (a, b)]
    if _same_run(a, b):
        sides[1] = sides[1]._replace(run=a.run, game=a.game)
    return contest(*sides, deals, seed, report)


def _same_run(a: Agent, b: Agent) -> bool:
    """Whether both are of one run, which may have been opened twice."""
    folders = a.run.folder.resolve() == b.run.folder.resolve()
    return folders and a.run.identity == b.run.identity


def _without_luck(
    a: Agent, b: Agent, deals: int, seed: int, report: Callable[[int], None]
) -> Result:
    """As `sixmax aivat` plays them, the second agent's play known."""
    run = a.run
    if a.by_hand or b.by_hand or not _same_run(a, b):
        raise UserError("aivat: wanted two agents of one run that play from tables")
    values, content = load(run)
    protocols = scored_match.protocol(run, content)
    scored = scored_match.ScoredGame((a.policy, b.policy), a.game, run.dealer, values)
    results = scored_match.play(
        (a.name, b.name), scored, protocols, deals, child(seed, "aivat"), report
    )
    return results[-1]


def _by_hand(a: Agent, b: Agent, deals: int, seed: int, report: Callable[[int], None]) -> Result:
    """As `sixmax table` plays them, each with the settings of its own."""
    run = a.run
    if not _same_run(a, b):
        raise UserError(f"{a!r} and {b!r}: one decides hand by hand; wanted two agents of one run")
    (first,) = open_players(run, [a.name], a.config if a.by_hand else None)
    others = open_players(run, [b.name] * (run.game.seats - 1), b.config if b.by_hand else None)
    draws = int(child(seed, "table"))
    terms = by_hand.terms(run, [agent.config for agent in (a, b) if agent.by_hand])
    return by_hand.play(
        first, others, run.game, run.ranks, terms, deals, draws,
        listener=lambda record: report(1),
    )  # fmt: skip


class LiveTable:
    """Hands of a person among agents of a run; its ``repr`` is the table since the last action.

    The same seed and the same actions give the same hands.
    """

    def __init__(self, run: Run, against: Sequence[str], seat: str, seed: int):
        """As :meth:`sixmax.api.run.OpenedRun.play`."""
        self._run = run
        self.session = Session(run, against, seat, seed, luck=open_luck(run))
        self._go_on(words.opening(self.session.state()))

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
        self._go_on(words.happened(before, self.session.state()))
        return self

    def next_hand(self) -> "LiveTable":
        """Deal the next hand. Raises UserError where one is still going on."""
        self.session.next_hand()
        self._go_on(words.opening(self.session.state()))
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

    def _go_on(self, lines: list[str]) -> None:
        """Let the agents act, and show ``lines`` and what follows them."""
        session, self._lines = self.session, lines
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
        self._lines += words.result(session.scores.result(), self._run.big_blind, session.helped)

    def __repr__(self) -> str:
        return "\n".join(self._lines)
