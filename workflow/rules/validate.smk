# The small games, whose answers are known: solved, measured, and judged. Reads config/validate,
# and nothing of the run.

from sixmax.validate.config import load

VALIDATION = "results/validate"
VALIDATION_RULES = {"validate", "measure", "answers", "verdict"}  # they lock no run
try:
    GAMES = load(Path(workflow.basedir, "config", "validate"))
except UserError as error:
    raise WorkflowError(str(error)) from None
CURVES = [
    f"{VALIDATION}/{game}/{m}.json" for game, g in GAMES.items() for m in g.methods
]


# The verdict is last: where a bound is missed, table and page are there to say by how much.
rule validate:
    input:
        f"{VALIDATION}/verdict.txt",


rule measure:
    output:
        f"{VALIDATION}/{{game}}/{{method}}.json",
    log:
        f"{VALIDATION}/logs/{{game}}/{{method}}.log",
    benchmark:
        f"{VALIDATION}/benchmarks/{{game}}/{{method}}.tsv"
    wildcard_constraints:
        game="|".join(GAMES),
        method=r"[a-z0-9+]+",
    threads: 1
    resources:
        mem_mb=2000,
        runtime=60,
    params:
        game=lambda wildcards: GAMES[wildcards.game].game,
        seats=lambda wildcards: GAMES[wildcards.game].seats,
        settings=lambda wildcards: as_json(
            GAMES[wildcards.game].methods[wildcards.method]
        ),
        code=code_digest("validate.stage"),
    shell:
        """
        sixmax measure {params.game} {wildcards.method} --seats {params.seats} \
            --settings {params.settings:q} --out {output:q} --threads {threads} 2>&1 | tee {log:q}
        """


rule answers:
    input:
        CURVES,
    output:
        table=f"{VALIDATION}/table.json",
        text=f"{VALIDATION}/table.txt",
        page=f"{VALIDATION}/index.html",
    log:
        f"{VALIDATION}/logs/answers.log",
    benchmark:
        f"{VALIDATION}/benchmarks/answers.tsv"
    threads: 1
    resources:
        mem_mb=1000,
        runtime=5,
    params:
        curves=CURVES,  # whose list is no trigger by itself
        code=code_digest("report.validation"),
        template=template.digest(),
    shell:
        """
        sixmax answers {input:q} --out {output.table:q} --text {output.text:q} \
            --page {output.page:q} 2>&1 | tee {log:q}
        """


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
        code=code_digest("validate.table"),
    shell:
        """
        sixmax verdict {input:q} 2>{log:q} >{output:q} || {{ cat {log:q} >&2; exit 1; }}
        cat {output:q}
        """
