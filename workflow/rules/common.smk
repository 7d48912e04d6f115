# The config, checked; names that several rules use; bounds and locks of the whole run.

import atexit
import json
import re
import shlex
import sys
from pathlib import Path

from snakemake.utils import format as filled

from sixmax.base import locks
from sixmax.cards.deck import ROUNDS
from sixmax.blueprint import identity
from sixmax.blueprint.train import refuse_too_large
from sixmax.config import check, merged
from sixmax.base.config_section import read_again, read_yaml
from sixmax.base.errors import UserError
from sixmax.agents.registry import stores
from sixmax.base.code_digest import code_digest
from sixmax.studies.libratus import paper_tables as libratus_tables

sys.setrecursionlimit(20_000)  # the chain of intervals is as deep as it is long
BIN = shlex.quote(str(Path(sys.executable).parent))
# Jobs run side by side, so their lines begin with the name of the job, except in its log.
TEE = 'tee_job() {{ job=${{1#*/logs/}}; tee "$1" | sed -u "s|^|${{job%.log}}: |"; }}; '
shell.prefix(f'set -euo pipefail; export PATH={BIN}:"$PATH"; {TEE}')

try:
    for file in workflow.configfiles:
        read_yaml(file)  # refuses a key that stands twice; Snakemake takes the last
    CONFIG = check(merged(config, read_again(dict(workflow.config_settings.config))))
    RUN = f"results/{CONFIG.run}"
    SETTINGS = identity.settings(
        CONFIG.seed,
        CONFIG.deck.ranks,
        CONFIG.game,
        CONFIG.abstraction,
        CONFIG.blueprint,
    )
    identity.refuse_other(Path(RUN, "blueprint", "run.json"), SETTINGS)
    identity.refuse_shorter(Path(RUN, "blueprint"), CONFIG.blueprint.intervals)
except UserError as error:
    raise WorkflowError(str(error)) from None

