"""Work in the background: one job at a time, one that waits; progress, cancelling, results."""

import itertools
import threading
import time
import traceback
from collections.abc import Callable
from typing import Any, Protocol

from sixmax.base.errors import UserError, printable
from sixmax.base.jit import set_threads
from sixmax.base.progress import Done, say
from sixmax.search.solvers.problem import Begin

KEPT = 24  # jobs that are remembered
WAITING = 1  # jobs beside the one at work
_ENDED = ("done", "failed", "cancelled")


class CancelledError(Exception):
    """The user ended the job."""


class BusyError(Exception):
    """A job is at work and another waits."""


class Question(Protocol):
    """A NamedTuple about a spot, with more fields; equal ones have equal answers."""

    actions: str
    board: str

    def _asdict(self) -> dict[str, Any]: ...


Work = Callable[[Question, Begin], dict[str, Any]]


class Watch:
    """Counts the steps of one piece of work after the other.

    ``ending`` is raised in it once :attr:`ended` is set.
    """

    def __init__(self, ending: type[Exception]):
        self._ending, self.ended = ending, threading.Event()
        self.open()

    def open(self) -> None:
        """Begin to count anew."""
        self.ended.clear()
        self.piece, self.done, self.total = 0, 0, 0
        self.cut = False  # whether a piece ended early
        self.begun = time.monotonic()

    def begin(self, steps: int) -> Done:
        """Count the steps of the piece to come."""
        self.piece, self.done, self.total = self.piece + 1, 0, steps

        def progress(n: int) -> None:
            self.done += n
            if self.ended.is_set():
                self.cut = True
                raise self._ending

        return progress

    @property
    def seconds(self) -> float:
        """Since :meth:`open`."""
        return time.monotonic() - self.begun

    def as_values(self) -> dict[str, Any]:
        """The count as plain JSON values; ``share`` is of the piece at work."""
        return {
            "search": self.piece, "total": self.total,
            "share": round(min(self.done / max(self.total, 1), 1.0), 3),
            "seconds": round(self.seconds, 1),
        }  # fmt: skip


class Job:
    """A question, its state and its progress; read from other threads."""

    def __init__(self, number: int, question: Question):
        self.id, self.question = number, question
        self.state, self.watch, self.error = "waiting", Watch(CancelledError), ""
        self.cancelled, self.seconds = self.watch.ended, 0.0
        self.result: dict[str, Any] | None = None

    def begin(self, steps: int) -> Done:
        """Count the steps of the work to come; raises CancelledError once it is cancelled."""
        if self.cancelled.is_set():
            raise CancelledError
        return self.watch.begin(steps)

    def as_values(self) -> dict[str, Any]:
        """The job as plain JSON values."""
        ended = self.state in _ENDED
        return {
            "id": self.id, **self.question._asdict(),
            "state": "cancelled" if self.cancelled.is_set() and not ended else self.state,
            **self.watch.as_values(),
            **({"seconds": round(self.seconds, 1)} if ended else {}),
            "error": self.error, "result": self.result,
        }  # fmt: skip


class Jobs:
    """All jobs of a kind, such as a "search". ``work`` answers one, in a thread of its own.

    Its kernels run on ``threads``.
    """

    def __init__(self, work: Work, kind: str = "search", threads: int = 1):
        self._work, self.kind, self._threads = work, kind, threads
        self._jobs = dict[int, Job]()
        self._numbers = itertools.count(1)
        self._change = threading.Condition()
        self._thread: threading.Thread | None = None

    def ask(self, question: Question) -> Job:
        """The job that answers ``question``: a new one, or that of the same question.

        Raises BusyError where one is at work and another waits.
        """
        with self._change:
            if (known := self._known(question)) is not None:
                return known
            wanted = (job for job in self._jobs.values() if job.state not in _ENDED)
            if sum(not job.cancelled.is_set() for job in wanted) > WAITING:
                raise BusyError
            job = Job(next(self._numbers), question)
            self._jobs[job.id] = job
            for old in [j.id for j in self._jobs.values() if j.state in _ENDED][:-KEPT]:
                del self._jobs[old]
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, daemon=True, name=self.kind)
                self._thread.start()
            self._change.notify_all()
            return job

    def of_spot(self, actions: str, board: str) -> list[Job]:
        """The jobs at that spot that wait, are at work or done, the earliest first."""
        with self._change:
            known = [job for job in self._jobs.values() if self._known(job.question) is job]
        at = actions, board
        return [job for job in known if (job.question.actions, job.question.board) == at]

    def _known(self, question: Question) -> Job | None:
        same = [job for job in self._jobs.values() if job.question == question]
        if not same or same[-1].cancelled.is_set() or same[-1].state in ("failed", "cancelled"):
            return None
        return same[-1]

    def job(self, number: int) -> Job | None:
        """The job with that number, if it is remembered."""
        return self._jobs.get(number)

    def cancel(self, job: Job) -> None:
        """End ``job``: at once if it waits, else after the step at work."""
        with self._change:
            job.cancelled.set()
            if job.state == "waiting":
                job.state = "cancelled"

    def _run(self) -> None:
        set_threads(self._threads)  # of this thread
        while True:
            with self._change:
                every = self._jobs.values()
                while (job := next((j for j in every if j.state == "waiting"), None)) is None:
                    self._change.wait()
                job.state, job.watch.begun = "running", time.monotonic()
            self._answer(job)

    def _answer(self, job: Job) -> None:
        result, error, state = None, "", "done"
        try:
            result = self._work(job.question, job.begin)
        except CancelledError:
            state = "cancelled"
        except UserError as caught:
            state, error = "failed", printable(str(caught), lines=False)
        except MemoryError:
            state, error = "failed", f"the machine has too little memory for this {self.kind}"
        except Exception:  # a bug: the log has it, and the server goes on
            say(traceback.format_exc())
            state, error = "failed", f"the {self.kind} failed; the server's log says where"
        job.seconds = job.watch.seconds
        job.result, job.error, job.state = result, error, state
