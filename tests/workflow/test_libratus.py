"""`snakemake libratus`, on a copy of the workflow with two quick games."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time

import pytest

from sixmax.studies.libratus import paper_tables as tables
from sixmax.studies.libratus.config import OFF_TREE
from workflow.forked import jobs_of, planned, working_copy

TABLES = """
games:
  small:
    game: { stack: 1000, preflop: [[1], [A]], flop: [[1], [A]], max_raises: 2, flops: 2 }
    seeds: [1]
    iterations: { blueprint: 30, subgame: 60 }
    buckets: [200]
techniques: [unsafe, resolve]
off_tree:
  game: { stack: 2000, preflop: [[1], [A]], flop: [[1.5, A], [A]], max_raises: 2, flops: 2 }
  seeds: [1]
  iterations: { blueprint: 30, subgame: 60 }
  sizes: [0.3]
"""
CELLS = ("small/1/200", f"{OFF_TREE}/1/0")


def test_subgames__a_preset_that_asks_has_the_jobs_of_table_s1(tmp_path):
    own = "evaluation: { subgame_hands: 120 }"
    counts = jobs_of(planned(tmp_path, "libratus", preset="libratus", own=own))
    assert counts["subgames"] == len(tables.NAMES) == 6
    assert counts["subgame_part"] == 3 * 6  # of 50, 50 and 20 hands
    assert counts["tables"] == 1


@pytest.fixture
def copy(tmp_path):
    """The workflow with quick games of its own."""
    working_copy(tmp_path)
    (tmp_path / "config" / "tables" / "libratus.yaml").write_text(TABLES)
    return tmp_path


def start(folder):
    command = [sys.executable, "-m", "snakemake", "libratus", "--cores", "2"]
    with (folder / "output").open("w") as out:
        return subprocess.Popen(
            command, cwd=folder, stdout=out, stderr=subprocess.STDOUT, start_new_session=True
        )


def cells(folder):
    names = [p for cell in CELLS for p in (folder / "results/libratus" / cell).glob("*.json")]
    return {str(p.relative_to(folder)): json.loads(p.read_text()) for p in sorted(names)}


@pytest.mark.slow
def test_killed__the_same_command_goes_on_and_ends_in_the_same_tables(copy):
    """After each kill the jobs that ended stay, and no half of a file is left."""
    runs = []
    for kills in (0, 3):
        shutil.rmtree(copy / "results", ignore_errors=True)
        for number in range(kills):
            process, begin = start(copy), len(cells(copy))
            while process.poll() is None and len(cells(copy)) <= begin:
                time.sleep(0.05)
            assert process.poll() is None, f"over before kill {number}"
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            kept = cells(copy)
            assert len(kept) > begin
        assert start(copy).wait() in (0, 1)  # 1: a claim may fail on games so small
        runs.append(cells(copy))
        assert (copy / "results/libratus/tables.json").exists(), (copy / "output").read_text()
    assert len(runs[0]) == 3 + 5
    assert runs[0] == runs[1]
    assert list((copy / "results").rglob(".*.tmp")) == [], "a killed writer left something"
