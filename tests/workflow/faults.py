"""kill -9 of a run at random moments, again and again; in the end the same bytes.

    python tests/workflow/faults.py --trials 50 --folder /tmp/faults
    python tests/workflow/faults.py --config tests/workflow/shards.yaml    (training in shards)

First the run of the config undisturbed, for its digests. Then rounds: in each, `snakemake` is
started and its whole process group killed a random moment after a job of a stage began, a stage
that was not hit in this round; then the same command again, killed in another stage, and so on
until nothing is left to do. A kill is a trial. Exits with 1 where a round did not complete, or
ended in other digests than the undisturbed run.
"""

import argparse
import collections
import contextlib
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
from processes import ROOT, SNAKEMAKE, finished
from sixmax.store import read
from sixmax.store.io import kind_of
from workflow.golden import differences, digests

config = Path(__file__).with_name("faults.yaml")
STARTED = re.compile(r"^(?:local)?rule (\w+):.*?^    jobid: (\d+)", re.M | re.S)
FINISHED = re.compile(r"^Finished jobid: (\d+)", re.M)
WITHIN = 2.0  # seconds after the start of a job in which it is killed: most take as long


def command(folder, *targets):
    """The command that a user types, with ``results`` below ``folder``."""
    place = ["--directory", str(folder), "--configfile", str(config), "--cores", "2"]
    return [*SNAKEMAKE, *targets, *place]


def run(folder, *targets):
    """The same, to its end: exit status and all that it said."""
    done = finished(*command(folder, *targets))
    return done.returncode, done.stdout + done.stderr


def fingerprint(folder):
    """The digests of all results, whose arrays are read and so checked; and whether pages stand."""
    results = folder / "results"
    for path in results.rglob("*.zarr"):
        assert all(array is not None for array in read(path, kind_of(path)).values())
    pages = {
        str(path.relative_to(results)): str(path.stat().st_size > 10_000)
        for path in results.rglob("*.html")
    }
    return digests(results) | pages


def running(log):
    """The rules of the jobs that have started and not finished, by Snakemake's own words."""
    text = log.read_text(errors="replace")
    finished = set(FINISHED.findall(text))
    return [rule for rule, job in STARTED.findall(text) if job not in finished]


def kill_in_one_of(stages, folder, log, chance, *targets):
    """Start the run and kill its process group in the first job of ``stages`` that begins.

    Returns the stage, what was running, and after how many seconds; None where the run ended by
    itself, with success, before a job of them began.
    """
    log.unlink(missing_ok=True)
    with log.open("w") as out:
        job = subprocess.Popen(command(folder, *targets), cwd=ROOT, start_new_session=True,
                               stdout=out, stderr=subprocess.STDOUT)  # fmt: skip
    try:
        while job.poll() is None:
            if hit := next((rule for rule in running(log) if rule in stages), None):
                wait = chance.uniform(0, WITHIN)
                time.sleep(wait)
                if job.poll() is None:
                    return hit, running(log), wait
            time.sleep(0.05)
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(job.pid, signal.SIGKILL)
        job.wait()
    if job.returncode != 0:
        raise RuntimeError(f"did not go on:\n{log.read_text(errors='replace')[-4000:]}")
    return None


def killed_until_done(folder, stages, chance, most, *targets, say=print):
    """One round. Returns the rules that were running at each kill, at most ``most`` kills."""
    stages, hits = set(stages), []
    while len(hits) < most:
        log = folder / f"start-{len(hits)}.log"
        killed = kill_in_one_of(stages, folder, log, chance, *targets)
        if killed is None:
            say(f"  not killed any more; jobs that ran: {' '.join(sorted(rules_in(log))) or '-'}")
            break
        stage, at_work, wait = killed
        stages.discard(stage)
        hits.append(at_work)
        say(f"  killed {wait:.2f} s after a start of {stage}; at work: {' '.join(at_work) or '-'}")
    status, output = run(folder, *targets)
    if status != 0:
        raise RuntimeError(f"did not complete:\n{output[-4000:]}")
    return hits


def rules_in(log):
    """The rules of which the run that wrote ``log`` started jobs."""
    return {rule for rule, _ in STARTED.findall(log.read_text())} - {"all"}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--trials", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folder", type=Path, help="Where to run; reuses its undisturbed run.")
    parser.add_argument("--config", type=Path, default=config, help="The config to run.")
    options = parser.parse_args()
    globals()["config"] = options.config.resolve()
    top = options.folder or Path(tempfile.mkdtemp(prefix="faults-"))
    chance, started = random.Random(options.seed), time.monotonic()
    reference = top / "undisturbed"
    log = reference / "start.log"
    if not log.exists():
        reference.mkdir(parents=True)
        assert kill_in_one_of((), reference, log, chance) is None
    expected, stages = fingerprint(reference), rules_in(log)
    print(f"undisturbed: {len(expected)} digests, stages {' '.join(sorted(stages))}", flush=True)
    done, bad, tally = 0, 0, collections.Counter()
    while done < options.trials:
        place = top / f"round-{done:03d}"
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir()
        print(f"round from trial {done + 1}, {time.monotonic() - started:.0f} s", flush=True)
        try:
            hits = killed_until_done(
                place, stages, chance, options.trials - done,
                say=lambda line: print(line, flush=True),
            )  # fmt: skip
            different = differences(expected, fingerprint(place))
            left = sorted(str(p) for p in (place / "results").rglob(".*.tmp"))
            print(f"  {len(different)} differ {different}, left behind {left}", flush=True)
            bad += bool(different or left)
        except Exception as error:
            print(f"  FAILED: {error}", flush=True)
            return 1
        done += sum(map(bool, hits))  # between two jobs a kill is easy
        tally.update(rule for at_work in hits for rule in at_work or ["between jobs"])
        if not (different or left):
            shutil.rmtree(place)
    spent = time.monotonic() - started
    print(f"{done} kills in {spent:.0f} s, rounds that differ or leave something: {bad}")
    print("at work when killed: " + ", ".join(f"{r} {n}" for r, n in sorted(tally.items())))
    return int(bad > 0)


if __name__ == "__main__":
    sys.exit(main())
