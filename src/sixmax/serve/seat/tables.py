"""A table of the server: a session and its hands, used by one thread at a time."""

import secrets
from threading import Lock, RLock
from typing import Any

from sixmax.base.errors import UserError
from sixmax.blueprint.run import Run
from sixmax.hands.formats import Format, text_of
from sixmax.hands.record import Record
from sixmax.search.settings import search_config
from sixmax.search.solvers.problem import EnoughError
from sixmax.serve.jobs.background import Watch
from sixmax.serve.seat import shown
from sixmax.session.luck import Luck
from sixmax.session.opinion import Opinion
from sixmax.session.person import parse
from sixmax.session.session import ROTATE, Session

PATIENCE = 0.5  # seconds that a result waits for AIVAT, whose kernels compile once
HANDS = 2000  # of a session
SEED = 1 << 31


class ServedTable:
    """A session, and the hands that it has seen."""

    def __init__(self, run: Run, values: dict[str, Any], config: str | None, luck: Luck | None):
        """Raises UserError for values that no session has."""
        fields = _checked(values)
        self.seed, self.records = fields.pop("seed"), list[Record]()
        setting = search_config(config, fields.pop("setting"), folder=run.folder)
        self._run, self.opinion = run, fields["adviser"]
        self._watch, self._cut = Watch(EnoughError), set[int]()  # actions of the hand by number
        self._session = Session(
            run, seed=self.seed, config=setting, luck=luck, keep=self.records.append,
            begin=self._watch.begin, **fields,
        )  # fmt: skip
        self._lock, self._score_lock = RLock(), Lock()

    def state(self) -> dict[str, Any]:
        """The hand, as the person may see it."""
        with self._lock:
            values = shown.hand(self._session, self._run)
            for at in self._cut:
                values["events"][at]["cut"] = True
            full = self._session.hands >= HANDS
            return {**values, "seed": self.seed, "opinion": self.opinion, "last": full}

    def act(self, text: Any) -> dict[str, Any]:
        """Do the action typed as ``text``, as at a terminal. Raises UserError."""
        if not isinstance(text, str) or len(text) > 40:
            raise UserError("text: wanted an action, as in c or r 300")
        with self._lock:
            command = parse(text, self._session.state())
            if command.action is None:
                raise UserError("wanted an action: f, c, a, or r and a size")
            self._session.act(command.action)
            return self.state()

    def step(self) -> dict[str, Any]:
        """Let the agent to act act; nothing where none is."""
        with self._lock:
            if not (self._session.over or self._session.waits):
                at = sum(map(len, self._session.state().actions))
                self._watch.open()
                self._session.step()
                if self._watch.cut:
                    self._cut.add(at)
            return self.state()

    def progress(self) -> dict[str, Any]:
        """The progress of the search that goes on, and the time that it took so far."""
        return self._watch.as_values()

    def enough(self) -> dict[str, Any]:
        """End the search that goes on: the agent plays by the strategy that it has so far."""
        self._watch.ended.set()
        return self.progress()

    def next_hand(self) -> dict[str, Any]:
        """Deal the next hand. Raises UserError where one goes on, or after HANDS of them."""
        with self._lock:
            if self._session.hands >= HANDS:
                raise UserError(f"{HANDS:,} hands were played; begin another session")
            self._session.next_hand()
            self._cut.clear()
            return self.state()

    def hint(self) -> dict[str, Any]:
        """The opinion about the decision to come. Raises UserError where none is."""
        with self._lock:
            self._watch.open()
            return self._decision(self._session.opinion())

    def review(self) -> dict[str, Any]:
        """The opinions about the hand that is over. Raises UserError while it goes on."""
        with self._lock:
            self._watch.open()
            rows = [self._decision(opinion) for opinion in self._session.review()]
            return {"number": self._session.hand.number, "decisions": rows}

    def _decision(self, opinion: Opinion) -> dict[str, Any]:
        game, done = self._session.game, self._session.hand.done
        return shown.decision(game, done, opinion, self._run.ranks)

    def score(self, why: str) -> dict[str, Any]:
        """The result so far; a hand may go on meanwhile, and AIVAT comes later if it takes long."""
        with self._score_lock:
            score = self._session.scores.result(PATIENCE)
        return shown.score(score, self._session.helped, self._run.big_blind, why)

    def file(self, kind: Format) -> str:
        return text_of(kind, self._run.game, self.records)


def _checked(values: dict[str, Any]) -> dict[str, Any]:
    """Arguments of a session. Raises UserError."""
    default: dict[str, Any] = {
        "against": ["blueprint"], "seat": ROTATE, "seed": secrets.randbelow(SEED),
        "setting": "fast", "opinion": "blueprint",
    }  # fmt: skip
    for name, value in values.items():
        if name not in default:
            raise UserError(f"{name[:20]}: unknown; wanted {', '.join(default)}")
        if type(value) is not type(default[name]):
            raise UserError(f"{name}: wanted {type(default[name]).__name__}")
    fields = {**default, **values}
    agents = fields["agents"] = fields.pop("against")
    fields["adviser"] = fields.pop("opinion")
    if not all(isinstance(agent, str) for agent in agents):
        raise UserError("against: wanted names of agents")
    if len(agents) > 9:
        raise UserError(f"against: found {len(agents)} agents")
    if not 0 <= fields["seed"] < 1 << 53:
        raise UserError("seed: wanted a number from 0 to 2^53 - 1")
    return fields
