# Figure 2 of the Modicum paper, on games with exact best responses. Reads config/tables, and
# nothing of the run.

from sixmax.studies.modicum import config as figure

MODICUM = "results/modicum"
MODICUM_RULES = {
    "modicum",
    "flop_equilibrium",
    "leaf_values",
    "answer",
    "figure",
    "figure_holds",
}
try:
    FIGURE = figure.FigureConfig.read(CONFIG_FILES / "tables" / "modicum.yaml")
except UserError as error:
    raise WorkflowError(str(error)) from None


# Last, as of the Libratus tables: figure and page say which checks fail.
rule modicum:
    input:
        f"{MODICUM}/verdict.txt",


use rule run_rule as flop_equilibrium with:
    output:
        directory(f"{MODICUM}/{{game}}/{{kind}}.zarr"),
    pathvars:
        logs=f"{MODICUM}/logs",
        benchmarks=f"{MODICUM}/benchmarks",
        job="{game}/{kind}",
    wildcard_constraints:
        game="|".join(FIGURE.games),
        kind="without-bet|with-bet",
    resources:
        mem_mb=4000,  # 2.8 GB were measured with all flops
        runtime=60,
    params:
        command=command(
            "stage flop-equilibrium --game {game} --seed {seed} --bet {bet}"
            " --iterations {iterations} --spread {spread} --out {output}",
            game=lambda wildcards: as_json(figure_game(wildcards).game),
            seed=lambda wildcards: figure_game(wildcards).seed,
            spread=FIGURE.spread,
            bet=lambda wildcards: FIGURE.bet if wildcards.kind == "with-bet" else 0,
            iterations=lambda wildcards: figure_game(wildcards).iterations.equilibrium,
        ),
        code=code_digest("studies.modicum.stage"),


use rule run_rule as leaf_values with:
    input:
        lambda wildcards: figure.equilibrium_of(
            f"{MODICUM}/{wildcards.game}", maker=wildcards.maker
        ),
    output:
        directory(f"{MODICUM}/{{game}}/{{maker}}.zarr"),
    pathvars:
        logs=f"{MODICUM}/logs",
        benchmarks=f"{MODICUM}/benchmarks",
        job="{game}/{maker}-values",
    wildcard_constraints:
        maker="|".join(figure.MAKERS),
    priority: 1  # answers wait for them
    resources:
        mem_mb=figure_memory,
        runtime=60,
    params:
        command=command(
            "stage leaf-values {input} {wildcards.maker} --number {number} --iterations {iterations}"
            " --factor {factor} {weaken} --out {output}",
            number=lambda wildcards: figure_game(wildcards).most(wildcards.maker),
            iterations=lambda wildcards: figure_game(wildcards).iterations.trunk,
            factor=FIGURE.factor,
            weaken="--weaken" if FIGURE.weaken else "--strong",
        ),
        code=code_digest("studies.modicum.stage"),


use rule run_rule as answer with:
    input:
        equilibrium=lambda wildcards: figure.equilibrium_of(
            f"{MODICUM}/{wildcards.game}", answer=wildcards.answer
        ),
        values=lambda wildcards: figure.values_of(
            wildcards.answer, f"{MODICUM}/{wildcards.game}"
        ),
    output:
        f"{MODICUM}/{{game}}/{{answer}}.json",
    pathvars:
        logs=f"{MODICUM}/logs",
        benchmarks=f"{MODICUM}/benchmarks",
        job="{game}/{answer}",
    wildcard_constraints:
        answer="|".join([*figure.REFERENCES, *figure.KINDS]),
    resources:
        mem_mb=figure_memory,
        runtime=60,
    params:
        command=command(
            "stage answer-bet {input.equilibrium} {answer} --bet {bet} --trunk {trunk} --flop {flop}"
            " --out {output}",
            answer=lambda wildcards: figure.words(
                wildcards.answer, figure_game(wildcards), f"{MODICUM}/{wildcards.game}"
            ),
            bet=FIGURE.bet,
            trunk=lambda wildcards: figure_game(wildcards).iterations.trunk,
            flop=lambda wildcards: (
                figure_game(wildcards).iterations.equilibrium
                if wildcards.answer == "to-the-end"
                else figure_game(wildcards).iterations.flop
            ),
        ),
        code=code_digest("studies.modicum.stage"),


use rule run_rule as figure with:
    input:
        [f"{MODICUM}/{cell}.json" for cell in FIGURE.cells()],
    output:
        tables=f"{MODICUM}/tables.json",
        page=report(f"{MODICUM}/index.html", category="Modicum"),
    pathvars:
        logs=f"{MODICUM}/logs",
        benchmarks=f"{MODICUM}/benchmarks",
        job="figure",
    params:
        command=command(
            "stage modicum {folder} --config {config} --out {output.tables} --page {output.page}",
            config=as_json(FIGURE),
            folder=MODICUM,
        ),
        code=code_digest("report.pages.papers"),
        template=template.digest(),


use rule verdict as figure_holds with:
    input:
        rules.figure.output.tables,
    output:
        f"{MODICUM}/verdict.txt",
    log:
        f"{MODICUM}/logs/verdict.log",
    benchmark:
        f"{MODICUM}/benchmarks/verdict.tsv"