# Beside the Snakefile, also where the one in workflow/ includes it.
BESIDE = Path(workflow.basedir)
CONFIG_FILES = (BESIDE.parent if BESIDE.name == "workflow" else BESIDE) / "config"
DECK = f"results/shared/deck{4 * CONFIG.deck.ranks}"
THREADS = CONFIG.machine.threads
HALF = max(1, THREADS // 2)  # of the cores, for jobs that have others beside them
TRAINING = {"train", "train_snapshot", "shard", "merge", "merge_snapshot"}  # rules
# The memory that jobs side by side may use together; `--resources mem_mb=…` is stronger.
workflow.global_resources.setdefault(
    "mem_mb", max(1, int(CONFIG.machine.memory_gb * 1000))
)


def of_run(wildcards):
    """The inputs of every stage that opens a run."""
    run, tree = rules.identity.output[0], rules.tree.output
    return {"run": run, "tree": tree, "buckets": BUCKET_STORES}


def of_blueprint(wildcards):
    """The inputs of a stage that plays the blueprint."""
    return {**of_run(wildcards), "blueprint": rules.average.output}


def of_search(wildcards):
    """The inputs of a stage that searches."""
    agent = [
        s for s in stores_of(CONFIG.search.blueprint) if s != rules.average.output[0]
    ]
    return {
        **of_blueprint(wildcards),
        "agent": agent,
        "continuation": rules.compress.output.strategies,
        "learned": LEARNED,
        "first_round": FIRST_ROUND,
    }


def command(text, **values):
    """A param: ``text``, each {field} of it filled with a value, in quotes where the shell needs it.

    Fields are ``values`` (functions of wildcards, too), wildcards, input, output and RUN.
    """
    text = " ".join(text.split())

    def chosen(wildcards):
        return {k: v(wildcards) if callable(v) else v for k, v in values.items()}

    def param(wildcards, input, output):
        files = {"wildcards": wildcards, "input": input, "output": output}
        return filled(text, _quote_all=True, **files, **chosen(wildcards))

    param.settings = lambda wildcards: f"{text} {chosen(wildcards)}"
    return param


def record_settings():
    """Make the values of every command a param of its own, which a change of the config changes.

    Snakemake remembers no param that looks at input or output, so it would not see the change.
    """
    for each in workflow.rules:
        if hasattr(each.params.get("command"), "settings"):
            each.set_params(settings=each.params.command.settings)


def as_json(section):
    """A config section as one argument of a command."""
    return section.model_dump_json()


def trained_on(wildcards):
    """The inputs of interval k; none where it is trained, so that nothing can call for it again.

    A later checkpoint says so too: those before the last two are dropped. Deltas that are left say
    that a merge was killed before Snakemake knew of its end: it will be asked for again.
    """
    folder, k = Path(RUN, "blueprint"), int(wildcards.k)
    kept = [folder / "history" / f"{wildcards.k}.json"]
    if k in SNAPSHOTS:
        kept.append(folder / "snapshot" / f"{wildcards.k}.zarr")
    reached = max((int(p.stem) for p in folder.glob("state/[0-9]*.zarr")), default=0)
    asked = workflow.dag_settings
    forced = asked.forceall or TRAINING & set(asked.forcerun)
    merging = k == reached and any((folder / "delta" / wildcards.k).glob("*.zarr"))
    if k <= reached and all(f.exists() for f in kept) and not merging and not forced:
        return {}
    before = [f"{folder}/state/{k - 1:05d}.zarr"] if k > 1 else []
    run, tree = rules.identity.output[0], rules.tree.output[0]
    return {"run": run, "tree": tree, "buckets": BUCKET_STORES, "before": before}


def added_up(wildcards):
    """The inputs of the merge of interval k: none where it is done."""
    before, k = trained_on(wildcards), wildcards.k
    shards = range(1, CONFIG.blueprint.shards + 1)
    deltas = [f"{BLUEPRINT}/delta/{k}/{s}-of-{len(shards)}.zarr" for s in shards]
    return {**before, "deltas": deltas} if before else {}


def megabytes(stores):
    """The size of finished stores on disk, and so in memory where their arrays are mapped."""
    files = [f for s in stores for f in Path(s).rglob("*")]
    return sum(f.stat().st_size for f in files) // 1_000_000


def take_features():
    """Lock the features that runs share, if a job of this run makes or reads them.

    Snakemake deletes what a job is to make before the job starts, so a lock within the job would
    come too late. A reader shares the lock, a maker holds it alone, both to the end of the run.
    """
    jobs = list(workflow.dag.needrun_jobs())
    makes = any(job.rule.name == "features" for job in jobs)
    if makes or any(Path(FEATURES) in Path(f).parents for j in jobs for f in j.input):
        locks.use(f"{FEATURES}/.lock", alone=makes)


def stores_of(*names):
    """The stores that agents are read from."""
    return [f"{RUN}/{store}" for store in stores(*names)]


def agents_memory(wildcards, input):
    """Megabytes: policies twice, to be safe."""
    return 700 + megabytes(input) + megabytes(input.agents)


def search_memory(wildcards, input):
    """Megabytes of a player who searches. Of the flops one at a time is in use."""
    return 2000 + megabytes(set(input) - set(input.get("flops", [])))


def flops_read():
    """The stores that a job waits for if it searches with buckets of its flops: it makes missing ones."""
    searched = CONFIG.search.at_speed(CONFIG.evaluation.search_setting)
    return flop_files("zarr", FLOPS) if searched.buckets else []


def flop_files(ending, flops):
    """The files of ``flops`` with that ending."""
    return expand(f"{SEARCH}/flop/{{flop:04d}}.{ending}", flop=flops)


def sample_of(wildcards):
    """How many situations k-means sees."""
    return getattr(CONFIG.abstraction.sample, wildcards.round, 1)


def figure_game(wildcards):
    """The game of the Modicum figure that a job is of."""
    return FIGURE.games[wildcards.game]


def figure_memory(wildcards):
    """Megabytes of a job that holds several strategies; 7.3 GB were measured with all flops."""
    return max(4000, int(1500 + 3.6 * figure_game(wildcards).game.flops))


def asked_begins(protocol):
    """The first deals of the jobs of a local best response to search."""
    return range(0, ASKED_DEALS[protocol] - 1, 25)


def asked_deals(wildcards):
    """How many deals such a job has."""
    begins, begin = asked_begins(wildcards.protocol), int(wildcards.begin)
    last = begin == begins[-1]
    return ASKED_DEALS[wildcards.protocol] - begin if last else begins.step


def asked_parts(wildcards):
    """The results of its jobs."""
    folder = f"{EVALUATION}/lbr_search/{wildcards.protocol}"
    return [f"{folder}/{begin:06d}.json" for begin in asked_begins(wildcards.protocol)]


def subgame_config(wildcards):
    """The search of a form of play from a round on."""
    first = libratus_tables.ROUNDS[wildcards.round]
    changes = {**libratus_tables.FORMS[wildcards.form].search, "first": first}
    return CONFIG.search.model_copy(update=changes).complete()


def subgame_hands(wildcards):
    """How many hands a job of a form of play has."""
    begin = int(wildcards.begin)
    last = begin == SUBGAME_BEGINS[-1]
    return CONFIG.evaluation.subgame_hands - begin if last else SUBGAME_BEGINS.step


def numbers(intervals, wanted=True):
    """A wildcard constraint: one of these intervals, or none where they are not wanted."""
    return "|".join(f"{k:05d}" for k in intervals if wanted) or "none"


def say_page(folder=Path.cwd()):
    """Print the page's path after a run that leaves it up to date: its last line."""
    dag = workflow.dag
    if dag is None or any(dag.needrun_jobs()):
        return
    page = rules.page.output[0]
    if Path(folder, page).exists() and any(job.rule.name == "page" for job in dag.jobs):
        print(f"report: {page}", file=sys.stderr, flush=True)


atexit.register(say_page)


onstart:
    try:
        names = {job.rule.name for job in workflow.dag.needrun_jobs()}
        if names & {"tree", *TRAINING}:
            refuse_too_large(
                CONFIG.game,
                CONFIG.bucket_counts,
                CONFIG.machine.memory_gb,
                *CONFIG.blueprint.tables(),
            )
        if names & VALIDATION_RULES:
            locks.hold(f"{VALIDATION}/.lock")
        if names & LEAGUE_RULES:
            locks.hold(f"{LEAGUE}/.lock")
        if names & LIBRATUS_RULES:
            locks.hold(f"{LIBRATUS}/.lock")
        if names & MODICUM_RULES:
            locks.hold(f"{MODICUM}/.lock")
        if names - VALIDATION_RULES - LEAGUE_RULES - LIBRATUS_RULES - MODICUM_RULES:
            locks.hold(f"{RUN}/.lock")
        take_features()
    except UserError as error:
        raise WorkflowError(str(error)) from None
