# Tree, frozen identity, a chain of training intervals, the averaged strategy.

from sixmax.blueprint.config import VALUES_BOARDS

BLUEPRINT = f"{RUN}/blueprint"
INTERVALS = CONFIG.blueprint.intervals
SHARDS = CONFIG.blueprint.shards  # where more than one: see shards.smk
SNAPSHOTS = CONFIG.blueprint.snapshots()
AVERAGED = CONFIG.blueprint.averaged()
ROUND_NAMES = list(ROUNDS[: len(CONFIG.game.rounds)])
BUCKET_STORES = expand(f"{RUN}/abstraction/{{round}}.zarr", round=ROUND_NAMES)


rule blueprint:
    input:
        f"{BLUEPRINT}/strategy.zarr",
        expand(f"{BLUEPRINT}/values/{{round}}.zarr", round=CONFIG.blueprint.values),


use rule run_rule as tree with:
    output:
        directory(f"{BLUEPRINT}/tree.zarr"),
    pathvars:
        job="blueprint/tree",
    priority: 2
    resources:
        mem_mb=2000,
        runtime=10,
    params:
        command=command(
            "stage tree --game {game} --buckets {buckets} --out {output}",
            game=as_json(CONFIG.game),
            buckets=",".join(str(b) for b in CONFIG.bucket_counts),
        ),
        code=code_digest("betting.tree_build"),


rule identity:
    input:
        tree=rules.tree.output,
        buckets=BUCKET_STORES,
    output:
        f"{BLUEPRINT}/run.json",
    log:
        f"{RUN}/logs/blueprint/identity.log",
    benchmark:
        f"{RUN}/benchmarks/blueprint/identity.tsv"
    priority: 2
    threads: THREADS  # a second, before the training: a report beside it would delay that
    resources:
        mem_mb=1000,
        runtime=5,
    params:
        settings=json.dumps(SETTINGS),
        buckets=lambda wildcards, input: [f"--buckets={b}" for b in input.buckets],
    shell:
        """
        sixmax stage identity --settings {params.settings:q} --tree {input.tree:q} \
            {params.buckets:q} --out {output:q} 2>&1 | tee_job {log:q}
        """


# A trained interval has no inputs, so nothing that is built again retrains it: run.json has the
# tree and the buckets by content, and `identity` refuses to replace it under checkpoints of another.
rule train:
    input:
        unpack(trained_on),
    output:
        state=directory(f"{BLUEPRINT}/state/{{k}}.zarr"),
        history=f"{BLUEPRINT}/history/{{k}}.json",
    log:
        f"{RUN}/logs/blueprint/train/{{k}}.log",
    benchmark:
        f"{RUN}/benchmarks/blueprint/train/{{k}}.tsv"
    wildcard_constraints:
        k=numbers(set(range(1, INTERVALS + 1)) - set(SNAPSHOTS), SHARDS == 1),
    priority: 1  # before matches of the snapshot before it
    threads: THREADS
    resources:
        mem_mb=int(CONFIG.machine.memory_gb * 1000),
        runtime=240,
    params:
        folder=subpath(output.state, ancestor=3),
        interval=lambda wildcards: int(wildcards.k),
        snapshot="--no-snapshot",
    shell:
        """
        sixmax stage train --run {params.folder:q} --interval {params.interval} {params.snapshot} \
            --history {output.history:q} --threads {threads} 2>&1 | tee_job {log:q}
        """


use rule train as train_snapshot with:
    output:
        state=directory(f"{BLUEPRINT}/state/{{k}}.zarr"),
        history=f"{BLUEPRINT}/history/{{k}}.json",
        snapshot=directory(f"{BLUEPRINT}/snapshot/{{k}}.zarr"),
    wildcard_constraints:
        k=numbers(SNAPSHOTS, SHARDS == 1),
    params:
        folder=subpath(output.state, ancestor=3),
        interval=lambda wildcards: int(wildcards.k),
        snapshot="--snapshot",


rule average:
    input:
        run=rules.identity.output[0],
        tree=rules.tree.output,
        buckets=BUCKET_STORES,
        last=f"{BLUEPRINT}/state/{INTERVALS:05d}.zarr",
        snapshots=expand(f"{BLUEPRINT}/snapshot/{{k:05d}}.zarr", k=AVERAGED),
    output:
        directory(f"{BLUEPRINT}/strategy.zarr"),
    log:
        f"{RUN}/logs/blueprint/average.log",
    benchmark:
        f"{RUN}/benchmarks/blueprint/average.tsv"
    priority: 1
    threads: THREADS
    resources:
        mem_mb=int(CONFIG.machine.memory_gb * 1000),
        runtime=30,
    params:
        folder=subpath(input.run, ancestor=2),
        last=INTERVALS,
        snapshots=",".join(str(k) for k in AVERAGED),
    shell:
        """
        sixmax stage average --run {params.folder:q} --last {params.last} \
            --snapshots={params.snapshots:q} --out {output:q} --threads {threads} \
            2>&1 | tee_job {log:q}
        """


use rule run_rule as node_values with:
    input:
        unpack(of_blueprint),
    output:
        directory(f"{BLUEPRINT}/values/{{round}}.zarr"),
    pathvars:
        job="blueprint/values/{round}",
    threads: THREADS
    resources:
        mem_mb=int(CONFIG.machine.memory_gb * 1000),
        runtime=240,
    params:
        command=command(
            "stage node-values --run {RUN} --round {round} --boards {boards} --out {output}",
            round=lambda wildcards: wildcards.round,
            boards=VALUES_BOARDS,
        ),
        code=code_digest("blueprint.values"),
