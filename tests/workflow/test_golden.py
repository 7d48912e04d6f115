"""The guard: no result changes by a bit, on one thread or two.

`golden.json` holds digests of every array and JSON field of the preset `tiny`, of a run for two
players (search gain, AIVAT, local best response, an opponent who chooses, replay of
its hands), and of a validation with a
hundredth of its iterations. Where a result is meant to change:

    python tests/workflow/test_golden.py tiny heads-up validate

records it anew; the commit says why.
"""

import json
import math
import sys
import tempfile
from pathlib import Path

import pytest
import yaml

sys.path.insert(0, str(Path(__file__).parents[1]))
from processes import ROOT, SNAKEMAKE, finished
from sixmax.studies.validate.config import load
from sixmax.studies.validate.stage import measure
from workflow import forked
from workflow.golden import differences, digests

RECORD = Path(__file__).with_name("golden.json")
SIXMAX = str(Path(sys.executable).parent / "sixmax")
MATCH = "match blueprint rule --run {run} --deals 100 --seed 3 --log {log} --phh {phh} --out {out}"
CHOOSER = (
    "chooser --run {run} --round 1 --hands 8 --deals 500 --seed 3 --config {config} --out {out}"
)
SMALL = {"player": "modicum", "roll_outs": 1000}


def snakemake(folder, threads, *arguments, quick=False):
    """Run the workflow with results below ``folder``, on so many threads; ``quick``: by forks."""
    arguments = [*arguments, "--directory", str(folder), "--cores", str(threads)]
    if quick:
        done = forked.snakemake(*arguments, cwd=ROOT, jobs=True)
    else:
        done = finished(*SNAKEMAKE, *arguments, COLUMNS="80")
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-4000:]


def sixmax(*arguments, quick=False):
    done = forked.sixmax(*arguments) if quick else finished(SIXMAX, *arguments, COLUMNS="80")
    assert done.returncode == 0, done.stderr


def configured(folder, preset, threads):
    """A copy of ``preset`` whose jobs use so many threads, as an option of snakemake."""
    values = yaml.safe_load(preset.read_text()) | {"machine": {"threads": threads}}
    (folder / "own.yaml").write_text(yaml.safe_dump(values))
    return ["--configfile", str(folder / "own.yaml")]


def tiny(folder, threads):
    snakemake(folder, threads, *configured(folder, ROOT / "config" / "tiny.yaml", threads))
    return digests(folder / "results")


def heads_up(folder, threads, *targets):
    """The whole run of golden.yaml, or ``targets`` of it and all that they need."""
    options = configured(folder, RECORD.with_suffix(".yaml"), threads)
    wanted, quick = [f"results/golden/{name}" for name in targets], bool(targets)
    snakemake(folder, threads, *wanted, *options, quick=quick)
    run, names = folder / "results" / "golden", ("hands.log", "hands.phhs", "logged.json")
    places = dict(zip(("log", "phh", "out"), (run / name for name in names), strict=True))
    match = MATCH.format(run=run, **places).split()
    sixmax(*match, "--threads", str(threads), quick=quick)
    logs = [str(places["log"]), str(places["phh"])]
    sixmax("replay", *logs, "--out", str(run / "replay.json"), quick=quick)
    config = json.dumps(SMALL, separators=(",", ":"))
    options = CHOOSER.format(run=run, config=config, out=run / "chooser.json").split()
    sixmax(*options, "--threads", str(threads), quick=quick)
    return digests(folder / "results")


def validate(folder, threads, only=None):
    """The games of config/validate, each with a hundredth of its iterations.

    Or ``only`` one, by the stage alone: the starts of its jobs would take ten times as long.
    """
    forked.working_copy(folder)
    for file in (ROOT / "config" / "validate").glob(f"{only or '*'}.yaml"):
        game = yaml.safe_load(file.read_text())
        for settings in game["methods"].values():
            step = math.lcm(settings.get("batch", 1), settings.get("discount_every", 1))
            few = max(settings["iterations"] // 100, 10)
            settings["iterations"] = -(-few // step) * step
        (folder / "config" / "validate" / file.name).write_text(yaml.safe_dump(game))
    if only:
        game = load(folder / "config" / "validate")[only]
        for method, settings in game.methods.items():
            out = folder / "results" / "validate" / only / f"{method}.json"
            measure(game.game, game.seats, method, settings, threads, out)
    else:
        target = "results/validate/table.json"
        snakemake(folder, threads, target, "--snakefile", str(folder / "Snakefile"))
    return digests(folder / "results")


RUNS = {"tiny": tiny, "heads-up": heads_up, "validate": validate}
QUICK = {  # the part that `make test` runs; test-slow runs all
    "heads-up": (
        "search/settings.json", "evaluation/search/gain/000000.json",
        "evaluation/aivat/blueprint_vs_snapshot-00001.json",
        "evaluation/lbr/blueprint/56flop.json", "evaluation/lbr/random/modicum-2.json",
    ),
    "validate": ("leduc",),
}  # fmt: skip


@pytest.mark.parametrize(("name", "threads"), [("heads-up", 1), ("validate", 2)])
def test_results__of_a_part_are_those_recorded(tmp_path, name, threads):
    """`tiny` on two threads is a test of test_tiny.py, which makes that run anyway."""
    actual = RUNS[name](tmp_path, threads, *QUICK[name])
    for target in QUICK[name]:
        assert [field for field in actual if f"/{target}" in field], target
    result = {field.split(": ")[0] for field in actual}
    expected = {k: v for k, v in recorded(name).items() if k.split(": ")[0] in result}
    assert differences(*(comparable(each, threads) for each in (expected, actual))) == []


@pytest.mark.slow
@pytest.mark.parametrize("name", RUNS)
@pytest.mark.parametrize("threads", [1, 2])
def test_results__are_those_recorded(tmp_path, name, threads):
    actual = RUNS[name](tmp_path, threads)
    assert differences(*(comparable(each, threads) for each in (recorded(name), actual))) == []


def recorded(name):
    return json.loads(RECORD.read_text())[name]


def comparable(digests, threads):
    """Those of ``digests`` that hold for so many threads."""
    if threads == 1:  # a plan says how long so many threads will take
        return {field: digest for field, digest in digests.items() if "/plan/" not in field}
    return digests


def record(name):
    """Run ``name`` on two threads and write its digests down."""
    with tempfile.TemporaryDirectory() as folder:
        actual = RUNS[name](Path(folder), 2)
    kept = json.loads(RECORD.read_text()) if RECORD.exists() else {}
    RECORD.write_text(json.dumps(kept | {name: actual}, indent=0, sort_keys=True) + "\n")


if __name__ == "__main__":
    for each in sys.argv[1:]:
        record(each)
