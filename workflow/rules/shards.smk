# An interval in shards, one job each, on as many machines; then their mean. See docs/guide/cluster.md.


rule shard:
    input:
        unpack(trained_on),
    output:
        temp(directory(f"{BLUEPRINT}/delta/{{k}}/{{shard}}-of-{SHARDS}.zarr")),
    log:
        f"{RUN}/logs/blueprint/shard/{{k}}/{{shard}}.log",
    benchmark:
        f"{RUN}/benchmarks/blueprint/shard/{{k}}/{{shard}}.tsv"
    wildcard_constraints:
        k=numbers(range(1, INTERVALS + 1), SHARDS > 1),
        shard=r"[1-9]\d*",
    threads: THREADS
    resources:
        mem_mb=int(CONFIG.machine.memory_gb * 1000),
        runtime=240,
    params:
        folder=subpath(output[0], ancestor=4),
        interval=lambda wildcards: int(wildcards.k),
    shell:
        """
        sixmax stage shard --run {params.folder:q} --interval {params.interval} \
            --shard {wildcards.shard} --out {output:q} --threads {threads} 2>&1 | tee_job {log:q}
        """


rule merge:
    input:
        unpack(added_up),
    output:
        state=directory(f"{BLUEPRINT}/state/{{k}}.zarr"),
        history=f"{BLUEPRINT}/history/{{k}}.json",
    log:
        f"{RUN}/logs/blueprint/merge/{{k}}.log",
    benchmark:
        f"{RUN}/benchmarks/blueprint/merge/{{k}}.tsv"
    wildcard_constraints:
        k=numbers(set(range(1, INTERVALS + 1)) - set(SNAPSHOTS), SHARDS > 1),
    threads: THREADS
    resources:
        mem_mb=int(CONFIG.machine.memory_gb * 1000),
        runtime=60,
    params:
        folder=subpath(output.state, ancestor=3),
        interval=lambda wildcards: int(wildcards.k),
        snapshot="--no-snapshot",
    shell:
        """
        sixmax stage merge {input.deltas:q} --run {params.folder:q} --interval {params.interval} \
            {params.snapshot} --history {output.history:q} --threads {threads} 2>&1 | tee_job {log:q}
        """


use rule merge as merge_snapshot with:
    output:
        state=directory(f"{BLUEPRINT}/state/{{k}}.zarr"),
        history=f"{BLUEPRINT}/history/{{k}}.json",
        snapshot=directory(f"{BLUEPRINT}/snapshot/{{k}}.zarr"),
    wildcard_constraints:
        k=numbers(SNAPSHOTS, SHARDS > 1),
    params:
        folder=subpath(output.state, ancestor=3),
        interval=lambda wildcards: int(wildcards.k),
        snapshot="--snapshot",
