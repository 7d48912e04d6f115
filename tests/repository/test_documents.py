"""The pages: links lead somewhere, commands exist as shown."""

import itertools
import re
import shlex

import click
import pytest

from processes import PYTHON, ROOT, printed
from sixmax.cli import COMMANDS, STAGES, app

FIRST = ["README.md", "CONTRIBUTING.md", "config/README.md"]
PAGES = [*(ROOT / name for name in FIRST), *sorted((ROOT / "docs").rglob("*.md"))]
NAMES = [page.relative_to(ROOT).as_posix() for page in PAGES]


@pytest.mark.parametrize("page", PAGES, ids=NAMES)
def test_links__lead_to_files_and_headings_that_exist(page):
    for target in re.findall(r"\]\(([^)\s]+)\)", page.read_text(encoding="utf-8")):
        if target.startswith("http"):
            continue
        name, _, heading = target.partition("#")
        file = (page.parent / name).resolve() if name else page
        assert file.exists(), target
        if heading:
            assert heading in headings(file), target


def headings(page):
    """The anchors of a page's headings, as code hosts make them."""
    titles = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.M)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


OPEN = {"…", "NAME"}  # in the place of words
RECIPE = "stacks"  # the command that docs/guide/extend.md adds


@pytest.fixture
def elsewhere(tmp_path, monkeypatch):
    """A folder with one run, which commands without --run find, and no file of an example."""
    (tmp_path / "results" / "tiny" / "blueprint" / "strategy.zarr").mkdir(parents=True)
    monkeypatch.chdir(tmp_path)


@pytest.mark.usefixtures("elsewhere")
@pytest.mark.parametrize("page", PAGES, ids=NAMES)
def test_commands__exist_and_are_complete(page):
    """Lines of shell blocks, and code within the text that names a run, lack no option."""
    text = page.read_text(encoding="utf-8")
    for line in shell_lines(text):
        check(line, complete=True)
    for line in inline_commands(text):
        check(line, complete="--run" in line)


@pytest.mark.usefixtures("elsewhere")
@pytest.mark.parametrize("name", [*COMMANDS, *(f"stage {name}" for name in STAGES)])
def test_examples__of_the_help_are_complete(name):
    text = re.sub(r" *\\\n *|(?<=,)\n *", " ", found(name.split())[0].help)
    for line in text.splitlines():
        if line.startswith("sixmax "):
            check(line.partition("  ")[0], complete=True)  # some say beside it what they show


def shell_lines(text):
    """The lines of shell blocks, and of sessions after `$ `; a backslash joins two."""
    for kind, block in re.findall(r"```(\w*)\n(.*?)```", text, re.S):
        lines = block.replace("\\\n", " ").splitlines()
        if kind == "sh":
            yield from lines
        elif not kind:
            yield from (line[2:] for line in lines if line.startswith("$ "))


def inline_commands(text):
    """Code in lines and in the cells of tables that begins with the name of the program."""
    return re.findall(r"`(sixmax [^`]+)`", re.sub(r"```.*?```", "", text, flags=re.S))


def check(line, complete):
    """Fail where a line of sixmax names what is not there or, if ``complete``, lacks something."""
    words = shlex.split(line, comments=True)
    if words[:1] != ["sixmax"] or words[1:2] == [RECIPE]:
        return
    ends = (n for n, word in enumerate(words) if re.match(r"[|&;]|\d?>", word))
    command, rest = found(words[1 : next(ends, None)])
    if complete and not OPEN & set(words):
        command.make_context(command.name, list(rest))
    known = {name for each in command.params for name in each.opts + each.secondary_opts}
    known |= {"--help", "--version"}
    assert {word.split("=")[0] for word in rest if word.startswith("--")} <= known, line


def found(words):
    """The command that ``words`` begin with, and the words after its name."""
    command = app
    while isinstance(command, click.Group) and words and words[0][:1].islower():
        name, *words = words
        command = command.get_command(click.Context(command), name)
        assert command is not None, name
    return command, words


