"""The guard: no result changes by a bit, whatever the code is moved to, on one thread or two.

`golden.json` holds digests of every array and JSON field of the preset `tiny`, of a run for two
players (search gain, AIVAT, local best response, replay of its hands), and of a validation with a
hundredth of its iterations. Where a result is meant to change:

    python tests/workflow/test_golden.py tiny heads-up validate

records it anew; the commit says why.
"""

import functools
import json
import math
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
import yaml

sys.path.insert(0, str(Path(__file__).parents[1]))
from workflow.golden import differences, digests

ROOT = Path(__file__).parents[2]
RECORD = Path(__file__).with_name("golden.json")
SIXMAX = str(Path(sys.executable).parent / "sixmax")
MATCH = "match blueprint rule --run {run} --deals 100 --seed 3 --log {log} --phh {phh} --out {out}"


def snakemake(folder, threads, *arguments):
    """Run the workflow with results below ``folder``, on so many threads."""
    command = [sys.executable, "-m", "snakemake", *arguments, "--directory", str(folder)]
    done = subprocess.run(
        [*command, "--cores", str(threads)], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-4000:]


def configured(folder, preset, threads):
    """A copy of ``preset`` whose jobs use so many threads, as an option of snakemake."""
    values = yaml.safe_load(preset.read_text()) | {"machine": {"threads": threads}}
    (folder / "own.yaml").write_text(yaml.safe_dump(values))
    return ["--configfile", str(folder / "own.yaml")]


def tiny(folder, threads):
    snakemake(folder, threads, *configured(folder, ROOT / "config" / "tiny.yaml", threads))
    return digests(folder / "results")


def heads_up(folder, threads):
    snakemake(folder, threads, *configured(folder, RECORD.with_suffix(".yaml"), threads))
    run, names = folder / "results" / "golden", ("hands.log", "hands.phhs", "logged.json")
    places = dict(zip(("log", "phh", "out"), (run / name for name in names), strict=True))
    sixmax(*MATCH.format(run=run, **places).split(), "--threads", str(threads))
    sixmax("replay", str(places["log"]), str(places["phh"]), "--out", str(run / "replay.json"))
    return digests(folder / "results")


def validate(folder, threads, only=None):
    """The games of config/validate, each with a hundredth of its iterations; or ``only`` one."""
    for name in ("workflow", "profiles", "config"):
        shutil.copytree(ROOT / name, folder / name)
    shutil.copy(ROOT / "Snakefile", folder)
    curves = []
    for file in (ROOT / "config" / "validate").glob(f"{only or '*'}.yaml"):
        game = yaml.safe_load(file.read_text())
        curves += [f"results/validate/{file.stem}/{method}.json" for method in game["methods"]]
        for settings in game["methods"].values():
            step = math.lcm(settings.get("batch", 1), settings.get("discount_every", 1))
            few = max(settings["iterations"] // 100, 10)
            settings["iterations"] = -(-few // step) * step
        (folder / "config" / "validate" / file.name).write_text(yaml.safe_dump(game))
    targets = curves if only else ["results/validate/table.json"]
    snakemake(folder, threads, *targets, "--snakefile", str(folder / "Snakefile"))
    return digests(folder / "results")


def sixmax(*arguments):
    environment = {**os.environ, "COLUMNS": "80"}
    done = subprocess.run([SIXMAX, *arguments], env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


RUNS = {"tiny": tiny, "heads-up": heads_up, "validate": validate}
QUICK = "leduc"  # the game of the validation that `make test` runs; test-slow runs all of them
RUNS[QUICK] = functools.partial(validate, only=QUICK)


SLOW = pytest.mark.slow
CASES = [  # `tiny` on two threads is a test of test_workflow.py, which makes that run anyway
    ("heads-up", 1),
    (QUICK, 2),
    pytest.param("tiny", 1, marks=SLOW),
    pytest.param("heads-up", 2, marks=SLOW),
    pytest.param("validate", 1, marks=SLOW),
    pytest.param("validate", 2, marks=SLOW),
]


@pytest.mark.parametrize(("name", "threads"), CASES)
def test_results__are_those_recorded(tmp_path, name, threads):
    expected = recorded(name)
    if threads == 1:  # a plan says how long so many threads will take
        expected = {field: digest for field, digest in expected.items() if "/plan/" not in field}
    assert differences(expected, RUNS[name](tmp_path, threads)) == []


def recorded(name):
    """The digests of ``name`` that stand in the record."""
    every = json.loads(RECORD.read_text())
    if name == QUICK:
        kept = every["validate"].items()
        return {field: digest for field, digest in kept if f"validate/{QUICK}/" in field}
    return every[name]


def record(name):
    """Run ``name`` on two threads and write its digests down."""
    with tempfile.TemporaryDirectory() as folder:
        found = RUNS[name](Path(folder), 2)
    kept = json.loads(RECORD.read_text()) if RECORD.exists() else {}
    RECORD.write_text(json.dumps(kept | {name: found}, indent=0, sort_keys=True) + "\n")


if __name__ == "__main__":
    for each in sys.argv[1:]:
        record(each)
