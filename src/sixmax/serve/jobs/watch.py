"""The progress of work in steps, read from other threads, and a way to end it."""

import threading
import time
from typing import Any

from sixmax.search.solvers.problem import Progress


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

    def begin(self, steps: int) -> Progress:
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
            "search": self.piece,
            "total": self.total,
            "share": round(min(self.done / max(self.total, 1), 1.0), 3),
            "seconds": round(self.seconds, 1),
        }
