"""Benchmarks and bytes, by stage of the plan."""

import pytest

from report.synthetic import benchmark, settings
from sixmax.base.errors import UserError
from sixmax.report import cost


def test_jobs__by_stage_of_the_plan(run):
    result = cost.jobs(run, settings(13))
    actual = {}
    for job in result:
        actual[job.stage] = actual.get(job.stage, 0) + job.seconds
    expected = {
        "features": 75.0,  # of this run's bins and clusters, not of those beside them
        "cluster flop": 72.0, "cluster turn": 72.0, "cluster river": 72.0,
        "blueprint": 250.0, "tree": 1.2, "evaluation": 20.0,
    }  # fmt: skip
    assert actual == pytest.approx(expected)


def test_jobs__memory_is_in_bytes_or_unknown(run):
    memory = {job.stage: job.memory_bytes for job in cost.jobs(run, settings(13))}
    assert memory["blueprint"] == 4000.25 * 2**20
    assert memory["tree"] is None


def test_jobs__foreign_file_is_named(run):
    (run / "benchmarks" / "blueprint" / "average.tsv").write_text("a\tb\n1\t2\n")
    with pytest.raises(UserError, match=r"average\.tsv: not a benchmark file"):
        cost.jobs(run, settings(13))


def test_disk__counts_bytes_of_stores(run):
    (run / "abstraction" / "flop.zarr").mkdir()
    (run / "abstraction" / "flop.zarr" / "data").write_bytes(b"x" * 1000)
    (run / "blueprint" / "state" / "00004.zarr").mkdir(parents=True)
    (run / "blueprint" / "state" / "00004.zarr" / "data").write_bytes(b"x" * 70)
    result = cost.disk(run, settings(13))
    assert result["cluster flop"] == 1000
    assert result["blueprint"] == 70
    assert result["tree"] > 0
    assert "continuation" not in result


def test_jobs__several_lines_of_one_file_add_up(run):
    path = run / "benchmarks" / "continuation" / "compress.tsv"
    benchmark(path, 4.0, "10")
    path.write_text(path.read_text() + path.read_text().splitlines()[1].replace("10", "30") + "\n")
    (job,) = [job for job in cost.jobs(run, settings(13)) if job.stage == "continuation"]
    assert job.seconds == 8.0
    assert job.memory_bytes == 30 * 2**20


def test_costs__measured_beside_planned(inputs):
    rows = {row.stage: row for row in inputs.costs}
    assert "report" not in rows
    assert rows["blueprint"].jobs == 4
    assert rows["blueprint"].seconds == 250.0
    assert rows["blueprint"].longest == 64.0
    assert rows["blueprint"].planned["seconds"] == 90.0
    assert rows["continuation"].seconds is None
    assert rows["continuation"].planned["disk_gb"] == 0.25


def test_costs__of_all_adds_times_and_takes_the_largest_memory(inputs):
    total = inputs.costs[-1]
    assert total.seconds == pytest.approx(75.0 + 3 * 72.0 + 250.0 + 1.2 + 20.0)
    assert total.memory == 4000.25 * 2**20
    assert total.planned == {"seconds": 9 * 90.0, "memory_gb": 1.5, "disk_gb": 9 * 0.25}
