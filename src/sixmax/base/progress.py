"""Progress with time left: a bar on a terminal, a line now and then in a log.

The time in which kernels are compiled does not count.
"""

import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from typing import TypeVar

from tqdm import tqdm

from sixmax.base.errors import printable

T = TypeVar("T")
Done = Callable[[int], None]  # is told how many more units are done
_LOG_EVERY_S = 10.0
_SHORT_S = 1.0  # compiling for less is not worth a word

# Of kernels that are being compiled: how many, since when; seconds spent on those before.
_depth, _begun, _spent = 0, 0.0, 0.0
_notice: threading.Timer | None = None
_noticed = False


@contextmanager
def compiling() -> Iterator[None]:
    """Stop the clock of progress: a kernel of ours is compiled, and those that it calls.

    The first time that this takes long, it is said.
    """
    global _depth, _begun, _spent, _notice
    _depth += 1
    if _depth == 1:
        _begun = time.monotonic()
        if not _noticed:
            _notice = threading.Timer(max(_SHORT_S - _spent, 0.0), _say_once)
            _notice.daemon = True
            _notice.start()
    try:
        yield
    finally:
        _depth -= 1
        if not _depth:
            _spent += time.monotonic() - _begun
            if _notice:
                _notice.cancel()


def compiled_s() -> float:
    """Seconds in which this process has compiled kernels until now."""
    return _spent + (time.monotonic() - _begun if _depth else 0.0)


def _say_once() -> None:
    global _noticed
    _noticed = True
    say("compiling kernels, once, for up to a minute; their work is timed from then on")


class Progress(AbstractContextManager):
    """Shows the work done of ``total`` units, 0 where that is not known; a context manager."""

    def __init__(self, total: int, label: str, unit: str = "it"):
        self._tty, label = sys.stderr.isatty(), printable(label, lines=False)
        self._bar = tqdm(
            total=total or None, desc=label, unit=unit, unit_scale=True, disable=not self._tty,
        )  # fmt: skip
        self._label, self._unit, self._total = label, unit, int(total)
        self._note, self._done, self._compiled = "", 0, compiled_s()
        self._start = time.monotonic() - self._compiled
        self._next = self._start + _LOG_EVERY_S

    def add(self, n: int = 1) -> None:
        """Say that ``n`` more units are done."""
        self._done += n
        compiled = compiled_s()
        if self._tty:
            self._bar.start_t += compiled - self._compiled
        self._compiled = compiled
        self._bar.update(n)
        now = time.monotonic() - compiled
        if not self._tty and now >= self._next:
            self._next = now + _LOG_EVERY_S
            say(f"{self._label}: {self._so_far(now - self._start)}{self._note}")

    def _so_far(self, spent: float) -> str:
        if not self._total:
            return f"{self._done:,} {self._unit}, {spent:.0f} s spent"
        left = spent * (self._total - self._done) / max(self._done, 1)
        return (
            f"{100 * self._done / self._total:.0f} % ({self._done:,} of {self._total:,} "
            f"{self._unit}), {spent:.0f} s spent, {left:.0f} s left"
        )

    def note(self, text: str) -> None:
        """Show ``text`` beside the count from now on."""
        self._note = f"; {text}"
        self._bar.set_postfix_str(text, refresh=False)

    def __exit__(self, *exc: object) -> None:
        self._bar.close()


class Bars(ExitStack):
    """A numbered :class:`Progress` for each of some pieces of work; a context manager."""

    def __init__(self, label: str, unit: str = "it"):
        super().__init__()
        self._label, self._unit, self._begun = label, unit, 0

    def begin(self, total: int) -> Done:
        """End the bar and begin one of ``total`` units; returns a counter of units done."""
        self.close()
        self._begun += 1
        bar = Progress(total, f"{self._label} {self._begun}", self._unit)
        return self.enter_context(bar).add


def quiet(n: int) -> None:
    """A :data:`Done` that shows nothing."""


def track(items: Iterable[T], total: int, label: str, unit: str = "it") -> Iterator[T]:
    """Yield ``items``, showing the number taken of ``total``."""
    with Progress(total, label, unit) as progress:
        for item in items:
            yield item
            progress.add()


def say(message: str) -> None:
    """One line for the log."""
    print(printable(message), file=sys.stderr, flush=True)
