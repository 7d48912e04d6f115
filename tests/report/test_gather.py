"""A missing or damaged file is named, with the stage that makes it."""

import json
import shutil

import pytest

from report.synthetic import put
from sixmax.base.errors import UserError
from sixmax.report.gather import gather, machine


@pytest.mark.parametrize(
    ("name", "stage"),
    [
        ("blueprint/run.json", "blueprint"),
        ("blueprint/tree.zarr", "blueprint"),
        ("blueprint/strategy.zarr", "blueprint"),
        ("blueprint/history/00003.json", "blueprint"),
        ("evaluation/matches.json", "evaluation"),
        ("evaluation/experiment/copies.json", "experiments"),
        ("evaluation/firstin.json", "evaluation"),
        ("evaluation/firstin/snapshot-00003.json", "report"),
        ("evaluation/ranges.json", "evaluation"),
        ("abstraction/quality_turn.json", "abstraction"),
        ("abstraction/quality_river.png", "abstraction"),
        ("continuation/check.json", "continuation"),
    ],
)
def test_gather__missing_input_is_named(run, name, stage):
    path = run / name
    shutil.rmtree(path) if path.is_dir() else path.unlink()
    with pytest.raises(UserError) as raised:
        gather(run)
    message = str(raised.value)
    assert str(path) in message
    assert f"snakemake {stage}`" in message
    assert "\n" not in message


@pytest.mark.parametrize("text", ["", "{", "[]", '{"protocol": 1}'])
def test_gather__damaged_json_is_named(run, text):
    path = run / "evaluation" / "matches.json"
    path.write_text(text)
    with pytest.raises(UserError, match=r"matches\.json.*wanted .*`snakemake evaluation`"):
        gather(run)


def test_gather__damaged_plan_is_named(run):
    put(run / "plan" / "plan.json", {"stages": [{"stage": "tree"}]})
    with pytest.raises(
        UserError, match=r"plan\.json: not an input of the report .*`snakemake plan`"
    ):
        gather(run)


def test_gather__no_folder(tmp_path):
    with pytest.raises(UserError, match="no such folder"):
        gather(tmp_path / "nothing")


def test_gather__reads_the_intervals_of_the_blueprint_only(run):
    # Left over from a longer training of another time.
    record = json.loads((run / "blueprint" / "history" / "00004.json").read_text())
    put(run / "blueprint" / "history" / "00005.json", {**record, "interval": 5})
    assert [record["interval"] for record in gather(run).history] == [1, 2, 3, 4]


def test_machine__says_what_it_is():
    result = machine()
    assert result["cores"] >= 1
    assert result["memory_gb"] > 0.1
    assert result["processor"]
