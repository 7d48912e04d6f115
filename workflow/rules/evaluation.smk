# Duplicate matches, one job each; first-in play beside Pluribus's.

from sixmax.evaluation.agents.names import BASELINES, stores
from sixmax.evaluation.match.pairings import (BOUNDED_AGENTS, BOUNDS, bounded, judged, pairings)

EVALUATION = f"{RUN}/evaluation"
PAIRINGS = pairings(SNAPSHOTS, CONFIG.evaluation.early_snapshot)
SEARCHED = CONFIG.game.cards == "holdem" and len(CONFIG.game.rounds) == 4
ASKED = {"gain": CONFIG.evaluation.search_hands, "duel": CONFIG.evaluation.search_deals}
GAIN_BEGINS = range(0, ASKED["gain"] - 1, 100)  # a job each; the last has what is left
GAIN_PARTS = [f"{EVALUATION}/search/gain/{begin:06d}.json" for begin in GAIN_BEGINS]
SEARCH_RESULTS = [
    f"{EVALUATION}/search/{name}.json" for name in ASKED if SEARCHED and ASKED[name]
]
PLURIBUS_SEARCHED = CONFIG.evaluation.pluribus_search_hands
BOUNDED = CONFIG.evaluation.lbr_deals > 0 and bounded(CONFIG.game)
BOARDS = CONFIG.evaluation.all_in
ALL_IN = "" if BOARDS is None else f"--all-in {BOARDS}"
CLOSE = [p for p in PAIRINGS if p.a == "blueprint" and p.b not in BASELINES]
SCORED = CLOSE if CONFIG.evaluation.aivat_deals else []
AIVAT_FILES = [f"{EVALUATION}/aivat/{pairing.name}.json" for pairing in SCORED]
JUDGED = judged(CONFIG.game)


rule evaluation:
    input:
        f"{EVALUATION}/matches.json",
        f"{EVALUATION}/matches.txt",
        f"{EVALUATION}/firstin.json",
        SEARCH_RESULTS,
        f"{EVALUATION}/bounds.json" if BOUNDED else [],
        f"{EVALUATION}/response.json" if JUDGED else [],
        f"{EVALUATION}/pluribus.json" if CONFIG.evaluation.pluribus_hands else [],
        lambda wildcards: EXPERIMENT_FILES,
        AIVAT_FILES,


rule values:
    input:
        run=rules.identity.output[0],
        tree=rules.tree.output,
        buckets=BUCKET_STORES,
        blueprint=rules.average.output,
    output:
        directory(f"{EVALUATION}/values.zarr"),
    log:
        f"{RUN}/logs/evaluation/values.log",
    benchmark:
        f"{RUN}/benchmarks/evaluation/values.tsv"
    threads: THREADS
    resources:
        mem_mb=int(CONFIG.machine.memory_gb * 1000 / 2),
        runtime=30,
    params:
        folder=subpath(input.run, ancestor=2),
        hands=CONFIG.evaluation.values_hands,
        seed=CONFIG.seed,
        code=code_digest("evaluation.aivat.stage"),
    shell:
        """
        sixmax values --run {params.folder:q} --hands {params.hands} --seed {params.seed} \
            --out {output:q} --threads {threads} 2>&1 | tee {log:q}
        """


rule aivat:
    input:
        run=rules.identity.output[0],
        tree=rules.tree.output,
        buckets=BUCKET_STORES,
        values=rules.values.output,
        agents=lambda wildcards: [
            f"{RUN}/{s}" for s in stores(wildcards.a, wildcards.b)
        ],
        # The first compiles what the others then find compiled.
        first=lambda wildcards: ancient(
            AIVAT_FILES[: f"{wildcards.a}_vs_{wildcards.b}" != SCORED[0].name]
        ),
    output:
        f"{EVALUATION}/aivat/{{a}}_vs_{{b}}.json",
    log:
        f"{RUN}/logs/evaluation/aivat/{{a}}_vs_{{b}}.log",
    benchmark:
        f"{RUN}/benchmarks/evaluation/aivat/{{a}}_vs_{{b}}.tsv"
    wildcard_constraints:
        a=r"[a-z0-9-]+",
        b=r"[a-z0-9-]+",
    threads: 1
    resources:
        mem_mb=lambda wildcards, input: (
            700
            + megabytes(input)
            + megabytes(input.agents)  # policies twice, to be safe
        ),
        runtime=30,
    params:
        folder=subpath(input.run, ancestor=2),
        deals=CONFIG.evaluation.aivat_deals,
        seed=CONFIG.seed,
        code=code_digest("evaluation.aivat.stage"),
    shell:
        """
        sixmax aivat {wildcards.a} {wildcards.b} --run {params.folder:q} --values {input.values:q} \
            --deals {params.deals} --seed {params.seed} --out {output:q} --threads {threads} \
            2>&1 | tee {log:q}
        """


