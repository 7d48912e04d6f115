# The paper's two experiments.

from sixmax.evaluation.match.pairings import participants

EXPERIMENTS = CONFIG.evaluation.experiments
PARTICIPANTS = participants(SNAPSHOTS)
BY_AIVAT = EXPERIMENTS.aivat_deals
EXPERIMENT_FILES = expand(
    f"{EVALUATION}/experiment/{{kind}}.json", kind=["alone", "copies"]
)


rule experiments:
    input:
        EXPERIMENT_FILES,


use rule run_rule as experiment with:
    input:
        unpack(of_run),
        agents=stores_of("blueprint", *PARTICIPANTS),
        values=rules.values.output if BY_AIVAT else [],
    output:
        f"{EVALUATION}/experiment/{{kind}}.json",
    pathvars:
        job="evaluation/experiment/{kind}",
    wildcard_constraints:
        kind="alone|copies",
    threads: HALF  # there are two
    resources:
        mem_mb=agents_memory,
        runtime=60,
    params:
        command=command(
            "experiment {wildcards.kind} --run {RUN} --participants {participants}"
            " --deals {deals} --seed {seed} {aivat} --out {output}",
            participants=",".join(PARTICIPANTS),
            deals=EXPERIMENTS.deals,
            seed=CONFIG.seed,
            aivat=[*VALUES, "--aivat-deals", BY_AIVAT] if BY_AIVAT else [],
        ),
        code=code_digest("evaluation.experiments.hands"),
