# The paper's two experiments, and search alone against copies of its blueprint.

from sixmax.evaluation.pairings import participants

EXPERIMENTS = CONFIG.evaluation.experiments
PARTICIPANTS = participants(
    EXPERIMENTS.participants, SNAPSHOTS, CONFIG.evaluation.early_snapshot
)
EXPERIMENT_FILES = expand(
    f"{EVALUATION}/experiment/{{kind}}.json", kind=["alone", "copies"]
) + ([f"{EVALUATION}/experiment/search.json"] if EXPERIMENTS.search_deals else [])


def by_aivat(wildcards):
    """AIVAT scores one agent among copies of another."""
    return wildcards.kind == "copies" and EXPERIMENTS.aivat_deals > 0


rule experiments:
    input:
        EXPERIMENT_FILES,


rule experiment:
    input:
        run=rules.identity.output[0],
        tree=rules.tree.output,
        buckets=BUCKET_STORES,
        agents=[f"{RUN}/{s}" for s in stores("blueprint", *PARTICIPANTS)],
        values=lambda wildcards: rules.values.output if by_aivat(wildcards) else [],
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
            ["--values", input.values, "--aivat-deals", EXPERIMENTS.aivat_deals]
            if by_aivat(wildcards)
            else []
        ),
        seed=CONFIG.seed,
        code=code_digest("evaluation"),
    shell:
        """
        sixmax experiment {wildcards.kind} --run {params.folder:q} \
            --participants {params.participants:q} --deals {params.deals} --seed {params.seed} \
            {params.aivat:q} --out {output:q} --threads {threads} 2>&1 | tee {log:q}
        """


rule experiment_search:
    input:
        run=rules.identity.output[0],
        tree=rules.tree.output,
        buckets=BUCKET_STORES,
        blueprint=rules.average.output,
        continuation=rules.compress.output[0],
    output:
        f"{EVALUATION}/experiment/search.json",
    log:
        f"{RUN}/logs/evaluation/experiment/search.log",
    benchmark:
        f"{RUN}/benchmarks/evaluation/experiment/search.tsv"
    threads: THREADS
    resources:
        mem_mb=int(CONFIG.machine.memory_gb * 1000 / 2),
        runtime=60 + EXPERIMENTS.search_deals,
    params:
        folder=subpath(input.run, ancestor=2),
        deals=EXPERIMENTS.search_deals,
        seed=CONFIG.seed,
        search=as_json(CONFIG.search),
        code=code_digest("evaluation"),
    shell:
        """
        sixmax experiment alone --agent search --participants blueprint \
            --run {params.folder:q} --search {params.search:q} --deals {params.deals} \
            --seed {params.seed} --out {output:q} --threads {threads} 2>&1 | tee {log:q}
        """
