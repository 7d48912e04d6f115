# Buckets of turn and river after each flop that is made ahead; the search makes the others itself.

from sixmax.abstraction.flop import store as flop_buckets

SEARCH = f"{RUN}/search"
FLOPS = flop_buckets.chosen(CONFIG.search.flops, CONFIG.deck.ranks, CONFIG.seed)
SHOWN_FLOPS = flop_buckets.shown(FLOPS, CONFIG.seed)
SEARCH_CONFIG = CONFIG.search.complete()


rule search:
    input:
        f"{SEARCH}/settings.json",
        flop_files("zarr", FLOPS),
        flop_files("json", FLOPS),
        flop_files("png", SHOWN_FLOPS),


# For commands by hand; jobs are given the section itself.
use rule run_rule as search_settings with:
    output:
        f"{SEARCH}/settings.json",
    pathvars:
        job="search/settings",
    params:
        command=command(
            "stage search-settings --config {config} --out {output}",
            config=SEARCH_CONFIG,
        ),
        code=code_digest("search.settings"),


# A rule each: the files of a job have no wildcard in common. The shown few come from a second seed,
# too, and have a picture.
for part in flop_buckets.parts(FLOPS, CONFIG.seed):

    rule:
        name:
            f"flop_{part[0]:04d}"
        input:
            preflop=f"{ABSTRACTION}/preflop.zarr",
            river=f"{ABSTRACTION}/river.zarr",
        output:
            buckets=[directory(store) for store in flop_files("zarr", part)],
            quality=flop_files("json", part),
            picture=flop_files("png", part) if part == SHOWN_FLOPS else [],
        log:
            f"{RUN}/logs/search/flop/{part[0]:04d}.log",
        benchmark:
            f"{RUN}/benchmarks/search/flop/{part[0]:04d}.tsv"
        priority: 3 if CONFIG.on_flops else 0  # the gain of search waits for them
        threads: 1
        resources:
            mem_mb=1000,
            runtime=30,
        params:
            command=command(
                "flop {flops} --run {RUN} --buckets {buckets} {second}",
                flops=[f"{flop:04d}" for flop in part],
                buckets=CONFIG.search.buckets,
                second=["--second"] * (part == SHOWN_FLOPS),
            ),
            code=code_digest("abstraction.flop.store"),
        shell:
            """
            SIXMAX_THREADS={threads} sixmax {params.command} 2>&1 | tee_job {log:q}
            """
