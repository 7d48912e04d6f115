"""The tables of a server: sessions by their names, a few at a time, each used by one thread."""

import secrets
from collections import OrderedDict
from threading import Lock
from typing import Any

from sixmax.base.errors import UserError
from sixmax.blueprint.run import Run
from sixmax.hands.acpc import log_head, log_line
from sixmax.hands.phh_form import form as form_phh
from sixmax.hands.record import Record
from sixmax.search.config import search_config
from sixmax.search.solvers.problem import EnoughError
from sixmax.serve.jobs.watch import Watch
from sixmax.serve.seat import shown
from sixmax.session.commands import parse
from sixmax.session.luck import open_luck
from sixmax.session.scoring import Scoring
from sixmax.session.session import ROTATE, Session, first_seat

MOST = 4  # tables; a new one takes the place of the one used least recently
PATIENCE = 0.5  # seconds that a result waits for AIVAT, whose kernels compile once
HANDS = 2000  # of a session
SEED = 1 << 31


class ServedTable:
    """A session, and the hands that it has seen."""

    def __init__(self, run: Run, values: dict[str, Any], config: str | None, luck: Any):
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
        self._button = first_seat(run, ROTATE)
        self._scoring = Scoring(self._session)
        self._lock, self._advice_lock = Lock(), Lock()

    def state(self) -> dict[str, Any]:
        """The hand, as the person may see it."""
        with self._lock:
            return self._state()

    def _state(self) -> dict[str, Any]:
        session, state = self._session, self._session.state()
        values = shown.hand(session, state, self._run.big_blind, self._button)
        for at in self._cut:
            values["events"][at]["cut"] = True
        return {**values, "seed": self.seed, "opinion": self.opinion, "last": self._full}

    @property
    def _full(self) -> bool:
        return self._session.hands >= HANDS

    def act(self, text: str) -> dict[str, Any]:
        """Do the action typed as ``text``, as at a terminal. Raises UserError."""
        with self._lock:
            command = parse(text, self._session.state())
            if command.action is None:
                raise UserError("wanted an action: f, c, a, or r and a size")
            self._session.act(command.action)
            return self._state()

    def step(self) -> dict[str, Any]:
        """Let the agent to act act; nothing where none is."""
        with self._lock:
            if not (self._session.over or self._session.waits):
                at = sum(map(len, self._session.state().actions))
                self._watch.open()
                self._session.step()
                if self._watch.cut:
                    self._cut.add(at)
            return self._state()

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
            if self._full:
                raise UserError(f"{HANDS:,} hands were played; begin another session")
            self._session.next_hand()
            self._cut.clear()
            return self._state()

    def hint(self) -> dict[str, Any]:
        """The opinion about the decision to come. Raises UserError where none is."""
        with self._lock:
            self._watch.open()
            opinion = self._session.opinion()
            done = self._session.state().actions
            return shown.decision(self._session.game, done, opinion, self._run.ranks)

    def review(self) -> dict[str, Any]:
        """The opinions about the hand that is over. Raises UserError while it goes on."""
        with self._lock:
            self._watch.open()
            opinions = self._session.review()
            state = self._session.state()
            args = self._session.game, state.actions
            rows = [shown.decision(*args, opinion, self._run.ranks) for opinion in opinions]
            return {"number": state.number, "decisions": rows}

    def score(self, why: str) -> dict[str, Any]:
        """The result so far; a hand may go on meanwhile, and AIVAT comes later if it takes long."""
        with self._advice_lock:
            score = self._scoring.result(PATIENCE)
        return shown.score(score, self._session, self._run.big_blind, why)

    def log(self) -> str:
        """The hands as an ACPC log."""
        return log_head(self._run.game) + "".join(log_line(record) for record in self.records)

    def phh(self) -> str:
        """The hands as one file of PHH."""
        return "".join(f"[{k}]\n{form_phh(r)}\n" for k, r in enumerate(self.records, start=1))


def _checked(values: dict[str, Any]) -> dict[str, Any]:
    """Arguments of a session. Raises UserError."""
    wanted = {"against": list, "seat": str, "seed": int, "setting": str, "opinion": str}
    default = {
        "against": ["blueprint"], "seat": ROTATE, "seed": secrets.randbelow(SEED),
        "setting": "fast", "opinion": "blueprint",
    }  # fmt: skip
    for name, value in values.items():
        if name not in wanted:
            raise UserError(f"{name[:20]}: unknown; wanted {', '.join(wanted)}")
        if type(value) is not wanted[name]:
            raise UserError(f"{name}: wanted {wanted[name].__name__}")
    fields = {**default, **values}
    if not all(isinstance(agent, str) for agent in fields["against"]):
        raise UserError("against: wanted names of agents")
    if len(fields["against"]) > 9:
        raise UserError(f"against: found {len(fields['against'])} agents")
    if not 0 <= fields["seed"] < 1 << 53:
        raise UserError("seed: wanted a number from 0 to 2^53 - 1")
    if fields["setting"] not in ("fast", "full"):
        raise UserError("setting: wanted fast or full")
    return {
        "agents": fields["against"],
        "seat": fields["seat"],
        "seed": fields["seed"],
        "setting": fields["setting"],
        "adviser": fields["opinion"],
    }


class Tables:
    """The tables of a server about ``run``, by names that cannot be guessed."""

    def __init__(self, run: Run, config: str | None = None):
        self._run, self._config = run, config
        self._tables = OrderedDict[str, ServedTable]()
        self._lock = Lock()
        self._luck, self.why = open_luck(run), ""
        if self._luck is None:
            self.why = "the run has no values for AIVAT (sixmax values makes them)"

    def open(self, values: dict[str, Any]) -> dict[str, Any]:
        """Begin a session: its name, and its first hand. Raises UserError."""
        table = ServedTable(self._run, values, self._config, self._luck)
        with self._lock:
            name = secrets.token_hex(8)
            self._tables[name] = table
            while len(self._tables) > MOST:
                self._tables.popitem(last=False)
        return {"name": name, **table.state()}

    def get(self, name: str) -> ServedTable | None:
        """The table ``name``, if it is kept."""
        with self._lock:
            if name in self._tables:
                self._tables.move_to_end(name)
            return self._tables.get(name)
