"""The workflow as a user runs it: targets, mistakes in a config, style, two at once."""

import os
import re
import sys

import pytest

from processes import ROOT, finished
from sixmax import cli
from sixmax.base import locks
from workflow.forked import folder, planned, without_jobs

GAIN = "results/default/evaluation/search/gain/{}.json"
STAGES = ["plan", "abstraction", "blueprint", "continuation", "search", "evaluation", "report"]


def test_targets__can_be_planned(tmp_path):
    targets = [*STAGES, "validate", "libratus", "modicum"]
    said = planned(tmp_path, *targets)
    for target in targets:
        assert f"rule {target}:" in said
    assert "rule improve:" in planned(tmp_path, "improve", preset="libratus")


def test_presets__all_have_a_workflow(tmp_path):
    """Other tests plan the others: overnight and libratus are in the README."""
    assert "rule all:" in planned(tmp_path, preset="pluribus")


@pytest.mark.parametrize(
    ("target", "own", "refusal", "rule"),
    [
        (
            "leaf_function", "leaf_function: { states: 200000 }",
            "found leaf_function.states 0, wanted", "fit_leaf_function",
        ),
        (
            "self_generated", "self_generated: { values: 10 }",
            "found self_generated.values 0, wanted", "generate_values",
        ),
    ],
)  # fmt: skip
def test_target__of_a_part_that_is_not_asked_for_is_refused(tmp_path, target, own, refusal, rule):
    assert refusal in planned(tmp_path, target, refused=True)
    assert f"rule {rule}:" in planned(tmp_path, target, preset="hunl", own=own)


@pytest.mark.parametrize(("deals", "present"), [(0, False), (60, True)])
def test_pack__takes_values_of_aivat_where_the_run_has_them(tmp_path, deals, present):
    said = planned(tmp_path, "pack", own=f"evaluation: {{ aivat_deals: {deals} }}")
    assert ("rule values:" in said) == present


@pytest.mark.parametrize(
    ("preset", "own", "target", "expected"),
    [
        (
            "hunl", "blueprint: { values: [turn, river] }", "blueprint",
            [f"--run results/hunl --round {name} --boards 1000" for name in ("turn", "river")],
        ),
        ("", None, GAIN.format("000000"), ["sixmax gain (?!.* --flops)"]),
        ("", "evaluation: { search_setting: full }", GAIN.format("000000"), ["gain .* --flops 8 "]),
        (
            "modicum", None, "results/modicum-200bb/evaluation/search/gain.json",
            [f"sixmax gain --hands 4 .* --branches 2 2 6 --begin {n} " for n in range(0, 40, 4)],
        ),
    ],
)  # fmt: skip
def test_jobs__are_those_that_the_config_asks_for(tmp_path, preset, own, target, expected):
    said = planned(tmp_path, target, preset=preset, own=own)
    assert [len(re.findall(words, said)) for words in expected] == [1] * len(expected)
    if preset == "modicum":  # in several ways, so in jobs of fewer hands
        assert said.count("--begin ") == len(expected)


@pytest.mark.parametrize("hands", [0, 7])
def test_pluribus__search_is_asked_for_and_what_it_needs_is_made(tmp_path, hands):
    own = f"evaluation: {{ pluribus_hands: logs, pluribus_search_hands: {hands} }}"
    said = planned(tmp_path, "results/default/evaluation/pluribus.json", preset="", own=own)
    assert f"--searched {hands} " in said
    assert ("rule compress:" in said) is (hands > 0)


FULL = "search: { flops: 3 }\nevaluation: { search_setting: full }\n"


def inputs_of(said, *rules):
    """The inputs of each job of ``rules``, as they are said."""
    return re.findall(rf"^rule ({'|'.join(rules)}):\n    input: (.*)$", said, re.M)


@pytest.mark.parametrize(
    ("own", "expected"),
    [
        ("search: { flops: 8 }\n", {"gain_part": 0, "duel": 0}),  # fast: the blueprint's buckets
        (FULL, {"gain_part": 3, "duel": 3}),
        (FULL.replace("full", "fast"), {"gain_part": 0, "duel": 0}),
        (FULL.replace("3", "none"), {"gain_part": 0, "duel": 0}),
    ],
)
def test_search__waits_for_the_flops_whose_buckets_it_would_make(tmp_path, own, expected):
    targets = [f"results/default/evaluation/search/{name}.json" for name in ("gain/000000", "duel")]
    jobs = inputs_of(planned(tmp_path, *targets, preset="", own=own), "gain_part", "duel")
    flops = {rule: len(re.findall(r"search/flop/\d{4}\.zarr", job)) for rule, job in jobs}
    assert flops == expected


