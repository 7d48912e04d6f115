# Agents of several runs, each against copies of every other. The runs are there already, but for
# the one of this config, which is made if it takes part.

import itertools

from sixmax.evaluation.match.pairings import Entrant, refuse_missing

LEAGUE = "results/league"
LEAGUE_RULES = {"league", "league_match", "league_table"}  # they lock no run
ENTRANTS = {e.file: e for e in map(Entrant.parse, CONFIG.league)}
LEAGUE_DEALS = 200_000  # a match of two
LEAGUE_FILES = [
    f"{LEAGUE}/match/{a.file}_vs_{b.file}.json"
    for a, b in itertools.permutations(ENTRANTS.values(), 2)
]


# Here, because a page that is there is up to date to Snakemake, whatever is missing below it; and
# for this target alone, because another may be about to make the run that is missing.
if "league" in sys.argv:
    try:
        refuse_missing(list(ENTRANTS.values()), CONFIG.run)
    except UserError as error:
        raise WorkflowError(str(error)) from None


rule league:
    input:
        f"{LEAGUE}/index.html",


use rule run_rule as league_match with:
    input:
        lambda wildcards: ENTRANTS[wildcards.first].files,
        lambda wildcards: ENTRANTS[wildcards.second].files,
    output:
        f"{LEAGUE}/match/{{first}}_vs_{{second}}.json",
    pathvars:
        logs=f"{LEAGUE}/logs",
        benchmarks=f"{LEAGUE}/benchmarks",
        job="{first}_vs_{second}",
    wildcard_constraints:
        first="|".join(map(re.escape, ENTRANTS)) or "none",
        second="|".join(map(re.escape, ENTRANTS)) or "none",
    threads: THREADS
    resources:
        mem_mb=int(CONFIG.machine.memory_gb * 1000 / 2),
        runtime=60,
    params:
        command=command(
            "match {a.agent} {b.agent} --run results/{a.run} --against results/{b.run}"
            " --deals {deals} --seed {seed} --out {output}",
            a=lambda wildcards: ENTRANTS[wildcards.first],
            b=lambda wildcards: ENTRANTS[wildcards.second],
            deals=LEAGUE_DEALS,
            seed=CONFIG.seed,
        ),
        code=code_digest("evaluation.match.contest"),


use rule run_rule as league_table with:
    input:
        LEAGUE_FILES,
    output:
        table=f"{LEAGUE}/table.json",
        text=f"{LEAGUE}/table.txt",
        page=report(f"{LEAGUE}/index.html", category="League"),
    pathvars:
        logs=f"{LEAGUE}/logs",
        benchmarks=f"{LEAGUE}/benchmarks",
        job="table",
    params:
        command=command(
            "stage league {input} --out {output.table} --text {output.text} --page {output.page}"
        ),
        code=code_digest("report.pages.league"),
        gather=code_digest("evaluation.match.results"),
        template=template.digest(),
