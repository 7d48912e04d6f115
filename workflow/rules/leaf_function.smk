# The learned values of leaves, if any are wanted: `leaf_function.states` above 0.

LEAF_FUNCTION = f"{RUN}/leaf_function"
LEAF_FUNCTION_FILES = [
    f"{LEAF_FUNCTION}/{name}"
    for name in ("network.zarr", "check.json")
    if CONFIG.leaf_function.states
]
# The store that jobs of a search wait for.
LEARNED = LEAF_FUNCTION_FILES[:1] if CONFIG.search.player.leaf == "learned" else []

if "leaf_function" in sys.argv and not LEAF_FUNCTION_FILES:
    raise WorkflowError(
        "leaf_function: found leaf_function.states 0, wanted the number of states to learn from, such"
        " as `leaf_function: { states: 2000000 }` in a file for --configfile: docs/guide/search.md"
    )


rule leaf_function:
    input:
        LEAF_FUNCTION_FILES,


use rule run_rule as fit_leaf_function with:
    input:
        unpack(of_blueprint),
        continuation=rules.compress.output.strategies,
    output:
        network=directory(f"{LEAF_FUNCTION}/network.zarr"),
        check=f"{LEAF_FUNCTION}/check.json",
    pathvars:
        job="leaf_function/fit",
    priority: 3  # the gain of search may wait for it
    threads: THREADS
    resources:
        mem_mb=int(2000 + CONFIG.leaf_function.states / 1000),
        runtime=120,
    params:
        command=command(
            "stage leaf-function --run {RUN} --config {config} --seed {seed}"
            " --out {output.network} --check {output.check}",
            config=as_json(CONFIG.leaf_function),
            seed=CONFIG.seed,
        ),
        code=code_digest("leaf_function.stage"),
