# One page about the run, which opens without a network.

from sixmax.report import template


rule report:
    input:
        f"{RUN}/report/index.html",


use rule run_rule as page with:
    input:
        run=rules.identity.output[0],
        tree=rules.tree.output,
        blueprint=rules.average.output,
        history=expand(f"{BLUEPRINT}/history/{{k:05d}}.json", k=range(1, INTERVALS + 1)),
        matches=rules.matches.output.table,
        aivat=AIVAT_FILES,
        experiments=EXPERIMENT_FILES,
        measured=measured(),
        bounds=rules.bounds.output.table if BOUNDED else [],
        search_bounds=SEARCH_BOUNDS,
        snapshots=expand(f"{EVALUATION}/firstin/snapshot-{{k:05d}}.json", k=SNAPSHOTS),
        quality=expand(
            f"{ABSTRACTION}/quality_{{round}}.{{form}}",
            round=ROUND_NAMES,
            form=["json", "png"],
        ),
        continuation=rules.compress.output.check,
        plan=rules.plan.output.json,
    output:
        page=report(f"{RUN}/report/index.html", category="Run"),
        checks=f"{RUN}/report/checks.json",
    pathvars:
        job="report/page",
    params:
        command=command(
            "report --run {RUN} --out {output.page} --checks {output.checks}"
        ),
        code=code_digest("report.page"),
        template=template.digest(),
