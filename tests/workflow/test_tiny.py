"""The preset tiny, run whole: its results, reruns, the notebook that trains it."""

import json
import re
import shutil
import zipfile
from pathlib import Path

import pytest

from processes import PYTHON, ROOT, SNAKEMAKE, finished, printed
from sixmax.store import read, write
from workflow import forked, notebook
from workflow.forked import folder, jobs_of, planned, without_jobs, working_copy
from workflow.golden import differences, digests

SIXMAX = Path(PYTHON).parent / "sixmax"


@pytest.fixture(scope="module")
def tiny(tmp_path_factory):
    """The tiny preset, run whole in a folder of its own."""
    path = tmp_path_factory.mktemp("tiny")
    done = forked.snakemake(*folder(path), "--cores", "2", cwd=ROOT, jobs=True)
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-4000:]
    (path / "stdout.txt").write_text(done.stdout)
    (path / "stderr.txt").write_text(done.stderr)
    return path


def test_tiny__results_are_those_recorded(tiny):
    """The guard of test_golden.py, on two threads."""
    expected = json.loads(Path(__file__).with_name("golden.json").read_text())["tiny"]
    assert differences(expected, digests(tiny / "results")) == []


def test_tiny__lines_name_their_job_and_the_last_one_the_report(tiny):
    last = (tiny / "stderr.txt").read_text().splitlines()[-1]
    assert last == "report: results/tiny/report/index.html"
    lines = (tiny / "stdout.txt").read_text().splitlines()
    for job in ("blueprint/train/00001", "blueprint/tree", "evaluation/match/blueprint_vs_rule"):
        assert [line for line in lines if line.startswith(f"{job}: ")], job
    log = tiny / "results" / "tiny" / "logs" / "evaluation" / "match" / "blueprint_vs_rule.log"
    assert "evaluation/match/" not in log.read_text()


def test_tiny__makes_a_report(tiny):
    page = (tiny / "results" / "tiny" / "report" / "index.html").read_text()
    assert len(page) > 50_000
    outside = set(re.findall(r'(?:src|href)="(https?:[^?"]*)', page))
    assert outside == {"http://127.0.0.1:8000/explore"}  # links, which load nothing
    result = json.loads((tiny / "results/tiny/blueprint/strategy_made.json").read_text())
    assert f">{result['commit']}</dd>" in page
    blueprint = read(tiny / "results" / "tiny" / "blueprint" / "strategy.zarr", "strategy")
    assert blueprint.attributes["snapshots"] == [3, 4]


def test_tiny__goes_into_snakemake_s_own_report(tiny, tmp_path):
    done = without_jobs(*folder(tiny), "--report", str(tmp_path / "out.zip"))
    assert done.returncode == 0, done.stdout + done.stderr
    with zipfile.ZipFile(tmp_path / "out.zip") as archive:
        held = {Path(name).name: name for name in archive.namelist()}
        page = tiny / "results" / "tiny" / "report" / "index.html"
        assert archive.read(held["index.html"]) == page.read_bytes()
    assert {"report.html", "matches.txt", "quality_flop.png"} <= set(held)


def test_tiny__strategy_says_who_acts_and_what_all_hands_do(tiny):
    done = forked.sixmax("strategy", "--run", str(tiny / "results" / "tiny"), "f")
    lines = done.stdout.splitlines()
    assert lines[0] == "HJ to act; UTG fold"
    assert len(lines) == 3 + 36 + 1
    shares = [float(word) for word in lines[-1].split() if word not in ("all", "%")]
    assert sum(shares) == pytest.approx(100, abs=0.2)


@pytest.mark.slow
def test_tiny__plays_against_another_run(tiny, tmp_path):
    here, out = str(tiny / "results" / "tiny"), tmp_path / "match.json"
    words = ["match", "blueprint", "rule", "--run", here, "--against", here, "--deals", "100"]
    printed(SIXMAX, *words, "--seed", "1", "--out", out)
    result = json.loads(out.read_text())
    assert (result["a"], result["b"]) == ("tiny/blueprint", "tiny/rule")
    refused = finished(SIXMAX, *words, "--seed", "1", "--out", out, "--log", tmp_path / "log")
    assert refused.returncode == 2
    assert "agents of one run" in refused.stderr


