# The cost of every stage, before it runs.


rule plan:
    output:
        json=f"{RUN}/plan/plan.json",
        table=f"{RUN}/plan/plan.txt",
    log:
        f"{RUN}/logs/plan/plan.log",
    benchmark:
        f"{RUN}/benchmarks/plan/plan.tsv"
    threads: 1
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        config=as_json(CONFIG),
    shell:
        """
        sixmax plan --config {params.config:q} --out {output.json:q} 2>{log:q} \
            | tee {output.table:q}
        """
