# Buckets of turn and river after each flop that is made ahead; the search makes the others itself.

from sixmax.abstraction.flop import store as flop_buckets

SEARCH = f"{RUN}/search"
FLOPS = flop_buckets.chosen(CONFIG.search.flops, CONFIG.deck.ranks, CONFIG.seed)


rule search:
    input:
        expand(f"{SEARCH}/flop/{{flop:04d}}.zarr", flop=FLOPS),
        expand(f"{SEARCH}/flop/{{flop:04d}}.json", flop=FLOPS),
        expand(f"{SEARCH}/flop/{{flop:04d}}.png", flop=FLOPS),


rule flop:
    input:
        preflop=f"{ABSTRACTION}/preflop.zarr",
        river=f"{ABSTRACTION}/river.zarr",
    output:
        buckets=directory(f"{SEARCH}/flop/{{flop}}.zarr"),
        quality=f"{SEARCH}/flop/{{flop}}.json",
        picture=f"{SEARCH}/flop/{{flop}}.png",
    log:
        f"{RUN}/logs/search/flop/{{flop}}.log",
    benchmark:
        f"{RUN}/benchmarks/search/flop/{{flop}}.tsv"
    wildcard_constraints:
        flop=r"\d{4}",
    threads: 1
    resources:
        mem_mb=800,
        runtime=5,
    params:
        folder=subpath(output.quality, ancestor=3),
        buckets=CONFIG.search.buckets,
        code=code_digest("abstraction.flop.store"),
    shell:
        """
        sixmax flop {wildcards.flop} --run {params.folder:q} --buckets {params.buckets} \
            --threads {threads} 2>&1 | tee {log:q}
        """