@pytest.mark.slow
def test_tiny__league_of_its_agents(tiny, tmp_path):
    """On a copy; a run that is not there is named."""
    shutil.copytree(tiny, tmp_path / "copy", symlinks=True)
    place = ["--directory", str(tmp_path / "copy")]
    config = ["--configfile", str(ROOT / "config" / "tiny.yaml"), str(tmp_path / "league.yaml")]
    text = "league: [tiny, tiny/snapshot-00001]\n"
    (tmp_path / "league.yaml").write_text(text)
    printed(*SNAKEMAKE, "league", *place, *config, "--cores", "2")
    league = tmp_path / "copy" / "results" / "league"
    assert "Two entrants" in (league / "index.html").read_text()
    one, two = json.loads((league / "table.json").read_text())["matches"]
    assert (one["a"], one["b"]) == (two["b"], two["a"]) == ("tiny/blueprint", "tiny/snapshot-00001")
    (tmp_path / "league.yaml").write_text(text.replace("tiny/snapshot-00001", "nobody"))
    done = without_jobs("league", "-n", *place, *config)
    assert done.returncode != 0
    missing = "config.league: found no results/nobody/blueprint/run.json; make that run"
    assert missing in done.stdout + done.stderr
    assert without_jobs("plan", "-n", *place, *config).returncode == 0
    done = without_jobs("league", "-n", *place, *config[:2])
    assert "config.league is empty; name two or more" in done.stdout + done.stderr


def test_tiny__again_has_nothing_to_do(tiny):
    done = without_jobs(*folder(tiny))
    assert done.returncode == 0
    assert "Nothing to be done" in done.stdout + done.stderr
    assert done.stderr.splitlines()[-1] == "report: results/tiny/report/index.html"


@pytest.mark.parametrize(
    ("option", "first"),
    [
        ("--d3dag", "{"), ("--dag", "digraph "), ("--rulegraph", "digraph "),
        ("--filegraph", "digraph "), ("--summary", "output_file\t"),
        ("--detailed-summary", "output_file\t"), ("--list-rules", ""),
    ],
)  # fmt: skip
def test_tiny__what_snakemake_prints_is_the_command_s_alone(tiny, option, first):
    """After a finished run, the page of which is told on the other stream."""
    done = without_jobs(*folder(tiny), option)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(first)
    assert "report: " not in done.stdout
    if option == "--d3dag":
        assert json.loads(done.stdout)["nodes"]


def test_tiny__another_training_under_the_same_name_is_refused(tiny):
    said = planned(tiny, own="blueprint: { iterations: 2000 }", refused=True)
    assert "was trained with blueprint.iterations = 20000, the config now says 2000" in said


def test_tiny__more_intervals_train_on_from_the_last(tiny, tmp_path):
    copy = shutil.copytree(tiny, tmp_path / "copy", symlinks=True)
    jobs = jobs_of(planned(copy, "blueprint", own="blueprint: { intervals: 5 }"))
    assert {rule: n for rule, n in jobs.items() if rule.startswith("train")} == {
        "train_snapshot": 1
    }


MISSING = [  # files that a kill or a user may have left missing, and the intervals to train for it
    (["abstraction/flop.zarr", "abstraction/quality_flop.json"], 0),
    (["blueprint/run.json", "blueprint/tree.zarr"], 0),
    (["blueprint/strategy.zarr"], 0),
    (["blueprint/history/00002.json"], 2),  # from the start: the checkpoint before it is dropped
    (["blueprint/state/00004.zarr", "blueprint/history/00004.json"], 1),
]


@pytest.mark.parametrize(("missing", "expected"), MISSING, ids=str)
def test_tiny__what_is_missing_is_made_and_training_does_not_restart(tiny, missing, expected):
    """No later checkpoint or snapshot is written over because something before it is made anew."""
    base, names = tiny / "results" / "tiny", [*missing, "report/index.html"]
    moved = [(base / name, (base / name).with_name(f"away_{Path(name).name}")) for name in names]
    for here, away in moved:
        here.rename(away)
    try:
        jobs = jobs_of(planned(tiny))
    finally:
        for here, away in moved:
            away.rename(here)
    assert jobs["page"] == 1
    assert jobs.get("train_snapshot", 0) == expected


