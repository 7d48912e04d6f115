# The blueprint held to the decisions of Pluribus in its published hands.

PLURIBUS_SEARCHED = CONFIG.evaluation.pluribus_search_hands
PLURIBUS_FILES = [f"{EVALUATION}/pluribus.json"] * bool(
    CONFIG.evaluation.pluribus_hands
)


use rule run_rule as pluribus with:
    input:
        unpack(of_search if PLURIBUS_SEARCHED else of_blueprint),
        flops=flops_read() if PLURIBUS_SEARCHED else [],
    output:
        f"{EVALUATION}/pluribus.json",
    pathvars:
        job="evaluation/pluribus",
    resources:
        mem_mb=search_memory,
        runtime=15 + PLURIBUS_SEARCHED,
    params:
        command=command(
            "pluribus {hands} --run {RUN} --seed {seed} --searched {searched}"
            " --config {config} --setting {setting} --out {output}",
            hands=CONFIG.evaluation.pluribus_hands,
            seed=CONFIG.seed,
            searched=PLURIBUS_SEARCHED,
            config=SEARCH_CONFIG,
            setting=SEARCH_SETTING,
        ),
        code=code_digest("evaluation.pluribus.stage"),
