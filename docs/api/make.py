"""Write the API pages from docstrings: ``python docs/api/make.py``; a test checks them.

``PAGES`` has the face, whose names keep their meaning, and parts behind it for those who go deeper.
A class brings its public methods. Sources are read, not imported, so that the pages are the same
with and without optional packages.
"""

import ast
import inspect
import re
from pathlib import Path

FOLDER = Path(__file__).parent
SOURCES = FOLDER.parents[1] / "src"
PAGES = {
    "face": (
        "The face: import sixmax",
        {
            "sixmax.api.run": ["open", "OpenedRun", "Agent"],
            "sixmax.api.spot": ["Spot", "SearchedSpot"],
            "sixmax.api.strategy": ["Strategy", "Mix", "Range"],
            "sixmax.api.decision": ["DecisionPoint", "EV", "HandEV", "MeanChips"],
            "sixmax.api.play": ["match", "LiveTable"],
            "sixmax.scores.statistics": ["Result"],
            "sixmax.api.solve": ["solve", "GameSolution", "ListedSpot"],
            "sixmax.api.endgame": ["endgame", "Endgame"],
            "sixmax.api.endgame_solution": ["EndgameSolution", "EndgameSpot"],
            "sixmax.games.listed": ["game", "ListedGame"],
        },
    ),
    "run": (
        "Parts: open a run and look things up",
        {
            "sixmax.blueprint.run": ["open_run", "Run", "snapshots"],
            "sixmax.blueprint.packed": ["folder_of"],
            "sixmax.store.io": ["read", "Store"],
            "sixmax.ongoing.preflop_chart": ["find", "class_strategy", "preflop_table"],
            "sixmax.ongoing.hand": ["Hand", "Play", "blueprint_buckets", "blueprint_rows"],
            "sixmax.betting.tree": ["Tree"],
            "sixmax.betting.state": ["Betting"],
            "sixmax.cards.deck": [
                "parse_cards", "format_cards", "hole_id", "hole_cards", "classes", "class_names",
            ],
        },
    ),
    "search": (
        "Parts: search",
        {
            "sixmax.search.settings": ["search_config"],
            "sixmax.search.config": ["SearchConfig"],
            "sixmax.search.advice": ["advise", "position", "follow", "text"],
            "sixmax.search.searcher": ["Searcher"],
            "sixmax.search.public_hand": ["PublicHand"],
            "sixmax.search.result": ["Position", "SearchResult", "SearchCache"],
        },
    ),
    "match": (
        "Parts: agents, matches and hands",
        {
            "sixmax.agents.registry": ["open_agents"],
            "sixmax.evaluation.match.duplicate": ["protocol", "play", "net_chips"],
            "sixmax.agents.open_players": ["open_players"],
            "sixmax.agents.player": ["Player"],
            "sixmax.evaluation.match.by_hand": ["terms", "play", "play_hand"],
            "sixmax.scores.statistics": ["Protocol", "Sums", "Result", "interval"],
            "sixmax.hands.record": ["Record", "record", "from_line"],
            "sixmax.hands.replay": ["replay", "records"],
            "sixmax.agents.openspiel.player": ["OpenSpielPlayer", "maker"],
            "sixmax.agents.openspiel.bot": ["SixmaxBot", "play", "StrategyBot", "strategy_of"],
        },
    ),
}  # fmt: skip
_ROLE = re.compile(r":(?:func|class|mod|data|meth):`~?([^`]+)`")
_WIDE = 96  # a signature that is longer has a line for each argument
Function = ast.FunctionDef | ast.AsyncFunctionDef


def page(name: str) -> str:
    """The page ``name`` of ``PAGES``, as Markdown."""
    title, modules = PAGES[name]
    parts = [f"# {title}", "Made from docstrings by `make api`."]
    for module, names in modules.items():
        parts.append(f"## {module}")
        defined = {getattr(item, "name", ""): item for item in _parsed(module).body}
        for each in names:
            parts += _described(each, defined[each], "###")
    return "\n\n".join(parts) + "\n"


def _parsed(module: str) -> ast.Module:
    """The syntax tree of the file where ``module`` has its definitions."""
    file = SOURCES.joinpath(*module.split("."))
    path = file / "__init__.py" if file.is_dir() else file.with_suffix(".py")
    return ast.parse(path.read_text(encoding="utf-8"))


def _described(name: str, item: ast.AST, level: str) -> list[str]:
    """Heading, signature and docstring of a function or class, then its public methods."""
    parts = [f"{level} {name}"]
    if isinstance(item, Function):
        kinds = {ast.unparse(d) for d in item.decorator_list}
        if kinds & {"property", "functools.cached_property"}:
            named = ast.unparse(item.returns).strip("'") if item.returns else ""
            returns = f": {named}" if named else ""
            return [*parts, f"```python\n{name}{returns}\n```", _text(item)]
        return [*parts, _signature(name, item), _text(item)]
    methods = {part.name: part for part in item.body if isinstance(part, Function)}
    made = methods.get("__init__")
    parts += [_fields(name, item) if made is None else _signature(name, made), _text(item)]
    parts += [_text(made)] if made else []
    for own, part in methods.items():
        if not own.startswith("_") and ast.get_docstring(part):
            parts += _described(f"{name}.{own}", part, level + "#")
    return [part for part in parts if part]


def _signature(name: str, item: Function) -> str:
    returns = f" -> {ast.unparse(item.returns)}" if item.returns else ""
    given = item.args
    given.args = [each for each in given.args if each.arg != "self"]
    line = f"{name}({ast.unparse(given)}){returns}"
    if len(line) > _WIDE:
        first = [None] * (len(given.args) - len(given.defaults)) + given.defaults
        words = [
            ast.unparse(each) + (f" = {ast.unparse(default)}" if default else "")
            for each, default in zip(given.args, first, strict=True)
        ]
        line = f"{name}(\n" + "".join(f"    {word},\n" for word in words) + f"){returns}"
    return f"```python\n{line}\n```"


def _fields(name: str, item: ast.ClassDef) -> str:
    """The fields of a NamedTuple or dataclass; of a config section its name alone."""
    bases = {ast.unparse(base) for base in item.bases}
    fields = [ast.unparse(part) for part in item.body if isinstance(part, ast.AnnAssign)]
    if "Section" in bases or not fields:
        return f"```python\n{name}\n```"
    return f"```python\n{name}(\n" + "".join(f"    {field},\n" for field in fields) + ")\n```"


def _text(item: ast.AST) -> str:
    lines = inspect.cleandoc(ast.get_docstring(item) or "").splitlines()
    return "\n".join(_ROLE.sub(r"`\1`", line).replace("``", "`") for line in lines)


def main() -> None:
    for name in PAGES:
        (FOLDER / f"{name}.md").write_text(page(name), encoding="utf-8")


if __name__ == "__main__":
    main()
