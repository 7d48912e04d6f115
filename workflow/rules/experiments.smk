# The paper's two experiments.

from sixmax.evaluation.match.pairings import participants

EXPERIMENTS = CONFIG.evaluation.experiments
PARTICIPANTS = participants(
    EXPERIMENTS.participants, SNAPSHOTS, CONFIG.evaluation.early_snapshot
)
BY_AIVAT = EXPERIMENTS.aivat_deals
EXPERIMENT_FILES = expand(
    f"{EVALUATION}/experiment/{{kind}}.json", kind=["alone", "copies"]
)


rule experiments:
    input:
        EXPERIMENT_FILES,


rule experiment:
    input:
        run=rules.identity.output[0],
        tree=rules.tree.output,
        buckets=BUCKET_STORES,
        agents=[f"{RUN}/{s}" for s in stores("blueprint", *PARTICIPANTS)],
        values=rules.values.output if BY_AIVAT else [],
    output:
        f"{EVALUATION}/experiment/{{kind}}.json",
    log:
        f"{RUN}/logs/evaluation/experiment/{{kind}}.log",
    benchmark:
        f"{RUN}/benchmarks/evaluation/experiment/{{kind}}.tsv"
    wildcard_constraints:
        kind="alone|copies",
    threads: THREADS
    resources:
        mem_mb=lambda wildcards, input: (
            700
            + megabytes(input)
            + megabytes(input.agents)  # policies twice, to be safe
        ),
        runtime=60,
    params:
        folder=subpath(input.run, ancestor=2),
        participants=",".join(PARTICIPANTS),
        deals=EXPERIMENTS.deals,
        aivat=lambda wildcards, input: (
            ["--values", input.values, "--aivat-deals", BY_AIVAT] if BY_AIVAT else []
        ),
        seed=CONFIG.seed,
        code=code_digest("evaluation.experiments.stage"),
    shell:
        """
        sixmax experiment {wildcards.kind} --run {params.folder:q} \
            --participants {params.participants:q} --deals {params.deals} --seed {params.seed} \
            {params.aivat:q} --out {output:q} --threads {threads} 2>&1 | tee {log:q}
        """
