"""Training in shards through Snakemake's executors for clusters.

Slurm wants a working one: as root on Debian, `apt-get install slurm-wlm munge` and then
`tests/workflow/local_slurm.sh`, which starts one on this machine.
"""

import base64
import itertools
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from sixmax.blueprint.shards import merge_shards, train_shard
from sixmax.store import read
from workflow.forked import snakemake as planned

ROOT = Path(__file__).parents[2]
HERE = Path(__file__).parent


def snakemake(folder, profile, *options):
    """`snakemake blueprint` in ``folder`` with one of our profiles; its output."""
    done = subprocess.run(
        [sys.executable, "-m", "snakemake", "blueprint", "--snakefile", ROOT / "Snakefile",
         "--directory", folder, "--configfile", HERE / "shards.yaml",
         "--profile", ROOT / "profiles" / profile, *options,
         "--latency-wait", "30", "--seconds-between-status-checks", "1"],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    said = done.stdout + done.stderr
    assert done.returncode == 0, said[-4000:]
    return said


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
    done = subprocess.run(
        [sys.executable, "-m", "snakemake", "blueprint", "--directory", folder,
         "--configfile", HERE / "shards.yaml"],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, (done.stdout + done.stderr)[-4000:]
    return digests(folder)


def digests(folder):
    state = folder / "results" / "shards" / "blueprint" / "state" / "00002.zarr"
    return read(state, "state-mean").attributes["digests"]


def test_shards__are_planned_as_jobs_of_every_interval(tmp_path):
    options = ("--directory", str(tmp_path), "--configfile", str(HERE / "shards.yaml"))
    done = planned("blueprint", "-np", *options, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    for interval, shard in itertools.product((1, 2), (1, 2)):
        job = rf"sixmax shard --run results/shards --interval {interval}\s+--shard {shard} "
        assert len(re.findall(job, done.stdout)) == 1
    assert done.stdout.count("sixmax merge ") == done.stdout.count("--snapshot --history ") == 2
    assert "sixmax train" not in done.stdout


@pytest.mark.slow
def test_cluster_generic__shards_are_jobs_of_their_own(local, tmp_path):
    folder = shutil.copytree(local, tmp_path / "copy", symlinks=True)
    for name in ("state", "history", "snapshot", "strategy.zarr"):
        shutil.rmtree(folder / "results" / "shards" / "blueprint" / name)
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


@pytest.mark.slow
def test_slurm__shards_are_one_array_job(tmp_path):
    if shutil.which("sinfo") is None or subprocess.run("sinfo", capture_output=True).returncode:
        pytest.skip("no Slurm answers here; tests/workflow/local_slurm.sh starts one")
    pytest.importorskip("snakemake_executor_plugin_slurm")
    said = snakemake(
        tmp_path, "slurm", "--slurm-no-account", "--slurm-status-command", "squeue",
        "--slurm-init-seconds-before-status-checks", "2",
    )  # fmt: skip
    assert said.count("Submitted array job") == 2
    check_shards(tmp_path / "results" / "shards")


def test_profiles__retry_what_a_cluster_loses():
    """The profile of kubernetes cannot be run here: it is at least read."""
    import yaml

    for profile in ("cluster-generic", "slurm", "kubernetes"):
        values = yaml.safe_load((ROOT / "profiles" / profile / "profile.yaml").read_text())
        assert values["executor"] == profile
        assert values["retries"] > 0
