"""What the machine gives to two programs that share nothing: each has a tree and a table.

Threads of one program share both, and wait for each other at the end of a batch. Programs share
only the machine, and want twice as much of its cache and memory.
"""

import time
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import NamedTuple

from benchmarks.measure import ONE_AND_TWO, Meter, Took
from benchmarks.training import SIX, Turn, enough, fill, six_players, turn
from sixmax.errors import UserError
from sixmax.jit import set_threads

GROUP = "programs that share nothing, one core each"
NAME = f"{SIX}, a young table each"
GAIN = f"{NAME}, two programs against one"
_PARTS = 8  # of a turn: what has begun when a turn ends is not counted


class Program(NamedTuple):
    """Another process, and the end of the pipe by which it is told how long to train."""

    process: object
    pipe: Connection


def measure(meter: Meter, seconds: float, filling: float, small: bool) -> None:
    """Decision nodes a second of one program alone and of two together, in turns."""
    meter.begin(GROUP)
    programs = [_start(seconds / _PARTS, filling, small) for _ in ONE_AND_TWO]
    try:
        for program in programs:
            _made(program)  # it is ready
        found: dict[int, list[Took]] = {n: [] for n in ONE_AND_TWO}
        for _ in range(meter.paired):
            programs = programs[1:] + programs[:1]  # another is the one that is alone
            for n in ONE_AND_TWO:
                found[n].append(_together(programs[:n], seconds))
    finally:  # only what has been waited for counts as ours, all of it: no watch() above
        for program in programs:
            program.pipe.close()  # which ends it
            program.process.join()
    for n, turns in found.items():
        meter.add(f"{NAME}, {n} program{'s' if n > 1 else ''}", "decision nodes/s", turns, n)
    if 2 in found:
        meter.gain(GAIN, found[2], found[1])


def _start(part: float, filling: float, small: bool) -> Program:
    context = get_context("spawn")  # a fork of what has threads would hang
    ours, theirs = context.Pipe()
    process = context.Process(target=_program, args=(theirs, part, filling, small), daemon=True)
    process.start()
    theirs.close()
    return Program(process, ours)


def _together(programs: list[Program], seconds: float) -> Took:
    """Nodes, seconds by the clock and of the processor of ``programs`` that train at once."""
    end = time.monotonic() + seconds
    for program in programs:
        program.pipe.send(end)
    made = [_made(program) for program in programs]
    nodes, spent = (sum(getattr(t, x) / t.clock for t in made) for x in ("nodes", "processor"))
    return nodes * seconds, seconds, spent * seconds


def _made(program: Program) -> Turn | None:
    """What a program says next."""
    try:
        return program.pipe.recv()
    except EOFError:
        program.process.join()
        raise UserError(
            f"{GROUP}: found one that ended with status {program.process.exitcode}, wanted it to "
            "train until it is told to stop; look for its error above, and for memory (2 GB each)"
        ) from None


def _program(pipe: Connection, part: float, filling: float, small: bool) -> None:
    """Train a table of its own for ``filling`` seconds, then until each time that it is told."""
    set_threads(1)
    on = six_players(small)
    fill(on, filling)
    iterations = enough(on, part)
    pipe.send(None)
    while True:
        try:
            end = pipe.recv()
        except EOFError:
            return
        made = [turn(on, iterations)]
        while time.monotonic() < end:
            made.append(turn(on, iterations))
        whole = made[:-1] or made
        pipe.send(Turn(*(sum(x) for x in zip(*whole, strict=True))))
