# The gain of search over the blueprint: by subgame, in jobs of some hands, and in whole hands.

SEARCHED = CONFIG.game.cards == "holdem" and len(CONFIG.game.rounds) == 4
ASKED = {"gain": CONFIG.evaluation.search_hands, "duel": CONFIG.evaluation.search_deals}
# A job each; the last has the rest.
GAIN_BEGINS = range(0, ASKED["gain"] - 1, CONFIG.evaluation.search_hands_of_job)
GAIN_PARTS = [f"{EVALUATION}/search/gain/{begin:06d}.json" for begin in GAIN_BEGINS]
SEARCH_RESULTS = [
    f"{EVALUATION}/search/{name}.json" for name in ASKED if SEARCHED and ASKED[name]
]


use rule run_rule as gain_part with:
    input:
        unpack(of_search),
        flops=GAIN_FLOPS,
    output:
        result=f"{EVALUATION}/search/gain/{{begin}}.json",
        cost=f"{EVALUATION}/search/gain/{{begin}}_cost.json",
    pathvars:
        job="evaluation/search/gain/{begin}",
    wildcard_constraints:
        begin=r"\d+",
    priority: 2
    resources:
        mem_mb=search_memory,
        runtime=120,
    params:
        command=command(
            "gain --run {RUN} --begin {begin} --hands {hands} --seed {seed}"
            " --config {config} --setting {setting} {on} --out {output.result}",
            begin=lambda wildcards: int(wildcards.begin),
            hands=gain_hands,
            on=HANDS_OF_GAIN,
            seed=CONFIG.seed,
            config=SEARCH_CONFIG,
            setting=SEARCH_SETTING,
        ),
        code=code_digest("evaluation.search_gain.stage"),


use rule run_rule as gain with:
    input:
        GAIN_PARTS,
    output:
        result=f"{EVALUATION}/search/gain.json",
        cost=f"{EVALUATION}/search/gain_cost.json",
    pathvars:
        job="evaluation/search/gain",
    params:
        command=command("stage gains {input} --out {output.result}"),
        code=code_digest("evaluation.search_gain.merge"),


use rule run_rule as duel with:
    input:
        unpack(of_search),
        values=rules.values.output if CONFIG.evaluation.aivat_deals else [],
        flops=flops_read(),
    output:
        result=f"{EVALUATION}/search/duel.json",
        cost=f"{EVALUATION}/search/duel_cost.json",
    pathvars:
        job="evaluation/search/duel",
    resources:
        mem_mb=search_memory,
        runtime=60 + CONFIG.game.seats * ASKED["duel"],
    params:
        command=command(
            "duel --run {RUN} --deals {deals} --seed {seed} --config {config}"
            " --setting {setting} {values} --out {output.result}",
            deals=ASKED["duel"],
            seed=CONFIG.seed,
            config=SEARCH_CONFIG,
            setting=SEARCH_SETTING,
            values=VALUES if CONFIG.evaluation.aivat_deals else [],
        ),
        code=code_digest("evaluation.search_gain.duel_stage"),


# Table S1 of the Libratus paper: each form of play in the place of the blueprint, from a round on.
# The target `libratus` measures it.
SUBGAMES = f"{EVALUATION}/search/subgames"
SUBGAME_BEGINS = range(0, max(CONFIG.evaluation.subgame_hands - 1, 0), 50)
SUBGAME_FILES = [f"{SUBGAMES}/{name}.json" for name in play.NAMES if SUBGAME_BEGINS]


use rule run_rule as subgame_part with:
    input:
        unpack(of_search),
    output:
        result=f"{SUBGAMES}/{{form}}_{{round}}/{{begin}}.json",
        cost=f"{SUBGAMES}/{{form}}_{{round}}/{{begin}}_cost.json",
    pathvars:
        job="evaluation/search/subgames/{form}_{round}_{begin}",
    wildcard_constraints:
        form="|".join(play.FORMS),
        round="|".join(play.ROUNDS),
        begin=r"\d+",
    resources:
        mem_mb=search_memory,
        runtime=120,
    params:
        command=command(
            "gain --run {RUN} --agent {agent} --begin {begin} --hands {hands} --seed {seed}"
            " --config {config} --setting {setting} --out {output.result}",
            agent=lambda wildcards: play.FORMS[wildcards.form].agent,
            begin=lambda wildcards: int(wildcards.begin),
            hands=subgame_hands,
            seed=CONFIG.seed,
            config=subgame_config,
            setting=SEARCH_SETTING,
        ),
        code=code_digest("evaluation.search_gain.stage"),


use rule run_rule as subgames with:
    input:
        [f"{SUBGAMES}/{{form}}_{{round}}/{begin:06d}.json" for begin in SUBGAME_BEGINS],
    output:
        result=f"{SUBGAMES}/{{form}}_{{round}}.json",
        cost=f"{SUBGAMES}/{{form}}_{{round}}_cost.json",
    pathvars:
        job="evaluation/search/subgames/{form}_{round}",
    wildcard_constraints:
        form="|".join(play.FORMS),
        round="|".join(play.ROUNDS),
    params:
        command=command("stage gains {input} --out {output.result}"),
        code=code_digest("evaluation.search_gain.merge"),
