"""The workflow as a user runs it: targets, mistakes in a config, style, two at once."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from workflow import forked
from workflow.forked import folder, without_jobs

ROOT = Path(__file__).parents[2]
STAGES = ["plan", "abstraction", "blueprint", "continuation", "search", "evaluation", "report"]


def test_targets__can_be_planned(tmp_path):
    done = without_jobs(*STAGES, "validate", "libratus", "modicum", "-n", *folder(tmp_path))
    assert done.returncode == 0, done.stderr
    for target in [*STAGES, "validate", "libratus", "modicum"]:
        assert f"rule {target}:" in done.stdout
    done = without_jobs("improve", "-n", *folder(tmp_path, "libratus"))
    assert done.returncode == 0, done.stderr
    assert "rule improve:" in done.stdout


def test_leaf_function__without_states_is_refused(tmp_path):
    done = without_jobs("leaf_function", "-n", *folder(tmp_path))
    assert done.returncode != 0
    assert "found leaf_function.states 0, wanted" in done.stdout + done.stderr
    (tmp_path / "own.yaml").write_text("leaf_function: { states: 200000 }\n")
    done = without_jobs("leaf_function", "-n", *folder(tmp_path), str(tmp_path / "own.yaml"))
    assert done.returncode == 0, done.stderr
    assert "rule fit_leaf_function:" in done.stdout


def test_presets__all_have_a_workflow(tmp_path):
    """Other tests plan the others: overnight and libratus are in the README."""
    done = without_jobs("-n", *folder(tmp_path, "pluribus"))
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(("deals", "present"), [(0, False), (60, True)])
def test_pack__takes_values_of_aivat_where_the_run_has_them(tmp_path, deals, present):
    (tmp_path / "own.yaml").write_text(f"evaluation: {{ aivat_deals: {deals} }}\n")
    done = without_jobs("pack", "-n", *folder(tmp_path), str(tmp_path / "own.yaml"))
    assert done.returncode == 0, done.stderr
    assert ("rule values:" in done.stdout) == present


def test_node_values__are_made_for_the_rounds_that_are_asked_for(tmp_path):
    (tmp_path / "own.yaml").write_text("blueprint: { values: [turn, river] }\n")
    two = [*folder(tmp_path, "hunl"), str(tmp_path / "own.yaml")]
    done = without_jobs("blueprint", "-np", *two)
    assert done.returncode == 0, done.stderr
    for name in ("turn", "river"):
        assert f"node-values --run results/hunl --round {name} --boards 1000" in done.stdout


@pytest.mark.parametrize("hands", [0, 7])
def test_pluribus__search_is_asked_for_and_what_it_needs_is_made(tmp_path, hands):
    settings = f"evaluation: {{ pluribus_hands: logs, pluribus_search_hands: {hands} }}\n"
    (tmp_path / "own.yaml").write_text(settings)
    own = ["--directory", str(tmp_path), "--configfile", str(tmp_path / "own.yaml")]
    done = without_jobs("-np", "results/default/evaluation/pluribus.json", *own)
    assert done.returncode == 0, done.stderr
    assert f"--searched {hands} " in done.stdout
    assert ("rule compress:" in done.stdout) is (hands > 0)


def test_gain__of_default_is_measured_on_its_flops(tmp_path):
    target = "results/default/evaluation/search/gain/000000.json"
    done = without_jobs("-np", target, "--directory", str(tmp_path))
    assert done.returncode == 0, done.stderr
    assert re.search(r"sixmax gain .* --flops 8 ", done.stdout)


def test_gain__in_several_ways_has_jobs_of_fewer_hands(tmp_path):
    target = "results/modicum-200bb/evaluation/search/gain.json"
    done = without_jobs("-np", target, *folder(tmp_path, "modicum"))
    assert done.returncode == 0, done.stderr
    job = r"sixmax gain --hands 4 .* --branches 2 2 6 --begin (\d+) "
    assert sorted(int(begin) for begin in re.findall(job, done.stdout)) == list(range(0, 40, 4))


ON_FLOPS = "search: { flops: 8 }\n"
FULL = "search: { flops: 3 }\nevaluation: { search_setting: full }\n"


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        (ON_FLOPS, {"gain_part": 8, "duel": 0}),  # the fast duel takes the blueprint's buckets
        (FULL, {"gain_part": 3, "duel": 3}),
        (FULL.replace("full", "fast"), {"gain_part": 0, "duel": 0}),
        (FULL.replace("3", "none"), {"gain_part": 0, "duel": 0}),
    ],
)
def test_search__waits_for_the_flops_whose_buckets_it_would_make(tmp_path, settings, expected):
    (tmp_path / "own.yaml").write_text(settings)
    own = ["--directory", str(tmp_path), "--configfile", str(tmp_path / "own.yaml")]
    targets = [f"results/default/evaluation/search/{name}.json" for name in ("gain/000000", "duel")]
    done = without_jobs("-np", *targets, *own)
    assert done.returncode == 0, done.stderr
    jobs = dict(re.findall(r"^rule (gain_part|duel):\n    input: (.*)$", done.stdout, re.M))
    flops = {rule: len(re.findall(r"search/flop/\d{4}\.zarr", job)) for rule, job in jobs.items()}
    assert flops == expected


def test_self_generated__without_values_is_refused_and_search_waits_for_them(tmp_path):
    done = without_jobs("self_generated", "-n", *folder(tmp_path))
    assert done.returncode == 1
    assert "found self_generated.values 0, wanted" in done.stdout + done.stderr
    (tmp_path / "own.yaml").write_text(
        "self_generated: { values: 10 }\nsearch: { player: modicum, first: 0 }\n"
    )
    own = [*folder(tmp_path, "hunl"), str(tmp_path / "own.yaml")]
    done = without_jobs("-np", "results/hunl/evaluation/search/duel.json", *own)
    assert done.returncode == 0, done.stderr
    job = re.search(r"^rule duel:\n    input: (.*)$", done.stdout, re.M)[1]
    assert "self_generated/values.zarr" in job
    assert "rule generate_values:" in done.stdout


def test_search__waits_for_the_strategy_and_the_network_that_it_plays(tmp_path):
    (tmp_path / "own.yaml").write_text(
        "search: { blueprint: snapshot-00006, player: pluribus-learned }\n"
        "leaf_function: { states: 2000 }\n"
        "evaluation: { lbr_search: { fcpa: 2 }, aivat_deals: 0 }\n"
    )
    own = [*folder(tmp_path, "hunl"), str(tmp_path / "own.yaml")]
    names = ("search/gain/000000", "search/duel", "lbr_search/fcpa/000000")
    targets = [f"results/hunl/evaluation/{name}.json" for name in names]
    done = without_jobs("-np", *targets, *own)
    assert done.returncode == 0, done.stderr
    jobs = re.findall(r"^rule (?:gain_part|duel|lbr_part):\n    input: (.*)$", done.stdout, re.M)
    assert len(jobs) == 3
    for job in jobs:
        assert "blueprint/snapshot/00006.zarr" in job
        assert "leaf_function/network.zarr" in job


MISTAKES = [
    ("run: tiny\nblueprnt: {intervals: 3}\n", "config.blueprnt: unknown key; did you mean"),
    ("blueprint: {intervals: 0}\n", "config.blueprint.intervals: found 0, wanted"),
    ("machine: {memory_gb: none}\n", "config.machine.memory_gb: found 'none', wanted"),
    ("run: tiny\nseed: 3\nseed: 9\n", "mine.yaml, line 3: the key 'seed' a second time, first in"),
    ("blueprint: {scale: 1}\nblueprint: {}\n", "mine.yaml, line 2: the key 'blueprint' a second"),
    ('{"blueprint": {"scale": 1,\n "scale": 2}}\n', "mine.yaml, line 2: the key 'scale' a second"),
    ("search: {buckets: 0}\n", "config: search.flops: found 8 with search.buckets 0"),
    ("search: {nested: resolve}\n", "config.search.nested: no key any more; now search.player"),
]


@pytest.mark.parametrize(("text", "expected"), MISTAKES)
def test_mistake_in_config__stops_before_any_job_with_one_line(tmp_path, text, expected):
    (tmp_path / "mine.yaml").write_text(text)
    done = without_jobs("--directory", str(tmp_path), "--configfile", str(tmp_path / "mine.yaml"))
    assert done.returncode != 0
    shown = done.stdout + done.stderr
    assert expected in shown
    assert "Traceback" not in shown
    assert not (tmp_path / "results").exists()


def test_config__begins_with_a_mark_or_has_the_tabs_of_json(tmp_path):
    """Snakemake reads both, and so do we."""
    for text in ("\ufeffrun: mine\nseed: 5\n", '{\n\t"run": "mine",\n\t"seed": 5\n}\n'):
        (tmp_path / "mine.yaml").write_text(text, encoding="utf-8")
        own = ["--directory", str(tmp_path), "--configfile", str(tmp_path / "mine.yaml")]
        done = without_jobs("plan", "-np", *own)
        assert done.returncode == 0, done.stderr
        assert "results/mine/plan/plan.txt" in done.stdout


def test_config__numbers_within_braces_on_the_command_line_are_numbers(tmp_path):
    """Snakemake leaves them texts."""
    place = ["--directory", str(tmp_path)]
    words = ["seed=7", "blueprint={intervals: 5, scale: .5}", "search={flops: 3}"]
    done = without_jobs("plan", "-np", *place, "--config", *words)
    assert done.returncode == 0, done.stdout + done.stderr
    for expected in ('"seed": 7', '"intervals": 5', '"scale": 0.5', '"flops": 3'):
        assert expected in done.stdout or expected.replace(": ", ":") in done.stdout, expected
    done = without_jobs("plan", "-n", *place, "--config", "blueprint={intervals: five}")
    assert "config.blueprint.intervals: found 'five', wanted" in done.stdout + done.stderr


def test_too_little_memory__is_said_before_the_tree_is_built(tmp_path):
    (tmp_path / "mine.yaml").write_text(
        (ROOT / "config" / "tiny.yaml").read_text() + "machine: {memory_gb: 0.001}\n"
    )
    target = "results/tiny/blueprint/tree.zarr"
    options = ["--directory", str(tmp_path), "--configfile", str(tmp_path / "mine.yaml")]
    done = without_jobs(target, *options)
    assert done.returncode != 0
    shown = done.stdout + done.stderr
    assert "machine.memory_gb allows 0.001" in shown
    assert "Traceback" not in shown
    assert not (tmp_path / target).exists()


def test_rules__have_log_benchmark_threads_and_resources(tmp_path):
    """Written out, or taken from `run_rule`; every job of a run and of the validation has them."""
    text = "\n".join(p.read_text() for p in (ROOT / "workflow" / "rules").rglob("*.smk"))
    rules = re.findall(r"^(?:use )?rule ([^\n:]+):\n(.*?)(?=^\S|\Z)", text, re.M | re.S)
    wanted = ("log:", "benchmark:", "threads:", "resources:", "params:")
    written = {name: body for name, body in rules if "shell:" in body}
    derived = {name: body for name, body in rules if name.startswith("run_rule as")}
    assert len(written) > 5
    assert len(derived) > 20
    for name, body in written.items():
        assert [w for w in wanted if f"    {w}" not in body] == [], name
    for name, body in derived.items():
        assert re.search(r"^        job=", body, re.M), name
        assert "command=command(" in body, name
        assert "code=code_digest(" in body, name
    for target in ("all", "validate"):
        done = without_jobs(target, "-nF", *folder(tmp_path))
        jobs = re.findall(r"^rule (\w+):\n((?:    .*\n)+)", done.stdout, re.M)
        assert len(jobs) > 30
        for name, said in jobs:
            parts = dict(re.findall(r"^    (\w+): (.*)", said, re.M))
            assert {"log", "benchmark"} <= set(parts) or "output" not in parts, name
            assert "output" not in parts or re.search("runtime=.*mem_mb=", parts["resources"]), name


def test_plan__prints_rows_memory_disk_and_time_of_every_stage():
    done = forked.sixmax("plan", "config/default.yaml", "config/tiny.yaml")
    assert done.returncode == 0, done.stderr
    for word in ("features", "cluster flop", "tree", "blueprint", "evaluation", "memory", "all"):
        assert word in done.stdout


@pytest.mark.slow
def test_folder_with_a_space__is_no_obstacle(tmp_path):
    place = tmp_path / "a b"
    place.mkdir()
    (place / "venv").symlink_to(sys.prefix)
    python = place / "venv" / "bin" / "python"
    words = [python, "-m", "snakemake", "plan", *folder(place)]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    bound = r"Provided resources: mem_mb=\D*16000\b"  # machine.memory_gb, for all jobs together
    assert re.search(bound, done.stdout + done.stderr)
    assert (place / "results" / "tiny" / "plan" / "plan.json").exists()


def test_features__are_not_made_anew_while_another_run_uses_them(tmp_path):
    from sixmax.base import run_lock

    features = tmp_path / "results" / "shared" / "deck24" / "features" / "bins20_clusters8"
    run_lock.use(features / ".lock", alone=False)
    done = without_jobs("abstraction", *folder(tmp_path))
    assert done.returncode != 0
    shown = done.stdout + done.stderr
    assert "another snakemake uses this folder" in shown
    assert "Traceback" not in shown
    assert not (features / "preflop.zarr").exists()


def test_two_at_once__the_second_is_refused(tmp_path):
    from sixmax.base import run_lock

    run_lock.hold(tmp_path / "results" / "tiny" / ".lock")
    done = without_jobs("plan", *folder(tmp_path))
    assert done.returncode != 0
    shown = done.stdout + done.stderr
    assert f"another snakemake (process {os.getpid()}) is working on this run" in shown
    assert "Traceback" not in shown
