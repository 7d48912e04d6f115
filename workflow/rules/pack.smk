# The run in one file: the data for play and search, and a card with its strength.

PACKED = f"{RUN}/pack/{CONFIG.run}.sixmax"


rule pack:
    input:
        PACKED,


use rule run_rule as take_home with:
    input:
        unpack(of_blueprint),
        continuations=rules.compress.output.strategies,
        values=expand(
            f"{BLUEPRINT}/values/{{round}}.zarr", round=CONFIG.blueprint.values
        ),
        learned=LEAF_FUNCTION_FILES,
        first_round=SELF_GENERATED_FILES,
        luck=rules.values.output if CONFIG.evaluation.aivat_deals else [],
        matches=rules.matches.output.table,
        settings=rules.search_settings.output,
        search=measured("gain", "duel"),
    output:
        PACKED,
    pathvars:
        job="pack/take_home",
    threads: THREADS
    resources:
        mem_mb=int(CONFIG.machine.memory_gb * 1000 / 4),
        runtime=30,
    params:
        command=command("pack {RUN} --out {output}"),
        code=code_digest("pack.run_file"),
