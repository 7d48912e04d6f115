# The tables of the Libratus paper, on games with exact best responses. Reads config/tables. With a
# preset that has `evaluation.subgame_hands` also Table S1, of its run.

from sixmax.studies.libratus import config as tables

LIBRATUS = "results/libratus"
LIBRATUS_RULES = {"libratus", "flop_game", "resolve", "off_tree", "tables", "holds"}
try:
    TABLES = tables.TablesConfig.read(CONFIG_FILES / "tables" / "libratus.yaml")
except UserError as error:
    raise WorkflowError(str(error)) from None
FLOP_GAMES = {**TABLES.games, tables.OFF_TREE: TABLES.off_tree}


# Last, as of the validation: tables and page say which checks fail.
rule libratus:
    input:
        f"{LIBRATUS}/verdict.txt",


use rule run_rule as flop_game with:
    output:
        directory(f"{LIBRATUS}/{{game}}/{{seed}}/{{buckets}}/blueprint.zarr"),
    pathvars:
        logs=f"{LIBRATUS}/logs",
        benchmarks=f"{LIBRATUS}/benchmarks",
        job="{game}/{seed}/{buckets}/blueprint",
    wildcard_constraints:
        game="|".join(map(re.escape, FLOP_GAMES)),
        seed=r"\d+",
        buckets=r"\d+",
    resources:
        mem_mb=3000,
        runtime=60,
    params:
        command=command(
            "stage flop-game --game {game} --seed {wildcards.seed} --buckets {wildcards.buckets}"
            " --iterations {iterations} --out {output}",
            game=lambda wildcards: as_json(FLOP_GAMES[wildcards.game].game),
            iterations=lambda wildcards: FLOP_GAMES[
                wildcards.game
            ].iterations.blueprint,
        ),
        code=code_digest("studies.libratus.stage"),


use rule run_rule as resolve with:
    input:
        f"{LIBRATUS}/{{game}}/{{seed}}/{{buckets}}/blueprint.zarr",
    output:
        [
            f"{LIBRATUS}/{{game}}/{{seed}}/{{buckets}}/{name}.json"
            for name in TABLES.solved
        ],
    pathvars:
        logs=f"{LIBRATUS}/logs",
        benchmarks=f"{LIBRATUS}/benchmarks",
        job="{game}/{seed}/{buckets}/subgames",
    wildcard_constraints:
        game="|".join(map(re.escape, TABLES.games)),
    resources:
        mem_mb=3000,
        runtime=60,
    params:
        command=command(
            "stage resolve {input} {techniques} --iterations {iterations}"
            f" --out {LIBRATUS}/{{wildcards.game}}/{{wildcards.seed}}/{{wildcards.buckets}}",
            techniques=TABLES.solved,
            iterations=lambda wildcards: TABLES.games[
                wildcards.game
            ].iterations.subgame,
        ),
        code=code_digest("studies.libratus.stage"),


use rule run_rule as off_tree with:
    input:
        f"{LIBRATUS}/{tables.OFF_TREE}/{{seed}}/0/blueprint.zarr",
    output:
        [
            f"{LIBRATUS}/{tables.OFF_TREE}/{{seed}}/0/{name}.json"
            for name in tables.ANSWERED
        ],
    pathvars:
        logs=f"{LIBRATUS}/logs",
        benchmarks=f"{LIBRATUS}/benchmarks",
        job=f"{tables.OFF_TREE}/{{seed}}/answers",
    resources:
        mem_mb=3000,
        runtime=60,
    params:
        command=command(
            "stage off-tree {input} {answers} {sizes} --iterations {iterations}"
            f" --out {LIBRATUS}/{tables.OFF_TREE}/{{wildcards.seed}}/0",
            answers=tables.ANSWERED,
            sizes=[w for s in TABLES.off_tree.sizes for w in ("--size", s)],
            iterations=TABLES.off_tree.iterations.subgame,
        ),
        code=code_digest("studies.libratus.stage"),


use rule run_rule as tables with:
    input:
        cells=[f"{LIBRATUS}/{cell}.json" for cell in TABLES.cells()],
        subgames=SUBGAME_FILES,
    output:
        tables=f"{LIBRATUS}/tables.json",
        page=report(f"{LIBRATUS}/index.html", category="Libratus"),
    pathvars:
        logs=f"{LIBRATUS}/logs",
        benchmarks=f"{LIBRATUS}/benchmarks",
        job="tables",
    params:
        command=command(
            "stage libratus {folder} --config {config} --out {output.tables} --page {output.page}"
            " {subgames}",
            subgames=["--run", RUN] * bool(SUBGAME_FILES),
            config=as_json(TABLES),
            folder=LIBRATUS,
        ),
        code=code_digest("report.pages.papers"),
        tables=code_digest("studies.libratus.paper_tables"),
        template=template.digest(),


use rule verdict as holds with:
    input:
        rules.tables.output.tables,
    output:
        f"{LIBRATUS}/verdict.txt",
    log:
        f"{LIBRATUS}/logs/verdict.log",
    benchmark:
        f"{LIBRATUS}/benchmarks/verdict.tsv"
