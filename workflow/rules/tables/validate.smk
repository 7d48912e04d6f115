# The small games, whose answers are known: solved, measured, and judged. Reads config/validate,
# and nothing of the run.

from sixmax.studies.validate.config import load

VALIDATION = "results/validate"
VALIDATION_RULES = {"validate", "measure", "answers", "verdict"}  # they lock no run
try:
    GAMES = load(CONFIG_FILES / "validate")
except UserError as error:
    raise WorkflowError(str(error)) from None
CURVES = [
    f"{VALIDATION}/{game}/{m}.json" for game, g in GAMES.items() for m in g.methods
]


# The verdict is last: where a bound is missed, table and page are there to say by how much.
rule validate:
    input:
        f"{VALIDATION}/verdict.txt",


use rule run_rule as measure with:
    output:
        f"{VALIDATION}/{{game}}/{{method}}.json",
    pathvars:
        logs=f"{VALIDATION}/logs",
        benchmarks=f"{VALIDATION}/benchmarks",
        job="{game}/{method}",
    wildcard_constraints:
        game="|".join(GAMES),
        method=r"[a-z0-9+]+",
    resources:
        mem_mb=2000,
        runtime=60,
    params:
        command=command(
            "measure {game.game} {wildcards.method} --seats {game.seats}"
            " --settings {settings} --out {output}",
            game=lambda wildcards: GAMES[wildcards.game],
            settings=lambda wildcards: as_json(
                GAMES[wildcards.game].methods[wildcards.method]
            ),
        ),
        code=code_digest("studies.validate.stage"),


use rule run_rule as answers with:
    input:
        CURVES,
    output:
        table=f"{VALIDATION}/table.json",
        text=f"{VALIDATION}/table.txt",
        page=report(f"{VALIDATION}/index.html", category="Validate"),
    pathvars:
        logs=f"{VALIDATION}/logs",
        benchmarks=f"{VALIDATION}/benchmarks",
        job="answers",
    params:
        command=command(
            "stage answers {input} --out {output.table} --text {output.text} --page {output.page}"
        ),
        code=code_digest("report.pages.validation"),
        template=template.digest(),


rule verdict:
    input:
        rules.answers.output.table,
    output:
        f"{VALIDATION}/verdict.txt",
    log:
        f"{VALIDATION}/logs/verdict.log",
    benchmark:
        f"{VALIDATION}/benchmarks/verdict.tsv"
    threads: 1
    resources:
        mem_mb=500,
        runtime=5,
    params:
        code=code_digest("studies.checks"),
    shell:
        """
        sixmax stage verdict {input:q} 2>{log:q} >{output:q} || {{ cat {log:q} >&2; exit 1; }}
        cat {output:q}
        """
