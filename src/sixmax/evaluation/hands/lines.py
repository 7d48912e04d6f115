"""Lines of files that may hold anything: of none is more kept in memory than a limit."""

from collections.abc import Callable, Iterator
from typing import BinaryIO, TextIO

LONGEST = 1 << 20  # bytes of a line, or characters where it is text
BLOCK = 1 << 22  # bytes read at once


def lines(stream: TextIO) -> Iterator[str]:
    """The lines of ``stream``; of one longer than LONGEST its first LONGEST + 1 characters."""
    while line := stream.readline(LONGEST + 1):
        yield line
        while len(line) > LONGEST and not line.endswith("\n"):
            line = stream.readline(LONGEST + 1)


def blocks(stream: BinaryIO, progress: Callable[[int], None]) -> Iterator[bytes]:
    """``stream`` in pieces of whole lines; of one longer than LONGEST its first LONGEST + 1 bytes.

    ``progress`` is told of bytes read.
    """
    rest, inside = b"", False  # inside a line whose beginning has gone out
    while block := stream.read(BLOCK):
        progress(len(block))
        if inside:
            at = block.find(b"\n") + 1
            if not at:
                continue
            block, inside = block[at:], False
        block = rest + block
        at = block.rfind(b"\n") + 1
        whole, rest = block[:at], block[at:]
        if len(rest) > LONGEST:
            whole, rest, inside = whole + rest[: LONGEST + 1] + b"\n", b"", True
        if whole:
            yield whole
    if rest:
        yield rest
