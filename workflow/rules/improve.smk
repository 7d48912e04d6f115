# Libratus's self-improver: branches for bets that hand logs show and the blueprint lacks, each type
# as a run of its own, and matches before and after.

from sixmax.continuation.generate import GENERATOR
from sixmax.studies.improve.config import problem

IMPROVE = f"{RUN}/improve"
IMPROVED = {"before": RUN, **{f"type{t}": f"{IMPROVE}/type{t}" for t in (1, 2)}}
OPPONENT = "" if CONFIG.improve.logs else CONFIG.improve.opponent
IMPROVE_HANDS = 1000  # with the opponent, each from both seats
IMPROVE_DEALS = 500_000  # against it, before and after
MATCHES_AFTER = IMPROVED if OPPONENT else {}


# For this target alone: other runs have no logs and need none.
if "improve" in sys.argv and (reason := problem(CONFIG.improve, CONFIG.game)):
    raise WorkflowError(f"improve: {reason}")


rule improve:
    input:
        list(IMPROVED.values())[1:],
        [f"{IMPROVE}/table.json"] * bool(OPPONENT),


use rule run_rule as opponents_hands with:
    input:
        unpack(of_blueprint),
    output:
        f"{IMPROVE}/hands.log",
    pathvars:
        job="improve/hands",
    resources:
        mem_mb=lambda wildcards, input: 1000 + megabytes(input),
        runtime=60,
    params:
        command=command(
            "table blueprint {opponent} --run {RUN} --deals {hands} --seed {seed} --log {output}",
            opponent=OPPONENT,
            hands=IMPROVE_HANDS,
            seed=CONFIG.seed,
        ),
        code=code_digest("evaluation.match.table"),


use rule run_rule as gaps with:
    input:
        unpack(of_run),
        logs=CONFIG.improve.logs or rules.opponents_hands.output,
    output:
        f"{IMPROVE}/gaps.json",
    pathvars:
        job="improve/gaps",
    resources:
        mem_mb=1000,
        runtime=60,
    params:
        command=command(
            "gaps {input.logs} --run {RUN} --player {player} --out {output}",
            player="blueprint" if OPPONENT else CONFIG.improve.player,
        ),
        code=code_digest("studies.improve.stage"),


use rule run_rule as improved with:
    input:
        unpack(of_blueprint),
        gaps=rules.gaps.output,
        settings=rules.search_settings.output,
    output:
        directory(f"{IMPROVE}/type{{type}}"),
    pathvars:
        job="improve/type{type}",
    wildcard_constraints:
        type="[12]",
    threads: THREADS
    resources:
        mem_mb=int(CONFIG.machine.memory_gb * 1000 / 2),
        runtime=120,
    params:
        command=command(
            "improve {input.gaps} --run {RUN} --type {wildcards.type}"
            " --seed {seed} --bias {bias} --generator {generator}"
            " --into {output}",
            seed=CONFIG.seed,
            bias=CONFIG.continuation.bias,
            generator=GENERATOR,
        ),
        code=code_digest("studies.improve.stage"),


# The opponent plays in the tree that has its bet, the blueprint translates it where it has none.
use rule run_rule as improved_match with:
    input:
        unpack(of_blueprint),
        opponent=IMPROVED["type1"],
        improved=lambda wildcards: {**IMPROVED, "before": []}[wildcards.form],
    output:
        f"{IMPROVE}/match/{{form}}.json",
    pathvars:
        job="improve/match/{form}",
    wildcard_constraints:
        form="|".join(IMPROVED),
    threads: THREADS
    resources:
        mem_mb=int(CONFIG.machine.memory_gb * 1000 / 2),
        runtime=60,
    params:
        command=command(
            "match {opponent} blueprint --run {input.opponent} --against {against}"
            " --deals {deals} --seed {seed} --out {output}",
            opponent=OPPONENT,
            against=lambda wildcards: IMPROVED[wildcards.form],
            deals=IMPROVE_DEALS,
            seed=CONFIG.seed,
        ),
        code=code_digest("evaluation.match.contest"),


use rule run_rule as improved_table with:
    input:
        [f"{IMPROVE}/match/{form}.json" for form in MATCHES_AFTER],
    output:
        table=f"{IMPROVE}/table.json",
        text=f"{IMPROVE}/table.txt",
    pathvars:
        job="improve/table",
    params:
        command=command(
            "stage matches {input} --out {output.table} --text {output.text}"
        ),
        code=code_digest("evaluation.match.results"),
