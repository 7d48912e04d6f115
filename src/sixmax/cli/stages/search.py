"""The command that keeps a run's search settings: search-settings."""

from typing import Any

import click

from sixmax.cli.options import OUT


@click.command()
@click.option("--config", required=True, help="The config section `search`, as JSON.")
@OUT
def search_settings(config: str, **options: Any) -> None:
    """Keep the settings of search in the run, for all commands that search.

    \b
    sixmax search-settings --config '{"first": 2}' --out results/default/search/settings.json
    """
    from sixmax.search.config import SearchConfig, keep

    keep(SearchConfig.parse_json(config, "search"), **options)
