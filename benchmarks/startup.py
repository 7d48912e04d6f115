"""What it takes to start a stage whose kernels are compiled: whole jobs that have next to no work.

A run of the preset `tiny` with crude buckets; its tree, and an interval of one batch, are made by
the command line as a rule of the workflow does it. Beside them the libraries alone, and the same
work a second time in a process that has started: what is then left of a job is its start.
"""

import json
import resource
import shutil
import subprocess
import sys
import time
from pathlib import Path

import numpy as np

from benchmarks.ground import crude, preset
from benchmarks.measure import Meter, Took
from sixmax.blueprint.identity import settings
from sixmax.config import Config
from sixmax.store import write

LIBRARIES = "import numpy, numba, zarr"
COMMAND = "from sixmax.cli import main; main()"
AGAIN = """
import time
from sixmax.cli import main
for _ in range(2):
    clock, spent = time.perf_counter(), time.process_time()
    try:
        main()
    except SystemExit as end:
        assert not end.code, end
print(time.perf_counter() - clock, time.process_time() - spent)
"""


def measure(meter: Meter, scratch: Path) -> None:
    """Jobs a second, one after the other."""
    meter.begin("start of a warm stage")
    config = preset("tiny")
    run = _run(config, scratch / "run")
    tree = run / "blueprint" / "tree.zarr"
    game = json.dumps(config.game.model_dump(mode="json"))
    buckets = ",".join(map(str, config.bucket_counts))
    make_tree = ["tree", "--game", game, "--buckets", buckets, "--out", str(tree)]
    train = ["train", "--run", str(run), "--interval", "1", "--history", str(run / "history.json")]
    _python(COMMAND, *make_tree)
    given = [x for name in _ROUNDS for x in ("--buckets", str(_store(run, name)))]
    _python(COMMAND, "identity", "--settings", json.dumps(_settings(config)), "--tree", str(tree),
            *given, "--out", str(run / "blueprint" / "run.json"))  # fmt: skip
    _whole(LIBRARIES)  # fills the file cache
    meter.watch()
    libraries = [_whole(LIBRARIES) for _ in range(meter.turns)]
    meter.add("the libraries alone", "jobs/s", libraries, waits=True)
    _stage(meter, "tree", "of a small game", make_tree)
    _stage(meter, "train", "one batch of a small game", train)


_ROUNDS = ("preflop", "flop", "turn", "river")


def _stage(meter: Meter, stage: str, what: str, arguments: list[str]) -> None:
    """Whole jobs of ``stage`` and its work alone, in turns; the value is the start, in seconds."""
    _whole(COMMAND, *arguments)  # compiles
    meter.watch()
    jobs, works = [], []
    for _ in range(meter.turns):
        jobs.append(_whole(COMMAND, *arguments))
        works.append(_again(*arguments))
    meter.add(f"sixmax {stage}, {what}", "jobs/s", jobs, waits=True)
    meter.add(f"work of {stage}, a second time", "jobs/s", works, waits=True)
    starts = [job - work for (_, job, _), (_, work, _) in zip(jobs, works, strict=True)]
    meter.keep(start(stage), starts, "beyond its work")


def start(stage: str) -> str:
    """The name of the value that says what a job of ``stage`` takes beyond its work."""
    return f"start of {stage}, seconds"


def _whole(code: str, *arguments: str) -> Took:
    """From before the process starts until it has ended."""
    clock, spent = time.perf_counter(), _children()
    _python(code, *arguments)
    return 1.0, time.perf_counter() - clock, _children() - spent


def _again(*arguments: str) -> Took:
    """The second of two times in one process."""
    clock, spent = _python(AGAIN, *arguments).split()[-2:]
    return 1.0, float(clock), float(spent)


def _children() -> float:
    """Processor seconds of all processes that have been waited for."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _python(code: str, *arguments: str) -> str:
    command = [sys.executable, "-c", code, *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def _settings(config: Config) -> dict:
    """Those of ``config``, an interval being one batch."""
    batch = config.blueprint.batch
    schedule = config.blueprint.model_copy(
        update={"iterations": batch, "discount_every": batch, "discount_until": 0}
    )
    return settings(config.seed, config.deck.ranks, config.game, config.abstraction, schedule)


def _store(run: Path, name: str) -> Path:
    return run / "abstraction" / f"{name}.zarr"


def _run(config: Config, run: Path) -> Path:
    """A run folder with crude buckets in the numbers that ``config`` has."""
    shutil.rmtree(run, ignore_errors=True)
    counts = tuple(config.bucket_counts[1:])
    made = crude(config.deck.ranks, counts)
    for name, table, k in zip(_ROUNDS, made[:4], config.bucket_counts, strict=True):
        write(
            _store(run, name), "buckets",
            {
                "bucket": table, "centroid": np.zeros((k, 1), np.float32),
                "size": np.ones(k, np.int64), "deals": np.ones(k, np.int64),
                "strength": np.linspace(0, 1, k, dtype=np.float32),
            },
        )  # fmt: skip
    return run
