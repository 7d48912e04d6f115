# Inputs, command, memory and parts of a measurement, for the rules of the table of measurements.

from functools import partial

from sixmax.measurements import MEASUREMENTS


def inputs_of(each, wildcards):
    """The inputs of a measurement."""
    searched = {**of_search(wildcards), "flops": flops_read()}
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