rule match:
    input:
        run=rules.identity.output[0],
        tree=rules.tree.output,
        buckets=BUCKET_STORES,
        agents=lambda wildcards: [
            f"{RUN}/{s}" for s in stores(wildcards.a, wildcards.b)
        ],
    output:
        f"{EVALUATION}/match/{{a}}_vs_{{b}}.json",
    log:
        f"{RUN}/logs/evaluation/match/{{a}}_vs_{{b}}.log",
    benchmark:
        f"{RUN}/benchmarks/evaluation/match/{{a}}_vs_{{b}}.tsv"
    wildcard_constraints:
        a=r"[a-z0-9-]+",
        b=r"[a-z0-9-]+",
    threads: 1
    resources:
        mem_mb=lambda wildcards, input: (
            700
            + megabytes(input)
            + megabytes(input.agents)  # policies twice, to be safe
        ),
        runtime=30,
    params:
        folder=subpath(input.run, ancestor=2),
        deals=CONFIG.evaluation.deals,
        all_in=ALL_IN,
        seed=CONFIG.seed,
        code=code_digest("evaluation.match.stage"),
    shell:
        """
        sixmax match {wildcards.a} {wildcards.b} --run {params.folder:q} --deals {params.deals} \
            --seed {params.seed} {params.all_in} --out {output:q} --threads {threads} 2>&1 | tee {log:q}
        """


rule matches:
    input:
        expand(f"{EVALUATION}/match/{{name}}.json", name=[p.name for p in PAIRINGS]),
    output:
        table=f"{EVALUATION}/matches.json",
        text=f"{EVALUATION}/matches.txt",
    log:
        f"{RUN}/logs/evaluation/matches.log",
    benchmark:
        f"{RUN}/benchmarks/evaluation/matches.tsv"
    threads: 1
    resources:
        mem_mb=1000,
        runtime=5,
    params:
        names=[p.name for p in PAIRINGS],
        code=code_digest("evaluation.match.stage"),
    shell:
        """
        sixmax matches {input:q} --out {output.table:q} --text {output.text:q} 2>&1 | tee {log:q}
        """


rule compare:
    input:
        run=rules.identity.output[0],
        tree=rules.tree.output,
        buckets=BUCKET_STORES,
        blueprint=rules.average.output,
    output:
        f"{EVALUATION}/firstin.json",
    log:
        f"{RUN}/logs/evaluation/compare.log",
    benchmark:
        f"{RUN}/benchmarks/evaluation/compare.tsv"
    threads: 1
    resources:
        mem_mb=int(CONFIG.machine.memory_gb * 1000 / 4),
        runtime=10,
    params:
        folder=subpath(input.run, ancestor=2),
        code=code_digest("evaluation.pluribus.stage"),
    shell:
        """
        sixmax compare --run {params.folder:q} --out {output:q} 2>&1 | tee {log:q}
        """


rule pluribus:
    input:
        run=rules.identity.output[0],
        tree=rules.tree.output,
        buckets=BUCKET_STORES,
        blueprint=rules.average.output,
        continuation=rules.compress.output.strategies if PLURIBUS_SEARCHED else [],
    output:
        f"{EVALUATION}/pluribus.json",
    log:
        f"{RUN}/logs/evaluation/pluribus.log",
    benchmark:
        f"{RUN}/benchmarks/evaluation/pluribus.tsv"
    threads: 1
    resources:
        mem_mb=lambda wildcards, input: 2000 + megabytes(input),
        runtime=15 + PLURIBUS_SEARCHED,
    params:
        folder=subpath(input.run, ancestor=2),
        hands=CONFIG.evaluation.pluribus_hands,
        searched=PLURIBUS_SEARCHED,
        setting=CONFIG.evaluation.search_setting,
        search=CONFIG.search.model_dump_json(exclude={"flops"}),
        seed=CONFIG.seed,
        code=code_digest("evaluation.pluribus.stage"),
    shell:
        """
        sixmax pluribus {params.hands:q} --run {params.folder:q} --seed {params.seed} \
            --searched {params.searched} --config {params.search:q} --setting {params.setting} \
            --out {output:q} --threads {threads} 2>&1 | tee {log:q}
        """


rule lbr:
    input:
        run=rules.identity.output[0],
        tree=rules.tree.output,
        buckets=BUCKET_STORES,
        blueprint=rules.average.output,
    output:
        f"{EVALUATION}/lbr/{{agent}}/{{protocol}}.json",
    log:
        f"{RUN}/logs/evaluation/lbr/{{agent}}/{{protocol}}.log",
    benchmark:
        f"{RUN}/benchmarks/evaluation/lbr/{{agent}}/{{protocol}}.tsv"
    wildcard_constraints:
        agent="|".join(BOUNDED_AGENTS),
        protocol="|".join(BOUNDS),
    threads: THREADS
    resources:
        mem_mb=lambda wildcards, input: 1500 + megabytes(input),
        runtime=60,
    params:
        folder=subpath(input.run, ancestor=2),
        deals=CONFIG.evaluation.lbr_deals,
        seed=CONFIG.seed,
        code=code_digest("evaluation.exploitability.lbr"),
    shell:
        """
        sixmax lbr {wildcards.protocol} --run {params.folder:q} --agent {wildcards.agent} \
            --deals {params.deals} --seed {params.seed} --out {output:q} --threads {threads} \
            2>&1 | tee {log:q}
        """


rule bounds:
    input:
        expand(
            f"{EVALUATION}/lbr/{{agent}}/{{name}}.json",
            agent=BOUNDED_AGENTS,
            name=BOUNDS,
        ),
    output:
        table=f"{EVALUATION}/bounds.json",
        text=f"{EVALUATION}/bounds.txt",
    log:
        f"{RUN}/logs/evaluation/bounds.log",
    benchmark:
        f"{RUN}/benchmarks/evaluation/bounds.tsv"
    threads: 1
    resources:
        mem_mb=1000,
        runtime=5,
    params:
        code=code_digest("evaluation.exploitability.lbr"),
    shell:
        """
        sixmax bounds {input:q} --out {output.table:q} --text {output.text:q} 2>&1 | tee {log:q}
        """


rule response:
    input:
        run=rules.identity.output[0],
        tree=rules.tree.output,
        buckets=BUCKET_STORES,
        blueprint=rules.average.output,
    output:
        f"{EVALUATION}/response.json",
    log:
        f"{RUN}/logs/evaluation/response.log",
    benchmark:
        f"{RUN}/benchmarks/evaluation/response.tsv"
    threads: 1
    resources:
        mem_mb=lambda wildcards, input: 2500 + megabytes(input),
        runtime=30,
    params:
        folder=subpath(input.run, ancestor=2),
        code=code_digest("evaluation.exploitability.best_response"),
    shell:
        """
        sixmax response --run {params.folder:q} --out {output:q} 2>&1 | tee {log:q}
        """


rule compare_snapshot:
    input:
        run=rules.identity.output[0],
        tree=rules.tree.output,
        buckets=BUCKET_STORES,
        snapshot=f"{BLUEPRINT}/snapshot/{{k}}.zarr",
    output:
        f"{EVALUATION}/firstin/snapshot-{{k}}.json",
    log:
        f"{RUN}/logs/evaluation/firstin/{{k}}.log",
    benchmark:
        f"{RUN}/benchmarks/evaluation/firstin/{{k}}.tsv"
    wildcard_constraints:
        k=numbers(SNAPSHOTS),
    threads: 1
    resources:
        mem_mb=int(CONFIG.machine.memory_gb * 1000 / 4),
        runtime=10,
    params:
        folder=subpath(input.run, ancestor=2),
        code=code_digest("evaluation.pluribus.stage"),
    shell:
        """
        sixmax compare --run {params.folder:q} --agent snapshot-{wildcards.k} --out {output:q} \
            2>&1 | tee {log:q}
        """


