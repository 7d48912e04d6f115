# A rule for each row of the table of measurements, src/sixmax/measurements.py: one job, or several
# whose parts are merged.

from functools import partial

from sixmax.measurements import MEASUREMENTS


def inputs_of(each, wildcards):
    """The inputs of a measurement."""
    on_flops = each.options(CONFIG).get("flops") is not None
    searched = {**of_search(wildcards), "flops": flops_read(on_flops)}
    needs = searched if each.needs(CONFIG) == "search" else of_blueprint(wildcards)
    stores = {name: f"{RUN}/{file}" for name, file in each.stores(CONFIG).items()}
    return {**needs, **stores}


def measuring(name, each, part=False):
    """The command of a measurement, or of a part of it."""
    values = {
        option or "argument": value
        for option, value in each.options(CONFIG).items()
        if value is not None
    }
    if part:
        share = partial(share_of, each)
        values |= {each.samples: share, "begin": lambda wildcards: int(wildcards.begin)}
    if each.needs(CONFIG) == "search":
        values |= {"config": SEARCH_CONFIG, "setting": SEARCH_SETTING}
    values |= {option: f"{RUN}/{file}" for option, file in each.stores(CONFIG).items()}
    words = [
        "{argument}" if option == "argument" else f"--{option} {{{option}}}"
        for option in values
    ]
    return command(
        f"{name} {' '.join(words)} --run {{RUN}} --out {{output[0]}}", **values
    )


def share_of(each, wildcards):
    """How many samples a part has."""
    return each.share(CONFIG, int(wildcards.begin))


def memory_of(each, wildcards, input):
    """Megabytes of a measurement."""
    searches = each.needs(CONFIG) == "search"
    return search_memory(wildcards, input) if searches else 2500 + megabytes(input)


def measured(*names):
    """The results of measurements that the config wants; of all without ``names``."""
    rows = [MEASUREMENTS[name] for name in names or MEASUREMENTS]
    return [f"{RUN}/{each.file}" for each in rows if each.wanted(CONFIG)]


def parts_of(each):
    """The results of the jobs that share a measurement."""
    folder = f"{RUN}/{each.file.removesuffix('.json')}"
    wanted = each.wanted(CONFIG)
    return (
        [f"{folder}/{begin:06d}.json" for begin in each.begins(CONFIG)]
        if wanted
        else []
    )


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
