"""Progress with time left: a bar on a terminal, a line now and then in a log."""

import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from typing import TypeVar

from tqdm import tqdm

from sixmax.base import compile_clock
from sixmax.base.errors import printable

T = TypeVar("T")
_LOG_EVERY_S = 10.0


class Progress:
    """Count work done towards ``total`` units; use as a context manager and call :meth:`add`.

    A total of 0 is not known: then no share and no time left is shown.
    The time in which kernels are compiled does not count.
    """

    def __init__(self, total: int, label: str, unit: str = "it"):
        self._tty, label = sys.stderr.isatty(), printable(label, lines=False)
        self._bar = tqdm(
            total=total or None,
            desc=label,
            unit=unit,
            unit_scale=True,
            disable=not self._tty,
            leave=True,
        )
        self._label, self._unit, self._total = label, unit, int(total)
        self._note, self._done, self._compiled = "", 0, compile_clock.spent()
        self._start = time.monotonic() - self._compiled
        self._next = self._start + _LOG_EVERY_S

    def add(self, n: int = 1) -> None:
        """Say that ``n`` more units are done."""
        self._done += n
        compiled = compile_clock.spent()
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

    def __enter__(self) -> "Progress":
        return self

    def __exit__(self, *exc: object) -> None:
        self._bar.close()


class Bars:
    """A bar for each of some pieces of work, one after the other; use as a context manager."""

    def __init__(self, label: str, unit: str = "it"):
        self._label, self._unit, self._bars = label, unit, ExitStack()
        self._begun = 0

    def begin(self, total: int) -> Callable[[int], None]:
        """End the bar and begin one of ``total`` units; returns a counter of units done."""
        self._bars.close()
        self._begun += 1
        return self._bars.enter_context(
            Progress(total, f"{self._label} {self._begun}", self._unit)
        ).add

    def __enter__(self) -> "Bars":
        return self

    def __exit__(self, *exc: object) -> None:
        self._bars.close()


def track(items: Iterable[T], total: int, label: str, unit: str = "it") -> Iterator[T]:
    """Yield ``items``, showing the number taken of ``total``."""
    with Progress(total, label, unit) as progress:
        for item in items:
            yield item
            progress.add()


def say(message: str) -> None:
    """One line for the log."""
    print(printable(message), file=sys.stderr, flush=True)
