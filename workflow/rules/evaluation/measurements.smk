# A rule for each row of the table of measurements, src/sixmax/measurements.py: one job, or several
# whose parts are merged.

from functools import partial

for _name, _each in MEASUREMENTS.items():
    _job = _each.file.removesuffix(".json")
    _code = code_digest(_each.place.partition(":")[0])
    if _each.samples:

        rule:
            name:
                f"{_name}_part"
            input:
                unpack(partial(inputs_of, _each)),
            output:
                [f"{RUN}/{_job}/{{begin}}{end}.json" for end in ("", "_cost")],
            log:
                f"{RUN}/logs/{_job}/{{begin}}.log",
            benchmark:
                f"{RUN}/benchmarks/{_job}/{{begin}}.tsv"
            wildcard_constraints:
                begin=r"\d+",
            priority: 2
            threads: 1
            resources:
                mem_mb=partial(memory_of, _each),
                runtime=_each.minutes(CONFIG),
            params:
                command=measuring(_name, _each, part=True),
                code=_code,
            shell:
                "SIXMAX_THREADS={threads} sixmax {params.command} 2>&1 | tee_job {log:q}"

    rule:
        name:
            _name
        input:
            (parts_of(_each) if _each.samples else unpack(partial(inputs_of, _each))),
        output:
            [f"{RUN}/{file}" for file in _each.files],
        log:
            f"{RUN}/logs/{_job}.log",
        benchmark:
            f"{RUN}/benchmarks/{_job}.tsv"
        threads: 1
        resources:
            mem_mb=1000 if _each.samples else partial(memory_of, _each),
            runtime=5 if _each.samples else _each.minutes(CONFIG),
        params:
            command=(
                command(f"stage pool {_name} {{input}} --out {{output[0]}}")
                if _each.samples
                else measuring(_name, _each)
            ),
            code=_code,
        shell:
            "SIXMAX_THREADS={threads} sixmax {params.command} 2>&1 | tee_job {log:q}"
