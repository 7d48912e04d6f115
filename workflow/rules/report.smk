# One page about the run, which opens without a network.

from sixmax.report import template


rule report:
    input:
        f"{RUN}/report/index.html",


rule firstin_snapshot:
    input:
        run=rules.identity.output,
        tree=ancient(rules.tree.output),
        buckets=ancient(BUCKET_STORES),
        snapshot=f"{BLUEPRINT}/snapshot/{{k}}.zarr",
    output:
        f"{EVALUATION}/firstin/snapshot-{{k}}.json",
    log:
        f"{RUN}/logs/evaluation/firstin/{{k}}.log",
    benchmark:
        f"{RUN}/benchmarks/evaluation/firstin/{{k}}.tsv"
    wildcard_constraints:
        k=numbers(SNAPSHOTS),
    threads: 1
    resources:
        mem_mb=int(CONFIG.machine.memory_gb * 1000 / 4),
        runtime=10,
    params:
        folder=RUN,
        code=code_digest("evaluation"),
    shell:
        """
        sixmax compare --run {params.folder:q} --agent snapshot-{wildcards.k} --out {output:q} \
            2>&1 | tee {log:q}
        """


rule page:
    input:
        run=rules.identity.output,
        tree=rules.tree.output,
        blueprint=rules.average.output,
        history=expand(f"{BLUEPRINT}/history/{{k:05d}}.json", k=range(1, INTERVALS + 1)),
        matches=rules.matches.output.table,
        firstin=rules.compare.output,
        snapshots=expand(f"{EVALUATION}/firstin/snapshot-{{k:05d}}.json", k=SNAPSHOTS),
        quality=expand(
            f"{ABSTRACTION}/quality_{{round}}.{{form}}",
            round=ROUND_NAMES,
            form=["json", "png"],
        ),
        continuation=rules.compress.output.check,
        plan=rules.plan.output.json,
    output:
        f"{RUN}/report/index.html",
    log:
        f"{RUN}/logs/report/page.log",
    benchmark:
        f"{RUN}/benchmarks/report/page.tsv"
    threads: 1
    resources:
        mem_mb=1000,
        runtime=5,
    params:
        folder=RUN,
        code=code_digest("report"),
        template=template.digest(),
    shell:
        """
        sixmax report --run {params.folder:q} --out {output:q} 2>&1 | tee {log:q}
        """
