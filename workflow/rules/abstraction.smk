# Features of every hand, shared by all runs on a deck; the buckets of a run and how good they are.

from sixmax.abstraction.config import MAX_ITERATIONS, OCHS_CLUSTERS, RESTARTS

ABSTRACTION = f"{RUN}/abstraction"
LATER_ROUNDS = ["flop", "turn", "river"]
# The name holds all that the features depend on: runs that agree in it share them.
FEATURE_KIND = f"bins{CONFIG.abstraction.bins}_clusters{OCHS_CLUSTERS}"
FEATURES = f"{DECK}/features/{FEATURE_KIND}"
# Options that clustering and its quality share.
CLUSTERING = (
    f"--ranks {CONFIG.deck.ranks} --sample {{sample}}"
    f" --restarts {RESTARTS} --max-iterations {MAX_ITERATIONS} --seed {CONFIG.seed}"
)


rule abstraction:
    input:
        expand(f"{ABSTRACTION}/{{round}}.zarr", round=["preflop", *LATER_ROUNDS]),
        expand(
            f"{ABSTRACTION}/quality_{{round}}.json", round=["preflop", *LATER_ROUNDS]
        ),
        expand(f"{ABSTRACTION}/quality_{{round}}.png", round=["preflop", *LATER_ROUNDS]),


use rule run_rule as features with:
    output:
        preflop=directory(f"{FEATURES}/preflop.zarr"),
        flop=directory(f"{FEATURES}/flop.zarr"),
        turn=directory(f"{FEATURES}/turn.zarr"),
        river=directory(f"{FEATURES}/river.zarr"),
    pathvars:
        logs=f"{DECK}/logs",
        benchmarks=f"{DECK}/benchmarks",
        job=f"features/{FEATURE_KIND}",
    threads: THREADS
    resources:
        mem_mb=4000,
        runtime=30,
    params:
        command=command(
            "stage features --ranks {ranks} --bins {bins} --clusters {clusters} --out {FEATURES}",
            ranks=CONFIG.deck.ranks,
            bins=CONFIG.abstraction.bins,
            clusters=OCHS_CLUSTERS,
        ),
        code=code_digest("abstraction.features"),


use rule run_rule as cluster with:
    input:
        f"{FEATURES}/{{round}}.zarr",
    output:
        directory(f"{ABSTRACTION}/{{round}}.zarr"),
    pathvars:
        job="abstraction/cluster_{round}",
    wildcard_constraints:
        round="|".join(LATER_ROUNDS),
    priority: 1  # the training waits for it; reports of quality fill gaps
    threads: THREADS
    resources:
        mem_mb=lambda wildcards: 4000 if wildcards.round == "river" else 2000,
        runtime=60,
    params:
        command=command(
            "stage cluster {wildcards.round} --features {FEATURES} --out {output}"
            f" {CLUSTERING} --buckets {{buckets}}",
            buckets=lambda wildcards: getattr(
                CONFIG.abstraction.buckets, wildcards.round
            ),
            sample=sample_of,
        ),
        code=code_digest("abstraction.buckets"),


use rule run_rule as preflop with:
    input:
        f"{FEATURES}/preflop.zarr",
    output:
        directory(f"{ABSTRACTION}/preflop.zarr"),
    pathvars:
        job="abstraction/cluster_preflop",
    priority: 2
    threads: THREADS  # a second, before the training: a report beside it would delay that
    params:
        command=command(
            "stage cluster preflop --features {FEATURES} --out {output} --ranks {ranks}",
            ranks=CONFIG.deck.ranks,
        ),
        code=code_digest("abstraction.buckets"),


use rule run_rule as quality with:
    input:
        features=f"{FEATURES}/{{round}}.zarr",
        buckets=f"{ABSTRACTION}/{{round}}.zarr",
    output:
        json=f"{ABSTRACTION}/quality_{{round}}.json",
        picture=report(f"{ABSTRACTION}/quality_{{round}}.png", category="Buckets"),
    pathvars:
        job="abstraction/quality_{round}",
    wildcard_constraints:
        round="|".join(["preflop", *LATER_ROUNDS]),
    threads: HALF  # drawing and scikit-learn use one
    resources:
        mem_mb=lambda wildcards: 4500 if wildcards.round == "river" else 2000,
        runtime=60,
    params:
        command=command(
            "stage quality {wildcards.round} --features {FEATURES} --buckets {input.buckets}"
            " --json {output.json} --picture {output.picture}"
            f" {CLUSTERING} --scored {{scored}}",
            scored=CONFIG.abstraction.scored,
            sample=sample_of,
        ),
        code=code_digest("abstraction.quality"),