@pytest.mark.parametrize(
    ("forced", "expected"), [(["-R", "cluster"], 0), (["-R", "train_snapshot"], 4), (["-F"], 4)]
)
def test_tiny__a_stage_forced_anew_does_not_retrain_and_training_can(tiny, forced, expected):
    jobs = jobs_of(planned(tiny, *forced))
    assert jobs["average"] == 1
    assert jobs.get("train_snapshot", 0) == expected


def test_tiny__a_foreign_checkpoint_is_refused(tiny, tmp_path):
    copy = tmp_path / "copy"
    shutil.copytree(tiny / "results" / "tiny", copy, symlinks=True)
    shutil.rmtree(copy / "blueprint" / "state" / "00004.zarr")
    path = copy / "blueprint" / "state" / "00003.zarr"
    write(path, "state", dict(read(path, "state")), run="0123456789abcdef", interval=3)
    history = str(tmp_path / "h.json")
    done = forked.sixmax(
        "stage", "train", "--run", str(copy), "--interval", "4", "--history", history
    )
    assert done.returncode == 2
    assert "belongs to run 0123456789abcdef" in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
    assert not (copy / "blueprint" / "state" / "00004.zarr").exists()


CHANGES = [  # of the config, and the stages that run anew; the rest follows from it
    ("evaluation: { deals: 1234 }", {"match"}, {"cluster", "train", "aivat"}),
    ("evaluation: { aivat_deals: 60 }", {"aivat"}, {"match", "values"}),
    ("evaluation: { search_hands: 117 }", {"gain_part"}, {"match", "duel"}),
    ("search: { tremble: 0.02 }", {"search_settings", "gain_part", "duel"}, {"match", "train"}),
    ("continuation: { bias: 4.0 }", {"compress"}, {"train", "cluster"}),
]


@pytest.mark.parametrize(("change", "anew", "kept"), CHANGES)
def test_tiny__a_change_of_the_config_reruns_what_it_concerns(tiny, change, anew, kept):
    actual = re.findall(r"^rule (\w+):", planned(tiny, own=change), re.M)
    assert anew <= set(actual)
    assert not kept & set(actual)
    if "aivat" in anew:  # all of its matches at once, not the first of them alone
        assert actual.count("aivat") == len(
            list((tiny / "results/tiny/evaluation/aivat").iterdir())
        )


def test_tiny__editing_the_report_reruns_the_page_alone(tiny, tmp_path):
    """A copy of the repository in which one sentence of the report reads otherwise."""
    working_copy(tmp_path, ("workflow", "profiles", "config", "src"))
    words = tmp_path / "src" / "sixmax" / "report" / "words.py"
    words.write_text(words.read_text() + "\nEDITED = True\n")
    place = {"cwd": tmp_path, "PYTHONPATH": str(tmp_path / "src")}
    said = printed(*SNAKEMAKE, "-n", *folder(tiny), **place)
    rules = set(re.findall(r"^rule (\w+):", said, re.M))
    assert rules - {"all", "report"} == {"page"}


NOTEBOOK = ROOT / "docs" / "gallery" / "train.ipynb"


def test_train__prints_on_a_trained_run_what_is_kept_in_the_notebook(tiny):
    actual = notebook.printed(NOTEBOOK, tiny, "train")
    expected = {k: text for k, _, tags, text in notebook.cells(NOTEBOOK) if "train" not in tags}
    assert actual == expected
    assert sum(bool(text) for text in actual.values()) >= 5


@pytest.mark.slow
def test_train__trains_by_itself_and_prints_the_same(tmp_path):
    for name in ("Snakefile", "config", "workflow", "src", "profiles", "pyproject.toml"):
        (tmp_path / name).symlink_to(ROOT / name)
    expected = {k: text for k, _, _, text in notebook.cells(NOTEBOOK)}
    assert notebook.printed(NOTEBOOK, tmp_path) == expected
    assert (tmp_path / "results" / "tiny" / "blueprint" / "strategy.zarr").is_dir()