def test_index__names_every_page():
    index = (ROOT / "docs" / "README.md").read_text(encoding="utf-8")
    for page in (ROOT / "docs").rglob("*.md"):
        name = page.relative_to(ROOT / "docs").as_posix()
        assert name == "README.md" or f"({name})" in index, name


RESULTS = sorted((ROOT / "docs" / "results").glob("*.md"))
STUDIES = sorted((ROOT / "docs" / "notebook").rglob("*.md"))


@pytest.mark.parametrize("page", RESULTS, ids=[page.stem for page in RESULTS])
def test_results__are_a_question_a_picture_a_table_and_a_command(page):
    text = page.read_text(encoding="utf-8")
    tables = re.findall(r"(?:^\|.*\n)+", text, re.M)
    assert len(text.split()) <= 900
    assert "?" in text.split("![")[0]  # the question comes before the picture
    assert len(tables) == 1
    assert len(tables[0].splitlines()) - 2 <= 10
    assert re.search(r"^```sh$", text, re.M)
    assert re.search("do(es)? not show", text)
    for name in re.findall(r"!\[.*?\]\((.*?)\)", text):
        assert (page.parent / name).stat().st_size < 80_000


NUMBER = re.compile(r"\d*[\d,]*\.?\d+")


ESTIMATE = re.compile(
    rf"{NUMBER.pattern}\**(?: ± | \([+−]?){NUMBER.pattern}(?:(?: to |–)[+−]?{NUMBER.pattern})?"
)


def consecutive(words):
    return set(itertools.pairwise(words))


def test_results__have_no_number_that_the_notebook_lacks():
    """Numbers of commands and links apart; an estimate has its own interval there too."""
    words, pairs = set(), set()
    for page in [*STUDIES, ROOT / "benchmarks" / "README.md"]:
        said = NUMBER.findall(re.sub(r"\]\([^)]*\)", "", page.read_text(encoding="utf-8")))
        words |= set(said)
        pairs |= consecutive(said)
    assert len(words) > 2000
    for page in RESULTS:
        text = re.sub(r"```.*?```|`[^`]*`|\]\([^)]*\)", "", page.read_text(), flags=re.S)
        assert set(NUMBER.findall(text)) <= words, page
        for found in ESTIMATE.finditer(text):
            assert consecutive(NUMBER.findall(found[0])) <= pairs, (page, found[0])


@pytest.mark.parametrize("page", STUDIES, ids=[f"{p.parent.name}/{p.stem}" for p in STUDIES])
def test_notebook__begins_with_day_machine_and_commit_and_its_page_leads_there(page):
    title, first, *_ = page.read_text(encoding="utf-8").split("\n\n")
    assert title.startswith("# ")
    day = r"2026-\d\d-\d\d"
    assert re.match(rf"{day}( to {day})?; [^;]+; commit [0-9a-f]{{8,}}\.", first)
    owner = ROOT / "docs" / "results" / f"{page.parent.name}.md"
    assert f"(../notebook/{page.parent.name}/{page.name})" in owner.read_text(encoding="utf-8")


def test_pictures__are_drawn_from_tables_that_are_there(tmp_path):
    code = "import sys, pathlib, pictures; pictures.main(pathlib.Path('.'))"
    printed(PYTHON, "-c", code, cwd=tmp_path, PYTHONPATH=str(ROOT / "docs" / "results"))
    kept = {page.stem for page in RESULTS} - {"training"}  # its picture is of a league
    assert {picture.stem for picture in tmp_path.glob("*.png")} == kept
    for name in kept:
        assert f"({name}.png)" in (ROOT / "docs" / "results" / f"{name}.md").read_text()


def test_departures__from_the_paper_are_listed_once_for_each_mark():
    text = (ROOT / "docs" / "paper.md").read_text(encoding="utf-8").partition("## Departures")[2]
    files = [*(ROOT / "src").rglob("*.py"), *(ROOT / "config").rglob("*.yaml")]
    marked = {}
    for file in files:
        if count := file.read_text(encoding="utf-8").count("ASSUME"):
            marked[file.relative_to(ROOT).as_posix()] = count
    assert len(marked) > 5
    for name, count in marked.items():
        assert text.count(f"`{name}`") == count, name
