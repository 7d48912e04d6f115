# Duplicate matches, one job each; first-in play beside Pluribus's.

from sixmax.evaluation.pairings import pairings, stores

EVALUATION = f"{RUN}/evaluation"
PAIRINGS = pairings(SNAPSHOTS, CONFIG.evaluation.early_snapshot)


rule evaluation:
    input:
        f"{EVALUATION}/matches.json",
        f"{EVALUATION}/matches.txt",
        f"{EVALUATION}/firstin.json",
        lambda wildcards: EXPERIMENT_FILES,


rule match:
    input:
        run=rules.identity.output[0],
        tree=rules.tree.output,
        buckets=BUCKET_STORES,
        agents=lambda wildcards: [
            f"{RUN}/{s}" for s in stores(wildcards.a, wildcards.b)
        ],
    output:
        f"{EVALUATION}/match/{{a}}_vs_{{b}}.json",
    log:
        f"{RUN}/logs/evaluation/match/{{a}}_vs_{{b}}.log",
    benchmark:
        f"{RUN}/benchmarks/evaluation/match/{{a}}_vs_{{b}}.tsv"
    wildcard_constraints:
        a=r"[a-z0-9-]+",
        b=r"[a-z0-9-]+",
    threads: 1
    resources:
        mem_mb=lambda wildcards, input: (
            700
            + megabytes(input)
            + megabytes(input.agents)  # policies twice, to be safe
        ),
        runtime=30,
    params:
        folder=subpath(input.run, ancestor=2),
        deals=CONFIG.evaluation.deals,
        seed=CONFIG.seed,
        code=code_digest("evaluation"),
    shell:
        """
        sixmax match {wildcards.a} {wildcards.b} --run {params.folder:q} --deals {params.deals} \
            --seed {params.seed} --out {output:q} --threads {threads} 2>&1 | tee {log:q}
        """


rule matches:
    input:
        expand(f"{EVALUATION}/match/{{name}}.json", name=[p.name for p in PAIRINGS]),
    output:
        table=f"{EVALUATION}/matches.json",
        text=f"{EVALUATION}/matches.txt",
    log:
        f"{RUN}/logs/evaluation/matches.log",
    benchmark:
        f"{RUN}/benchmarks/evaluation/matches.tsv"
    threads: 1
    resources:
        mem_mb=1000,
        runtime=5,
    params:
        names=[p.name for p in PAIRINGS],
        code=code_digest("evaluation"),
    shell:
        """
        sixmax matches {input:q} --out {output.table:q} --text {output.text:q} 2>&1 | tee {log:q}
        """


rule compare:
    input:
        run=rules.identity.output[0],
        tree=rules.tree.output,
        buckets=BUCKET_STORES,
        blueprint=rules.average.output,
    output:
        f"{EVALUATION}/firstin.json",
    log:
        f"{RUN}/logs/evaluation/compare.log",
    benchmark:
        f"{RUN}/benchmarks/evaluation/compare.tsv"
    threads: 1
    resources:
        mem_mb=int(CONFIG.machine.memory_gb * 1000 / 4),
        runtime=10,
    params:
        folder=subpath(input.run, ancestor=2),
        code=code_digest("evaluation"),
    shell:
        """
        sixmax compare --run {params.folder:q} --out {output:q} 2>&1 | tee {log:q}
        """


rule compare_snapshot:
    input:
        run=rules.identity.output[0],
        tree=rules.tree.output,
        buckets=BUCKET_STORES,
        snapshot=f"{BLUEPRINT}/snapshot/{{k}}.zarr",
    output:
        f"{EVALUATION}/firstin/snapshot-{{k}}.json",
    log:
        f"{RUN}/logs/evaluation/firstin/{{k}}.log",
    benchmark:
        f"{RUN}/benchmarks/evaluation/firstin/{{k}}.tsv"
    wildcard_constraints:
        k=numbers(SNAPSHOTS),
    threads: 1
    resources:
        mem_mb=int(CONFIG.machine.memory_gb * 1000 / 4),
        runtime=10,
    params:
        folder=subpath(input.run, ancestor=2),
        code=code_digest("evaluation"),
    shell:
        """
        sixmax compare --run {params.folder:q} --agent snapshot-{wildcards.k} --out {output:q} \
            2>&1 | tee {log:q}
        """
