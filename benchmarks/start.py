"""The start of a stage with compiled kernels: whole jobs that have next to no work.

The tree of the preset `tiny`, and an interval of one batch, as a rule of the workflow makes them.
The same work a second time in one process is taken off: the rest of a job is its start.
"""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import numpy as np

from benchmarks.games import crude, preset
from benchmarks.measure import Meter, Took, spread
from sixmax.blueprint.identity import settings
from sixmax.cards.deck import ROUNDS
from sixmax.store import write

START = "start in s beyond its work"
LIBRARIES = "import numpy, numba, zarr"
COMMAND = "from sixmax.cli import main; main()"
AGAIN = """
import time
from sixmax.cli import main
for _ in range(2):
    clock = time.perf_counter()
    try:
        main()
    except SystemExit as end:
        assert not end.code, end
print(time.perf_counter() - clock)
"""


def measure(meter: Meter, scratch: Path) -> None:
    """Jobs a second, one after the other."""
    meter.begin("start of a warm stage")
    config, run = preset("tiny"), scratch / "run"
    stores = [run / "abstraction" / f"{name}.zarr" for name in ROUNDS]
    tables = crude(config.deck.ranks, tuple(config.bucket_counts[1:]))
    for path, table, k in zip(stores, tables[:4], config.bucket_counts, strict=True):
        arrays = dict.fromkeys(("size", "deals"), np.ones(k, np.int64)) | {"bucket": table}
        arrays["centroid"] = np.zeros((k, 1), np.float32)
        arrays["strength"] = np.linspace(0, 1, k, dtype=np.float32)
        write(path, "buckets", arrays)
    tree, batch = run / "blueprint" / "tree.zarr", config.blueprint.batch
    one_batch = {"iterations": batch, "discount_every": batch, "discount_until": 0}
    schedule = config.blueprint.model_copy(update=one_batch)
    identity = settings(config.seed, config.deck.ranks, config.game, config.abstraction, schedule)
    game, counts = json.dumps(config.game.model_dump(mode="json")), config.bucket_counts
    buckets = ",".join(map(str, counts))
    make_tree = ["stage", "tree", "--game", game, "--buckets", buckets, "--out", tree]
    train = ["stage", "train", "--run", run, "--interval", "1", "--history", run / "history.json"]
    given = [x for path in stores for x in ("--buckets", path)]
    record = ["--tree", tree, "--out", run / "blueprint" / "run.json"]
    _python(COMMAND, *make_tree)
    _python(COMMAND, "stage", "identity", "--settings", json.dumps(identity), *given, *record)
    _job(LIBRARIES)  # fills the file cache
    meter.watch()
    libraries = [_job(LIBRARIES) for _ in range(meter.turns)]
    meter.add("the libraries alone", "jobs/s", libraries, waits=True)
    _stage(meter, "tree, of a small game", make_tree)
    _stage(meter, "train, one batch of a small game", train)


def _stage(meter: Meter, stage: str, arguments: list) -> None:
    """Whole jobs of a stage, and its work alone, in turns."""
    _job(COMMAND, *arguments)  # compiles
    meter.watch()
    jobs, starts = [], []
    for _ in range(meter.turns):
        jobs.append(_job(COMMAND, *arguments))
        work = float(_python(AGAIN, *arguments).split()[-1])
        starts.append(jobs[-1][1] - work)
    meter.add(f"sixmax {stage}", "jobs/s", jobs, waits=True, facts={START: spread(starts)})


def _job(code: str, *arguments: object) -> Took:
    """From before the process starts until it has ended."""
    clock, spent = time.perf_counter(), sum(os.times()[2:4])
    _python(code, *arguments)
    return 1.0, time.perf_counter() - clock, sum(os.times()[2:4]) - spent


def _python(code: str, *arguments: object) -> str:
    command = [sys.executable, "-c", code, *map(str, arguments)]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout
