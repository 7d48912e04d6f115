# Buckets of turn and river after each flop that is made ahead; the search makes the others itself.

from sixmax.abstraction.flop import store as flop_buckets

SEARCH = f"{RUN}/search"
FLOPS = flop_buckets.chosen(CONFIG.search.flops, CONFIG.deck.ranks, CONFIG.seed)
SHOWN_FLOPS = flop_buckets.shown(FLOPS, CONFIG.seed)
FLOP_STORES = expand(f"{SEARCH}/flop/{{flop:04d}}.zarr", flop=FLOPS)
ON_FLOPS = ["--flops", len(FLOPS)] if CONFIG.evaluation.search_flops else []
GAIN_FLOPS = flops_read(bool(ON_FLOPS))


ruleorder: flop_shown > flop


rule search:
    input:
        FLOP_STORES,
        expand(f"{SEARCH}/flop/{{flop:04d}}.json", flop=FLOPS),
        expand(f"{SEARCH}/flop/{{flop:04d}}.png", flop=SHOWN_FLOPS),


use rule run_rule as flop with:
    input:
        preflop=f"{ABSTRACTION}/preflop.zarr",
        river=f"{ABSTRACTION}/river.zarr",
    output:
        buckets=directory(f"{SEARCH}/flop/{{flop}}.zarr"),
        quality=f"{SEARCH}/flop/{{flop}}.json",
    pathvars:
        job="search/flop/{flop}",
    wildcard_constraints:
        flop=r"\d{4}",
    priority: 3 if GAIN_FLOPS else 0  # the gain of search waits for them
    params:
        command=command(
            "flop {wildcards.flop} --run {RUN} --buckets {buckets}",
            buckets=CONFIG.search.buckets,
        ),
        code=code_digest("abstraction.flop.store"),


# A drawn few are clustered from a second seed too, and have a picture.
use rule flop as flop_shown with:
    output:
        buckets=directory(f"{SEARCH}/flop/{{flop}}.zarr"),
        quality=f"{SEARCH}/flop/{{flop}}.json",
        picture=f"{SEARCH}/flop/{{flop}}.png",
    wildcard_constraints:
        flop="|".join(f"{flop:04d}" for flop in SHOWN_FLOPS) or "none",
    params:
        command=command(
            "flop {wildcards.flop} --run {RUN} --buckets {buckets} --second",
            buckets=CONFIG.search.buckets,
        ),
        code=code_digest("abstraction.flop.store"),
