# From a deck of cards to a six-player strategy, its matches and its report.
#
#   snakemake                                    the default run, whatever of it is missing
#   snakemake blueprint                          one stage and its inputs
#   snakemake --configfile config/tiny.yaml      another preset, in results/tiny
#   snakemake -n                                 the jobs that would run
#   snakemake validate                           the small games, whose answers are known
#   snakemake league                             agents of several runs against each other
#   snakemake pack                               the run in one file, to take home

from snakemake.utils import min_version

min_version("9.25")


configfile: workflow.source_path("config/default.yaml")


# Read with `--sdm apptainer` alone: an image with Python, in which sixmax is to be installed.
container: "docker://python:3.11"


include: "workflow/rules/common.smk"
include: "workflow/rules/run_rule.smk"
include: "workflow/rules/plan.smk"
include: "workflow/rules/abstraction.smk"
include: "workflow/rules/blueprint.smk"
include: "workflow/rules/shards.smk"
include: "workflow/rules/continuation.smk"
include: "workflow/rules/leaf_function.smk"
include: "workflow/rules/self_generated.smk"
include: "workflow/rules/search.smk"
include: "workflow/rules/evaluation/measured.smk"
include: "workflow/rules/evaluation/match.smk"
include: "workflow/rules/evaluation/aivat.smk"
include: "workflow/rules/evaluation/exploitability.smk"
include: "workflow/rules/evaluation/measurements.smk"
include: "workflow/rules/evaluation/search_gain.smk"
include: "workflow/rules/evaluation/experiments.smk"
include: "workflow/rules/report.smk"
include: "workflow/rules/pack.smk"
include: "workflow/rules/tables/validate.smk"
include: "workflow/rules/evaluation/league.smk"
include: "workflow/rules/tables/libratus.smk"
include: "workflow/rules/tables/modicum.smk"
include: "workflow/rules/improve.smk"


record_settings()


rule all:
    default_target: True
    input:
        rules.blueprint.input,
        rules.search.input,
        rules.leaf_function.input,
        rules.self_generated.input,
        rules.report.input,
