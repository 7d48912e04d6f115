# Matches, one job each, and their table; play before the flop, and beside Pluribus's.

from sixmax.continuation.generate import GENERATOR, GENERATORS
from sixmax.agents.registry import BASELINES
from sixmax.evaluation.match.pairings import pairings

EVALUATION = f"{RUN}/evaluation"
PAIRINGS = pairings(
    SNAPSHOTS,
    CONFIG.blueprint.rivals()[-1],
    GENERATORS[GENERATOR].names,
)
SEARCH_SETTING = CONFIG.evaluation.search_setting


wildcard_constraints:
    a=r"[a-z0-9-]+",
    b=r"[a-z0-9-]+",


rule evaluation:
    input:
        f"{EVALUATION}/matches.json",
        f"{EVALUATION}/matches.txt",
        lambda wildcards: AIVAT_FILES + BOUND_FILES + EXPERIMENT_FILES + measured(),


use rule run_rule as match with:
    input:
        unpack(of_run),
        agents=lambda wildcards: stores_of(wildcards.a, wildcards.b),
    output:
        f"{EVALUATION}/match/{{a}}_vs_{{b}}.json",
    pathvars:
        job="evaluation/match/{a}_vs_{b}",
    resources:
        mem_mb=agents_memory,
        runtime=30,
    params:
        command=command(
            "match {wildcards.a} {wildcards.b} --run {RUN} --deals {deals} --seed {seed}"
            " --out {output}",
            deals=CONFIG.evaluation.deals,
            seed=CONFIG.seed,
        ),
        code=code_digest("evaluation.match.contest"),


use rule run_rule as matches with:
    input:
        expand(f"{EVALUATION}/match/{{name}}.json", name=[p.name for p in PAIRINGS]),
    output:
        table=f"{EVALUATION}/matches.json",
        text=report(f"{EVALUATION}/matches.txt", category="Matches"),
    pathvars:
        job="evaluation/matches",
    params:
        command=command(
            "stage matches {input} --out {output.table} --text {output.text}"
        ),
        code=code_digest("evaluation.match.results"),


use rule run_rule as compare_snapshot with:
    input:
        unpack(of_run),
        snapshot=f"{BLUEPRINT}/snapshot/{{k}}.zarr",
    output:
        f"{EVALUATION}/firstin/snapshot-{{k}}.json",
    pathvars:
        job="evaluation/firstin/{k}",
    wildcard_constraints:
        k=numbers(SNAPSHOTS),
    resources:
        mem_mb=lambda wildcards, input: 2500 + megabytes(input),
        runtime=10,
    params:
        command=command(
            "compare --run {RUN} --agent snapshot-{wildcards.k} --out {output}"
        ),
        code=code_digest("evaluation.pluribus.stage"),
