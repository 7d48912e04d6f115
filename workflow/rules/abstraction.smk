# Features of every hand, shared by all runs on a deck; the buckets of a run and how good they are.

ABSTRACTION = f"{RUN}/abstraction"
LATER_ROUNDS = ["flop", "turn", "river"]
# The name holds all that the features depend on: runs that agree in it share them.
FEATURE_KIND = (
    f"bins{CONFIG.abstraction.bins}_clusters{CONFIG.abstraction.ochs_clusters}"
)
FEATURES = f"{DECK}/features/{FEATURE_KIND}"


rule abstraction:
    input:
        expand(f"{ABSTRACTION}/{{round}}.zarr", round=["preflop", *LATER_ROUNDS]),
        expand(
            f"{ABSTRACTION}/quality_{{round}}.json", round=["preflop", *LATER_ROUNDS]
        ),
        expand(f"{ABSTRACTION}/quality_{{round}}.png", round=["preflop", *LATER_ROUNDS]),


rule features:
    output:
        preflop=directory(f"{FEATURES}/preflop.zarr"),
        flop=directory(f"{FEATURES}/flop.zarr"),
        turn=directory(f"{FEATURES}/turn.zarr"),
        river=directory(f"{FEATURES}/river.zarr"),
    log:
        f"{DECK}/logs/features/{FEATURE_KIND}.log",
    benchmark:
        f"{DECK}/benchmarks/features/{FEATURE_KIND}.tsv"
    threads: THREADS
    resources:
        mem_mb=4000,
        runtime=30,
    params:
        folder=subpath(output.preflop, parent=True),
        ranks=CONFIG.deck.ranks,
        bins=CONFIG.abstraction.bins,
        clusters=CONFIG.abstraction.ochs_clusters,
        code=code_digest("abstraction.features"),
    shell:
        """
        sixmax features --ranks {params.ranks} --bins {params.bins} \
            --clusters {params.clusters} --out {params.folder:q} --threads {threads} \
            2>&1 | tee {log:q}
        """


rule cluster:
    input:
        f"{FEATURES}/{{round}}.zarr",
    output:
        directory(f"{ABSTRACTION}/{{round}}.zarr"),
    log:
        f"{RUN}/logs/abstraction/cluster_{{round}}.log",
    benchmark:
        f"{RUN}/benchmarks/abstraction/cluster_{{round}}.tsv"
    wildcard_constraints:
        round="|".join(LATER_ROUNDS),
    priority: 1  # the training waits for it; reports of quality fill gaps
    threads: THREADS
    resources:
        mem_mb=lambda wildcards: 4000 if wildcards.round == "river" else 2000,
        runtime=60,
    params:
        folder=subpath(input[0], parent=True),
        ranks=CONFIG.deck.ranks,
        buckets=lambda wildcards: getattr(CONFIG.abstraction.buckets, wildcards.round),
        sample=lambda wildcards: getattr(CONFIG.abstraction.sample, wildcards.round),
        restarts=CONFIG.abstraction.restarts,
        max_iterations=CONFIG.abstraction.max_iterations,
        seed=CONFIG.seed,
        code=code_digest("abstraction.buckets"),
    shell:
        """
        sixmax cluster {wildcards.round} --features {params.folder:q} --out {output:q} \
            --ranks {params.ranks} --buckets {params.buckets} --sample {params.sample} \
            --restarts {params.restarts} --max-iterations {params.max_iterations} \
            --seed {params.seed} --threads {threads} 2>&1 | tee {log:q}
        """


rule preflop:
    input:
        f"{FEATURES}/preflop.zarr",
    output:
        directory(f"{ABSTRACTION}/preflop.zarr"),
    log:
        f"{RUN}/logs/abstraction/cluster_preflop.log",
    benchmark:
        f"{RUN}/benchmarks/abstraction/cluster_preflop.tsv"
    threads: 1
    resources:
        mem_mb=500,
        runtime=5,
    params:
        folder=subpath(input[0], parent=True),
        ranks=CONFIG.deck.ranks,
        code=code_digest("abstraction.buckets"),
    shell:
        """
        sixmax cluster preflop --features {params.folder:q} --out {output:q} \
            --ranks {params.ranks} 2>&1 | tee {log:q}
        """


rule quality:
    input:
        features=f"{FEATURES}/{{round}}.zarr",
        buckets=f"{ABSTRACTION}/{{round}}.zarr",
    output:
        json=f"{ABSTRACTION}/quality_{{round}}.json",
        picture=f"{ABSTRACTION}/quality_{{round}}.png",
    log:
        f"{RUN}/logs/abstraction/quality_{{round}}.log",
    benchmark:
        f"{RUN}/benchmarks/abstraction/quality_{{round}}.tsv"
    wildcard_constraints:
        round="|".join(["preflop", *LATER_ROUNDS]),
    threads: max(1, THREADS // 2)  # drawing and scikit-learn use one
    resources:
        mem_mb=lambda wildcards: 4500 if wildcards.round == "river" else 2000,
        runtime=60,
    params:
        folder=subpath(input.features, parent=True),
        ranks=CONFIG.deck.ranks,
        scored=CONFIG.abstraction.quality_sample,
        sample=lambda wildcards: getattr(CONFIG.abstraction.sample, wildcards.round, 1),
        restarts=CONFIG.abstraction.restarts,
        max_iterations=CONFIG.abstraction.max_iterations,
        seed=CONFIG.seed,
        code=code_digest("abstraction.quality"),
    shell:
        """
        sixmax quality {wildcards.round} --features {params.folder:q} \
            --buckets {input.buckets:q} --json {output.json:q} --picture {output.picture:q} \
            --ranks {params.ranks} --scored {params.scored} --sample {params.sample} \
            --restarts {params.restarts} --max-iterations {params.max_iterations} \
            --seed {params.seed} --threads {threads} 2>&1 | tee {log:q}
        """
