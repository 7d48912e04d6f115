"""Runs killed, doubled, out of disk or damaged: one clear line, then the same bytes.

The short version goes as far as the first buckets and the tree; `make test-slow` kills a whole run
fifty times and fills a disk. tests/workflow/faults.py says how.
"""

import re
import shutil
import signal
import subprocess
import time
from pathlib import Path

import pytest

from damage import flip
from processes import PYTHON, finished, printed
from store.test_full_disk import MAY_MOUNT, OWN
from workflow import faults
from workflow.golden import differences

BUCKETS, TREE = "results/faults/abstraction/preflop.zarr", "results/faults/blueprint/tree.zarr"
FEATURES = "results/shared/deck20/features/bins10_clusters8"


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """The beginning of a run that nothing disturbed."""
    folder = tmp_path_factory.mktemp("whole")
    status, output = faults.run(folder, BUCKETS, TREE)
    assert status == 0, output[-4000:]
    return folder


@pytest.mark.slow
@pytest.mark.parametrize(("config", "trials"), [("faults.yaml", 40), ("shards.yaml", 15)])
def test_killed__fifty_times_in_all_stages_of_a_run(tmp_path, config, trials):
    """The second trains in shards and merges them."""
    file = Path(faults.__file__).with_name(config)
    options = ["--config", file, "--trials", trials, "--folder", tmp_path]
    said = printed(PYTHON, faults.__file__, *options)
    assert "rounds that differ or leave something: 0" in said
    if config == "shards.yaml":
        assert re.search(r"at work when killed:.*\bmerge", said)


@pytest.mark.slow
def test_kernels__stay_within_their_arrays(tmp_path, monkeypatch):
    """A whole run with every index checked: kernels do not check theirs.

    The first round has more buckets than the others, which has been read past once.
    """
    monkeypatch.setenv("NUMBA_BOUNDSCHECK", "1")
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "checked"))
    status, output = faults.run(tmp_path)
    assert status == 0, output[-4000:]


def test_differences__are_named():
    """The comparison that the tests above rest on can fail."""
    actual = differences({"a": "1", "b": "2", "d": "5"}, {"a": "1", "b": "3", "c": "4"})
    assert actual == ["b: changed", "c: not recorded", "d: missing"]


@pytest.mark.slow
def test_two_at_once__the_second_process_is_refused_in_one_line(tmp_path):
    lock = tmp_path / "results" / "faults" / ".lock"
    with (tmp_path / "first.log").open("w") as out:
        first = subprocess.Popen(faults.command(tmp_path, TREE), cwd=faults.ROOT, stdout=out,
                                 stderr=subprocess.STDOUT)  # fmt: skip
    while first.poll() is None and not (lock.exists() and lock.read_text()):
        time.sleep(0.01)
    first.send_signal(signal.SIGSTOP)  # it holds its lock for as long as the second needs
    status, output = faults.run(tmp_path, TREE)
    first.send_signal(signal.SIGCONT)
    assert status != 0
    message = [line for line in output.splitlines() if "another snakemake" in line]
    assert len(message) == 1
    assert f"(process {first.pid}) is working on this run" in message[0]
    assert "Traceback" not in output
    assert first.wait() == 0, (tmp_path / "first.log").read_text()[-4000:]
    assert (tmp_path / TREE).exists()


@pytest.mark.slow
def test_damaged_store__is_refused_in_one_line_and_made_again(whole, tmp_path):
    folder = tmp_path / "copy"
    shutil.copytree(whole, folder, symlinks=True)
    flip(folder / FEATURES / "preflop.zarr" / "histogram" / "c" / "0" / "0")
    shutil.rmtree(folder / BUCKETS)
    status, output = faults.run(folder, BUCKETS)
    assert status != 0
    assert "preflop.zarr: damaged store: " in output
    assert "delete the folder and run its stage again" in output
    assert "Traceback" not in output
    assert not (folder / BUCKETS).exists()
    shutil.rmtree(folder / FEATURES / "preflop.zarr")
    status, output = faults.run(folder, BUCKETS, TREE)
    assert status == 0, output[-4000:]
    assert differences(faults.fingerprint(whole), faults.fingerprint(folder)) == []


@pytest.mark.slow
@pytest.mark.skipif(not MAY_MOUNT, reason="this user may not mount a file system")
def test_disk_full__is_one_line_and_with_more_space_the_run_goes_on(whole, tmp_path):
    """A file system of 200 kB under ``results``; it grows, and plain snakemake completes."""
    results, kept = tmp_path / "results", tmp_path / "kept"
    results.mkdir()
    message = tmp_path / "told.log"
    again = " ".join(f"'{word}'" for word in faults.command(tmp_path, BUCKETS, TREE))
    script = f"""
        mount -t tmpfs -o size=200k tmpfs {results}
        cd {faults.ROOT}
        {again} > {message} 2>&1 && exit 3
        ls -A {results}/shared/deck20/features/*/ > {tmp_path}/left
        mount -o remount,size=64m {results}
        {again} > {tmp_path}/again.log 2>&1 || exit 4
        mkdir {kept} && cp -r {results} {kept}
    """
    done = finished(*OWN, script)
    output = message.read_text()
    assert done.returncode == 0, done.stderr + output[-4000:]
    assert "the disk is full (or your quota): " in output
    assert "free some space and run again" in output
    assert "Traceback" not in output
    assert "river.zarr" not in (tmp_path / "left").read_text()
    assert differences(faults.fingerprint(whole), faults.fingerprint(kept)) == []