rule gain_part:
    input:
        run=rules.identity.output[0],
        tree=rules.tree.output,
        buckets=BUCKET_STORES,
        blueprint=rules.average.output,
        continuation=rules.compress.output.strategies,
        # The first compiles what the others then find compiled.
        first=lambda wildcards: ancient(GAIN_PARTS[: int(wildcards.begin) > 0]),
    output:
        result=f"{EVALUATION}/search/gain/{{begin}}.json",
        cost=f"{EVALUATION}/search/gain/{{begin}}_cost.json",
    log:
        f"{RUN}/logs/evaluation/search/gain/{{begin}}.log",
    benchmark:
        f"{RUN}/benchmarks/evaluation/search/gain/{{begin}}.tsv"
    wildcard_constraints:
        begin=r"\d+",
    threads: 1
    resources:
        mem_mb=lambda wildcards, input: 2000 + megabytes(input),
        runtime=120,
    params:
        folder=subpath(input.run, ancestor=2),
        begin=lambda wildcards: int(wildcards.begin),
        hands=lambda wildcards: (
            GAIN_BEGINS.step
            if int(wildcards.begin) < GAIN_BEGINS[-1]
            else ASKED["gain"] - int(wildcards.begin)
        ),
        seed=CONFIG.seed,
        setting=CONFIG.evaluation.search_setting,
        search=CONFIG.search.model_dump_json(exclude={"flops"}),
        code=code_digest("evaluation.search_gain.stage"),
    shell:
        """
        sixmax gain --run {params.folder:q} --begin {params.begin} --hands {params.hands} \
            --seed {params.seed} --config {params.search:q} --setting {params.setting} \
            --out {output.result:q} --threads {threads} 2>&1 | tee {log:q}
        """


rule gain:
    input:
        GAIN_PARTS,
    output:
        result=f"{EVALUATION}/search/gain.json",
        cost=f"{EVALUATION}/search/gain_cost.json",
    log:
        f"{RUN}/logs/evaluation/search/gain.log",
    benchmark:
        f"{RUN}/benchmarks/evaluation/search/gain.tsv"
    threads: 1
    resources:
        mem_mb=500,
        runtime=5,
    params:
        code=code_digest("evaluation.search_gain.merge"),
    shell:
        """
        sixmax gains {input:q} --out {output.result:q} 2>&1 | tee {log:q}
        """


rule duel:
    input:
        run=rules.identity.output[0],
        tree=rules.tree.output,
        buckets=BUCKET_STORES,
        blueprint=rules.average.output,
        continuation=rules.compress.output.strategies,
        values=rules.values.output if CONFIG.evaluation.aivat_deals else [],
    output:
        result=f"{EVALUATION}/search/duel.json",
        cost=f"{EVALUATION}/search/duel_cost.json",
    log:
        f"{RUN}/logs/evaluation/search/duel.log",
    benchmark:
        f"{RUN}/benchmarks/evaluation/search/duel.tsv"
    threads: 1
    resources:
        mem_mb=lambda wildcards, input: 2000 + megabytes(input),
        runtime=60 + CONFIG.game.seats * ASKED["duel"],
    params:
        folder=subpath(input.run, ancestor=2),
        deals=ASKED["duel"],
        values=lambda wildcards, input: (
            ["--values", input.values] if input.values else []
        ),
        seed=CONFIG.seed,
        setting=CONFIG.evaluation.search_setting,
        search=CONFIG.search.model_dump_json(exclude={"flops"}),
        code=code_digest("evaluation.search_gain.stage"),
    shell:
        """
        sixmax duel --run {params.folder:q} --deals {params.deals} --seed {params.seed} \
            --config {params.search:q} --setting {params.setting} {params.values:q} \
            --out {output.result:q} --threads {threads} 2>&1 | tee {log:q}
        """
