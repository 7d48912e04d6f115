"""Sources stay short and clear: what `make shape` counts, within bounds that fall.

Those of the tests may rise by the tests of a new behaviour.
"""

import ast
import collections
import functools
from pathlib import Path

import yaml

from sixmax.base.code_digest import PACKAGE, closure
from sixmax.cli import COMMANDS

ROOT = Path(__file__).parents[2]
MOST_KEYS = 75  # of config/default.yaml, those inside sections
MOST_COMMANDS = 40  # in `sixmax --help`
MOST_PARAMETERS = 12  # of a function of src
MOST_WIDE_FUNCTIONS = 75  # of src, with more than six parameters
MOST_LINES = {"src": 47_919, "tests": 43_029}
MOST_IMPORT_LINES = {"src": 3_608, "tests": 3_387}
# Lines that a part imports, its own included: as many there are to know, to change it.
MOST_LINES_BELOW = {
    "cfr.sampled.train": 3_820,
    "blueprint.train": 10_347,
    "search.searcher": 18_459,
}
MOST_LINES_A_FILE = 300
MOST_FILES_A_FOLDER = 13  # 12 modules and an `__init__`; one with more wants parts
FUNCTIONS = ast.FunctionDef, ast.AsyncFunctionDef
IMPORTS = ast.Import, ast.ImportFrom
DOCUMENTED = ast.Module, ast.ClassDef, *FUNCTIONS


@functools.cache
def sources(part):
    """{file: its lines} of a folder of the repository."""
    files = sorted((ROOT / part).rglob("*.py"))
    return {file: file.read_text(encoding="utf-8").splitlines() for file in files}


@functools.cache
def parsed(part):
    """(file, node) for every module, class, function and import of a folder."""
    trees = ((file, ast.parse("\n".join(lines))) for file, lines in sources(part).items())
    kinds = *DOCUMENTED, *IMPORTS
    return [(file, node) for file, tree in trees for node in ast.walk(tree) if type(node) in kinds]


def nodes(part, *kinds):
    return ((file, node) for file, node in parsed(part) if isinstance(node, kinds))


def parameters(function):
    """How many a caller may give: `self` and `cls` apart, `*` and `**` one each."""
    a = function.args
    names = [x.arg for x in (*a.posonlyargs, *a.args, *a.kwonlyargs, a.vararg, a.kwarg) if x]
    return len([name for name in names if name not in ("self", "cls")])


def keys(section):
    """The keys below ``section`` that hold no section themselves."""
    if not isinstance(section, dict) or not section:
        return 1
    return sum(map(keys, section.values()))


def counted():
    """{(what, where): (number of today, most)}."""
    default = yaml.safe_load((ROOT / "config" / "default.yaml").read_text(encoding="utf-8"))
    widths = [parameters(node) for _, node in nodes("src", *FUNCTIONS)]
    rows = {
        ("keys", "config/default.yaml"): (keys(default), MOST_KEYS),
        ("commands", "sixmax --help"): (len(COMMANDS), MOST_COMMANDS),
        ("parameters of a function", "src"): (max(widths), MOST_PARAMETERS),
        ("functions of more than six", "src"): (sum(n > 6 for n in widths), MOST_WIDE_FUNCTIONS),
    }
    for part, most in MOST_LINES.items():
        rows["lines", part] = sum(map(len, sources(part).values())), most
    for part, most in MOST_LINES_BELOW.items():
        files = closure(PACKAGE / f"{part.replace('.', '/')}.py")
        rows["lines to know", part] = sum(len(sources("src")[file]) for file in files), most
    for part, most in MOST_IMPORT_LINES.items():
        heights = [x.end_lineno - x.lineno + 1 for _, x in nodes(part, *IMPORTS)]
        rows["lines of imports", part] = sum(heights), most
    return rows


def main():
    for (what, where), (now, most) in counted().items():
        print(f"{now:7,} of at most {most:8,}  {what}, {where}")


def test_parameters__are_those_that_a_caller_may_give():
    expected = {"a, /, b, *c, d=1, **e": 5, "self, a, *, b": 2, "cls": 0}
    for given, number in expected.items():
        assert parameters(ast.parse(f"def f({given}): pass").body[0]) == number


def test_keys__are_the_leaves_of_sections():
    assert keys({"a": 1, "b": {"c": [1, 2], "d": {}}, "e": {"f": {"g": None}}}) == 4


def test_counted__is_no_more_than_it_was(capsys):
    assert {what: (now, most) for what, (now, most) in counted().items() if now > most} == {}
    main()
    assert f" of at most   {MOST_LINES['src']:,}  lines, src\n" in capsys.readouterr().out


def test_docstrings__first_lines_are_short():
    for part in ("src", "tests", "benchmarks", "docs"):
        for file, node in nodes(part, *DOCUMENTED):
            first, _, _ = (ast.get_docstring(node) or "").partition("\n")
            assert len(first) <= 90, f"{file}: {first}"


def test_classes__have_a_name_of_their_own():
    files = collections.defaultdict(list)
    for file, node in nodes("src", ast.ClassDef):
        if not node.name.startswith("_"):
            files[node.name].append(file.relative_to(ROOT).as_posix())
    assert {name: few for name, few in files.items() if len(few) > 1} == {}


def test_files__are_short_and_few_in_a_folder():
    assert [f for f, x in sources("src").items() if len(x) > MOST_LINES_A_FILE] == []
    files = [*sources("src"), *sources("tests")]
    counts = collections.Counter(file.parent for file in files if file.stem != "__main__")
    assert {str(x): n for x, n in counts.items() if n > MOST_FILES_A_FOLDER} == {}


if __name__ == "__main__":
    main()
