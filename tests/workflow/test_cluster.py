"""Training in shards through Snakemake's executors for clusters.

Slurm wants a working one: as root on Debian, `apt-get install slurm-wlm munge` and then
`tests/workflow/local_slurm.sh`, which starts one of two nodes on this machine.
"""

import base64
import itertools
import json
import os
import re
import shutil
import subprocess
import sys
import time
from contextlib import ExitStack, suppress
from pathlib import Path

import psutil
import pytest

from processes import ROOT, SNAKEMAKE, finished, printed
from sixmax.blueprint.shards import merge_shards, train_shard
from sixmax.store import read
from workflow import forked

HERE = Path(__file__).parent


def command(folder, profile, *options):
    """`snakemake blueprint` in ``folder`` with one of our profiles."""
    return [
        *SNAKEMAKE, "blueprint", "--snakefile", ROOT / "Snakefile",
        "--directory", folder, "--configfile", HERE / "shards.yaml",
        "--profile", ROOT / "profiles" / profile, *options,
        "--latency-wait", "30", "--seconds-between-status-checks", "1",
    ]  # fmt: skip


def snakemake(folder, profile, *options):
    """The output of that command."""
    done = finished(*command(folder, profile, *options))
    said = done.stdout + done.stderr
    assert done.returncode == 0, said[-4000:]
    return said


def untrained(local, folder):
    """A copy of the ``local`` run in ``folder``, whose training is to be done again."""
    shutil.copytree(local, folder, symlinks=True, dirs_exist_ok=True)
    for name in ("state", "history", "snapshot", "strategy.zarr"):
        shutil.rmtree(folder / "results" / "shards" / "blueprint" / name)
    return folder


def wait_for(condition, process, seconds=600):
    """Wait until ``condition()``, while ``process`` runs."""
    end = time.monotonic() + seconds
    while not condition():
        assert process.poll() is None, "it ended before"
        assert time.monotonic() < end, "it never came"
        time.sleep(0.1)


def check_shards(run):
    """The last interval, made again here with its shards in the other order, is the same bytes."""
    record = json.loads((run / "blueprint" / "history" / "00002.json").read_text())
    assert record["traversals"] == 3 * 2000
    assert not list((run / "blueprint").glob("delta/*/*.zarr"))  # temporary
    state = run / "blueprint" / "state" / "00002.zarr"
    expected = read(state, "state-mean").attributes["digests"]
    shutil.rmtree(state)
    deltas = [run / "blueprint" / "delta" / f"{shard}.zarr" for shard in (2, 1)]
    for shard, path in zip((2, 1), deltas, strict=True):
        train_shard(run, 2, shard, 2, path)
    merge_shards(run, 2, deltas, 2, False, run / "again.json")
    assert read(state, "state-mean").attributes["digests"] == expected


@pytest.fixture(scope="module")
def local(tmp_path_factory):
    """The folder of a run that was trained in shards on this machine, without a scheduler."""
    folder = tmp_path_factory.mktemp("local")
    train_locally(folder)
    return folder


def train_locally(folder):
    """`snakemake blueprint` as a user types it; the digests of its last checkpoint."""
    config = HERE / "shards.yaml"
    printed(*SNAKEMAKE, "blueprint", "--directory", folder, "--configfile", config)
    return digests(folder)


def digests(folder):
    state = folder / "results" / "shards" / "blueprint" / "state" / "00002.zarr"
    return read(state, "state-mean").attributes["digests"]


def test_shards__are_planned_as_jobs_of_every_interval(tmp_path):
    own = (HERE / "shards.yaml").read_text()
    said = forked.planned(tmp_path, "blueprint", preset="", own=own)
    for interval, shard in itertools.product((1, 2), (1, 2)):
        job = rf"sixmax stage shard --run results/shards --interval {interval}\s+--shard {shard} "
        assert len(re.findall(job, said)) == 1
    assert said.count("sixmax stage merge ") == said.count("--snapshot --history ") == 2
    assert "sixmax stage train" not in said


@pytest.mark.slow
def test_cluster_generic__shards_are_jobs_of_their_own(local, tmp_path):
    folder = untrained(local, tmp_path / "copy")
    script = shutil.copy(HERE / "submit.sh", tmp_path)
    said = snakemake(folder, "cluster-generic", "--cluster-generic-submit-cmd", str(script))
    assert len(re.findall(r"^rule shard:", said, re.M)) == 4
    assert not re.findall(r"^rule train", said, re.M)
    submitted = (tmp_path / "submitted").read_text()
    assert len(re.findall(r"\.shard\.", submitted)) == 4
    assert len(re.findall(r"\.merge_snapshot\.", submitted)) == 2
    assert digests(folder) == digests(local)
    check_shards(folder / "results" / "shards")


@pytest.mark.slow
def test_merge__killed_before_snakemake_knew_of_its_end_is_done_again(local, tmp_path):
    """Its outputs are there and marked incomplete, and so are its shards' deltas."""
    folder = shutil.copytree(local, tmp_path / "copy", symlinks=True)
    run = folder / "results" / "shards" / "blueprint"
    for shard in (1, 2):
        train_shard(run.parent, 2, shard, 1, run / "delta" / "00002" / f"{shard}-of-2.zarr")
    for name in ("state/00002.zarr", "history/00002.json", "snapshot/00002.zarr"):
        key = str((run / name).relative_to(folder)).encode()
        marker = folder / ".snakemake" / "incomplete" / base64.urlsafe_b64encode(key).decode()
        marker.parent.mkdir(exist_ok=True)
        marker.write_text('{"external_jobid": null}')
    assert train_locally(folder) == digests(local)
    assert not list(run.glob("delta/*/*.zarr"))


