"""The time that this process has spent compiling kernels; progress does not count it.

:mod:`sixmax.base.kernels.compiler` says when a kernel of ours is compiled. Kernels in the cache
cost nothing.
"""

import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

_SHORT_S = 1.0  # compiling for less is not worth a word

_depth, _begun, _spent = 0, 0.0, 0.0
_notice: threading.Timer | None = None
_noticed = False


@contextmanager
def running() -> Iterator[None]:
    """A kernel is compiled; those that it calls may be compiled meanwhile."""
    _begin()
    try:
        yield
    finally:
        _end()


def _begin() -> None:
    global _depth, _begun, _notice
    _depth += 1
    if _depth > 1:
        return
    _begun = time.monotonic()
    if not _noticed:
        _notice = threading.Timer(max(_SHORT_S - _spent, 0.0), _say)
        _notice.daemon = True
        _notice.start()


def _end() -> None:
    global _depth, _spent
    _depth -= 1
    if _depth:
        return
    _spent += time.monotonic() - _begun
    if _notice:
        _notice.cancel()


def spent() -> float:
    """Seconds in which this process has compiled until now."""
    return _spent + (time.monotonic() - _begun if _depth else 0.0)


def _say() -> None:
    global _noticed
    _noticed = True
    print(
        "compiling kernels, once, for up to a minute; their work is timed from then on",
        file=sys.stderr,
        flush=True,
    )
