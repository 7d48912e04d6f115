# The values of the first round of two players, if any are wanted: `self_generated.values` above 0.

SELF_GENERATED = f"{RUN}/self_generated"
SELF_GENERATED_FILES = [
    f"{SELF_GENERATED}/{name}"
    for name in ("values.zarr", "check.json")
    if CONFIG.self_generated.values
]
# The store that jobs of a search wait for.
FIRST_ROUND = SELF_GENERATED_FILES[:1] if CONFIG.search.keeps_first_round else []

if "self_generated" in sys.argv and not SELF_GENERATED_FILES:
    raise WorkflowError(
        "self_generated: found self_generated.values 0, wanted the number of values of a leaf, such"
        " as `self_generated: { values: 10 }` in a file for --configfile: docs/guide/search.md"
    )


rule self_generated:
    input:
        SELF_GENERATED_FILES,


use rule run_rule as generate_values with:
    input:
        unpack(of_blueprint),
    output:
        values=directory(f"{SELF_GENERATED}/values.zarr"),
        check=f"{SELF_GENERATED}/check.json",
    pathvars:
        job="self_generated/values",
    priority: 3  # the gain of search may wait for it
    threads: THREADS
    resources:
        mem_mb=3000,
        runtime=240,
    params:
        command=command(
            "stage self-generated --run {RUN} --config {config} --seed {seed}"
            " --out {output.values} --check {output.check}",
            config=as_json(CONFIG.self_generated),
            seed=CONFIG.seed,
        ),
        code=code_digest("self_generated.responses"),