@pytest.fixture
def slurm():
    """The options of our Slurm profile for a Slurm of this machine, where one answers."""
    if (
        shutil.which("sinfo") is None
        or subprocess.run(["timeout", "10", "sinfo"], capture_output=True).returncode
    ):
        pytest.skip("no Slurm answers here; tests/workflow/local_slurm.sh starts one")
    pytest.importorskip("snakemake_executor_plugin_slurm")
    return (
        "slurm", "--slurm-no-account", "--slurm-status-command", "squeue",
        "--slurm-init-seconds-before-status-checks", "2",
    )  # fmt: skip


@pytest.mark.slow
def test_slurm__shards_are_one_array_job_and_outlive_a_node(slurm, local, tmp_path):
    nodes = printed("sinfo", "-hN", "-o", "%N").split()
    if nodes != ["far", "near"]:
        pytest.skip(f"found the nodes {nodes}, wanted those of local_slurm.sh")
    folder, script = untrained(local, tmp_path / "copy"), HERE / "local_slurm.sh"

    def far_trains():
        """A job that Slurm only begins has no process yet, and would outlive its node's death."""
        for process in psutil.process_iter():
            with suppress(psutil.Error):
                if process.environ().get("SLURMD_NODENAME") == "far":
                    yield "shard" in process.cmdline()

    asked = command(folder, *slurm)
    with (tmp_path / "said").open("w") as said:
        process = subprocess.Popen(asked, cwd=ROOT, stdout=said, stderr=said)
        try:
            wait_for(lambda: any(far_trains()), process)
            subprocess.run(["sh", script, "kill", "far"], check=True)
            try:
                assert process.wait(timeout=1200) == 0, (tmp_path / "said").read_text()[-4000:]
            finally:
                subprocess.run(["sh", script, "revive", "far"], check=True)
        finally:
            process.kill()
    text = (tmp_path / "said").read_text()
    assert "Trying to restart job" in text
    assert text.count("Submitted array job") == 2
    assert digests(folder) == digests(local)
    check_shards(folder / "results" / "shards")


def sharing_copy(place, shared):
    """A working copy in ``place`` whose results and .snakemake lie in ``shared``."""
    place.mkdir()
    forked.working_copy(place)
    for name in ("results", ".snakemake"):
        (place / name).symlink_to(shared / name)
    (place / ".venv").symlink_to(sys.prefix)
    return place


@pytest.mark.slow
def test_folder__two_working_copies_share_the_work_and_one_dies(local, tmp_path):
    shared = untrained(local, tmp_path / "shared")
    queue, silence = shared / "results" / "queue", {**os.environ, "QUEUE_SILENCE": "15"}
    near, far = (sharing_copy(tmp_path / name, shared) for name in ("near", "far"))
    with ExitStack() as stack:
        workers = {}
        for place in (near, far):
            log = stack.enter_context((tmp_path / f"{place.name}.log").open("w"))
            workers[place] = subprocess.Popen(
                ["sh", "profiles/folder/queue.sh", "work"], cwd=place, stdout=log, stderr=log
            )  # fmt: skip
            stack.callback(kill_all, workers[place])
        said = stack.enter_context((tmp_path / "said").open("w"))
        asked = [
            *SNAKEMAKE, "blueprint", "--configfile", HERE / "shards.yaml",
            "--profile", "profiles/folder",
        ]  # fmt: skip
        process = subprocess.Popen(asked, cwd=near, env=silence, stdout=said, stderr=said)
        stack.callback(process.kill)
        wait_for(lambda: "begins" in (tmp_path / "far.log").read_text(), process)
        kill_all(workers[far])
        assert process.wait(timeout=1200) == 0, (tmp_path / "said").read_text()[-4000:]
    assert "Trying to restart job" in (tmp_path / "said").read_text()
    assert "begins" in (tmp_path / "near.log").read_text()
    assert len(list(queue.glob("*.success"))) == 7  # four shards, two merges, the average
    assert digests(shared) == digests(local)


def kill_all(process):
    """Kill ``process`` with all that it started, as a machine that loses its power."""
    with suppress(psutil.NoSuchProcess):
        for each in (known := psutil.Process(process.pid)).children(recursive=True):
            with suppress(psutil.NoSuchProcess):
                each.kill()
        known.kill()
    process.wait()


def test_profiles__retry_what_a_cluster_loses():
    """The profile of kubernetes cannot be run here: it is at least read."""
    import yaml

    profiles = ("cluster-generic", "slurm", "kubernetes", "folder")
    for profile, executor in zip(profiles, (*profiles[:3], "cluster-generic"), strict=True):
        values = yaml.safe_load((ROOT / "profiles" / profile / "profile.yaml").read_text())
        assert values["executor"] == executor
        assert values["retries"] > 0