@pytest.mark.parametrize(
    ("names", "own", "waited"),
    [
        (
            ["search/duel"],
            "self_generated: { values: 10 }\nsearch: { player: modicum, first: 0 }\n",
            ["self_generated/values.zarr"],
        ),
        (
            ["search/gain/000000", "search/duel", "lbr_search/fcpa/000000"],
            "search: { blueprint: snapshot-00006, player: pluribus-learned }\n"
            "leaf_function: { states: 2000 }\n"
            "evaluation: { lbr_search: { fcpa: 2 }, aivat_deals: 0 }\n",
            ["blueprint/snapshot/00006.zarr", "leaf_function/network.zarr"],
        ),
    ],
)
def test_search__waits_for_the_values_strategy_and_network_that_it_plays(
    tmp_path, names, own, waited
):
    targets = [f"results/hunl/evaluation/{name}.json" for name in names]
    said = planned(tmp_path, *targets, preset="hunl", own=own)
    jobs = inputs_of(said, "gain_part", "duel", "lbr_part")
    assert len(jobs) == len(names)
    for _, job in jobs:
        assert [file for file in waited if file not in job] == []


MISTAKES = [
    ("run: tiny\nblueprnt: {intervals: 3}\n", "config.blueprnt: unknown key; did you mean"),
    ("machine: {memory_gb: none}\n", "config.machine.memory_gb: found 'none', wanted"),
    ("run: tiny\nseed: 3\nseed: 9\n", "own.yaml, line 3: the key 'seed' a second time, first in"),
    ("blueprint: {scale: 1}\nblueprint: {}\n", "own.yaml, line 2: the key 'blueprint' a second"),
    ('{"blueprint": {"scale": 1,\n "scale": 2}}\n', "own.yaml, line 2: the key 'scale' a second"),
    ("search: {nested: resolve}\n", "config.search.nested: no key any more; now search.player"),
]


@pytest.mark.parametrize(("text", "expected"), MISTAKES)
def test_mistake_in_config__stops_before_any_job_with_one_line(tmp_path, text, expected):
    assert expected in planned(tmp_path, preset="", own=text, refused=True, dry=False)
    assert not (tmp_path / "results").exists()


@pytest.mark.parametrize(
    "text", ["\ufeffrun: mine\nseed: 5\n", '{\n\t"run": "mine",\n\t"seed": 5\n}\n']
)
def test_config__begins_with_a_mark_or_has_the_tabs_of_json(tmp_path, text):
    """Snakemake reads both, and so do we."""
    assert "results/mine/plan/plan.txt" in planned(tmp_path, "plan", preset="", own=text)


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
    target, own = "results/tiny/blueprint/tree.zarr", "machine: {memory_gb: 0.001}"
    said = planned(tmp_path, target, own=own, refused=True, dry=False)
    assert "machine.memory_gb allows 0.001" in said
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


# Commands by whose module more would be repeated; that of the digest makes all of their result.
ELSEWHERE = {
    "match": "evaluation.match.contest",
    "tree": "betting.tree_build",
    "lbr": "evaluation.exploitability.lbr",
    "pool": "",  # that of the measurement
}


def test_rules__go_by_the_code_of_their_command():
    text = "\n".join(p.read_text() for p in (ROOT / "workflow" / "rules").rglob("*.smk"))
    rules = re.findall(r"^(?:use )?rule ([^\n:]+):\n(.*?)(?=^\S|\Z)", text, re.M | re.S)
    seen = set()
    for name, body in rules:
        if of := re.search(r'command=command\(\s*"(?:stage )?([\w-]+)', body):
            modules = re.findall(r'code_digest\("([\w.]+)"\)', body)
            wanted = (cli.COMMANDS | cli.STAGES)[of[1]].partition(":")[0]
            kept = ELSEWHERE.get(of[1], wanted)
            assert not kept or {kept, wanted} & set(modules), name
            seen.add(of[1])
    assert len(seen) > 20


def test_matches__are_made_by_the_module_of_their_digest():
    """The module of the command chose the seed and wrote the record, and its code did not count."""
    text = (ROOT / "src" / "sixmax" / "evaluation" / "match" / "stage.py").read_text()
    assert "sixmax.base.rng" not in text
    assert "sixmax.store" not in text


@pytest.mark.slow
def test_folder_with_a_space__is_no_obstacle(tmp_path):
    place = tmp_path / "a b"
    place.mkdir()
    (place / "venv").symlink_to(sys.prefix)
    python = place / "venv" / "bin" / "python"
    done = finished(python, "-m", "snakemake", "plan", *folder(place))
    assert done.returncode == 0, done.stderr
    bound = r"Provided resources: mem_mb=\D*16000\b"  # machine.memory_gb, for all jobs together
    assert re.search(bound, done.stdout + done.stderr)
    assert (place / "results" / "tiny" / "plan" / "plan.json").exists()


def test_features__are_not_made_anew_while_another_run_uses_them(tmp_path):
    features = tmp_path / "results" / "shared" / "deck24" / "features" / "bins20_clusters8"
    locks.use(features / ".lock", alone=False)
    said = planned(tmp_path, "abstraction", refused=True, dry=False)
    assert "another snakemake uses this folder" in said
    assert not (features / "preflop.zarr").exists()


def test_two_at_once__the_second_is_refused(tmp_path):
    locks.hold(tmp_path / "results" / "tiny" / ".lock")
    said = planned(tmp_path, "plan", refused=True, dry=False)
    assert f"another snakemake (process {os.getpid()}) is working on this run" in said
