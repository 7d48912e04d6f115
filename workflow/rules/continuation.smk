# The continuation strategies of the search's leaves, sampled and packed.

from sixmax.continuation.generate import GENERATOR

CONTINUATION = f"{RUN}/continuation"


rule continuation:
    input:
        f"{CONTINUATION}/strategies.zarr",
        f"{CONTINUATION}/check.json",


use rule run_rule as compress with:
    input:
        unpack(of_blueprint),
    output:
        strategies=directory(f"{CONTINUATION}/strategies.zarr"),
        check=f"{CONTINUATION}/check.json",
    pathvars:
        job="continuation/compress",
    priority: 4  # takes all cores, and the gain of search waits for it
    threads: THREADS
    resources:
        mem_mb=int(CONFIG.machine.memory_gb * 1000 / 2),
        runtime=30,
    params:
        command=command(
            "stage compress --run {RUN} --bias {bias} --generator {generator}"
            " --out {output.strategies} --check {output.check}",
            bias=CONFIG.continuation.bias,
            generator=GENERATOR,
        ),
        code=code_digest("continuation.stage"),
