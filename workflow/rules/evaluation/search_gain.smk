# Table S1 of the Libratus paper: each form of play in the place of the blueprint, from a round on.
# The target `libratus` measures it.

SUBGAMES = f"{EVALUATION}/search/subgames"
SUBGAME_BEGINS = range(0, max(CONFIG.evaluation.subgame_hands - 1, 0), 50)
SUBGAME_FILES = [
    f"{SUBGAMES}/{name}.json" for name in libratus_tables.NAMES if SUBGAME_BEGINS
]


use rule run_rule as subgame_part with:
    input:
        unpack(of_search),
    output:
        result=f"{SUBGAMES}/{{form}}_{{round}}/{{begin}}.json",
        cost=f"{SUBGAMES}/{{form}}_{{round}}/{{begin}}_cost.json",
    pathvars:
        job="evaluation/search/subgames/{form}_{round}_{begin}",
    wildcard_constraints:
        form="|".join(libratus_tables.FORMS),
        round="|".join(libratus_tables.ROUNDS),
        begin=r"\d+",
    resources:
        mem_mb=search_memory,
        runtime=120,
    params:
        command=command(
            "gain --run {RUN} --agent {agent} --begin {begin} --hands {hands} --seed {seed}"
            " --config {config} --setting {setting} --out {output.result}",
            agent=lambda wildcards: libratus_tables.FORMS[wildcards.form].agent,
            begin=lambda wildcards: int(wildcards.begin),
            hands=subgame_hands,
            seed=CONFIG.seed,
            config=subgame_config,
            setting=SEARCH_SETTING,
        ),
        code=code_digest("evaluation.search_gain.gain"),


use rule run_rule as subgames with:
    input:
        [f"{SUBGAMES}/{{form}}_{{round}}/{begin:06d}.json" for begin in SUBGAME_BEGINS],
    output:
        result=f"{SUBGAMES}/{{form}}_{{round}}.json",
        cost=f"{SUBGAMES}/{{form}}_{{round}}_cost.json",
    pathvars:
        job="evaluation/search/subgames/{form}_{round}",
    wildcard_constraints:
        form="|".join(libratus_tables.FORMS),
        round="|".join(libratus_tables.ROUNDS),
    params:
        command=command("stage pool gain {input} --out {output.result}"),
        code=code_digest("evaluation.search_gain.gain"),
