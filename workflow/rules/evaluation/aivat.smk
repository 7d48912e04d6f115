# Matches whose luck is taken off by AIVAT, and the values that it needs.

CLOSE = [p for p in PAIRINGS if p.a == "blueprint" and p.b not in BASELINES]
SCORED = CLOSE if CONFIG.evaluation.aivat_deals else []
AIVAT_FILES = [f"{EVALUATION}/aivat/{pairing.name}.json" for pairing in SCORED]
VALUES = ["--values", f"{EVALUATION}/values.zarr"]  # an option of other stages


use rule run_rule as values with:
    input:
        unpack(of_blueprint),
    output:
        directory(f"{EVALUATION}/values.zarr"),
    pathvars:
        job="evaluation/values",
    priority: 3  # AIVAT and the experiments wait for it
    threads: HALF
    resources:
        mem_mb=int(CONFIG.machine.memory_gb * 1000 / 2),
        runtime=30,
    params:
        command=command(
            "values --run {RUN} --hands {hands} --seed {seed} --out {output}",
            hands=CONFIG.evaluation.values_hands,
            seed=CONFIG.seed,
        ),
        code=code_digest("evaluation.aivat.values_fit"),


use rule match as aivat with:
    input:
        unpack(of_run),
        values=rules.values.output,
        agents=lambda wildcards: stores_of(wildcards.a, wildcards.b),
    output:
        f"{EVALUATION}/aivat/{{a}}_vs_{{b}}.json",
    pathvars:
        job="evaluation/aivat/{a}_vs_{b}",
    priority: 2
    params:
        command=command(
            "aivat {wildcards.a} {wildcards.b} --run {RUN} --values {input.values}"
            " --deals {deals} --seed {seed} --out {output}",
            deals=CONFIG.evaluation.aivat_deals,
            seed=CONFIG.seed,
        ),
        code=code_digest("evaluation.aivat.scored_match"),
