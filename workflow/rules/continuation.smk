# The four continuation strategies of the search's leaves, sampled and packed.

CONTINUATION = f"{RUN}/continuation"


rule continuation:
    input:
        f"{CONTINUATION}/strategies.zarr",
        f"{CONTINUATION}/check.json",


rule compress:
    input:
        run=rules.identity.output[0],
        tree=rules.tree.output,
        buckets=BUCKET_STORES,
        blueprint=rules.average.output,
    output:
        strategies=directory(f"{CONTINUATION}/strategies.zarr"),
        check=f"{CONTINUATION}/check.json",
    log:
        f"{RUN}/logs/continuation/compress.log",
    benchmark:
        f"{RUN}/benchmarks/continuation/compress.tsv"
    priority: 1
    threads: THREADS
    resources:
        mem_mb=int(CONFIG.machine.memory_gb * 1000 / 2),
        runtime=30,
    params:
        folder=subpath(input.run, ancestor=2),
        bias=CONFIG.continuation.bias,
        code=code_digest("continuation.stage"),
    shell:
        """
        sixmax compress --run {params.folder:q} --bias {params.bias} --out {output.strategies:q} \
            --check {output.check:q} --threads {threads} 2>&1 | tee {log:q}
        """
