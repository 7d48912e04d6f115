"""`sixmax new`: a project of one's own, from the repository and from the wheel alone."""

import shutil
from pathlib import Path

import pytest

from commands import called
from processes import PYTHON, ROOT, printed
from sixmax.base.errors import UserError
from sixmax.cli import new


def content(folder):
    return {p.relative_to(folder): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


@pytest.fixture(scope="module")
def laid_out(tmp_path_factory):
    """A project from the repository's own files."""
    folder = tmp_path_factory.mktemp("editable") / "deep" / "mine"
    assert "snakemake --configfile config/tiny.yaml" in called("new", folder).output
    return folder


def test_new__has_workflow_presets_profiles_and_an_empty_results(laid_out):
    names = {path.name for path in laid_out.iterdir()}
    assert names == {".gitignore", "Snakefile", "config", "profiles", "results", "workflow"}
    assert [path.name for path in laid_out.parent.iterdir()] == ["mine"]  # nothing aside
    assert [path.name for path in (laid_out / "results").iterdir()] == [".gitkeep"]
    assert (laid_out / "Snakefile").read_bytes() == (ROOT / "Snakefile").read_bytes()
    for part in set(new.PARTS) - {"Snakefile"}:
        assert content(laid_out / part) == content(ROOT / part)


def test_git__takes_the_project_and_leaves_its_results_out(laid_out):
    (laid_out / "results" / "tiny").mkdir()
    (laid_out / "results" / "tiny" / "x").touch()
    printed("git", "init", "-q", cwd=laid_out)
    printed("git", "add", ".", cwd=laid_out)
    listed = printed("git", "ls-files", cwd=laid_out).split()
    shutil.rmtree(laid_out / ".git")
    shutil.rmtree(laid_out / "results" / "tiny")
    assert "Snakefile" in listed
    assert [name for name in listed if "results" in name] == ["results/.gitkeep"]


def test_wheel__lays_out_the_same_project_and_snakemake_plans_it(laid_out, tmp_path):
    target, mine = tmp_path / "installed", tmp_path / "mine"

    def run(*words, cwd=tmp_path):
        return printed(PYTHON, *words, cwd=cwd, PYTHONPATH=str(target))

    run("-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path), cwd=ROOT)
    (wheel,) = tmp_path.glob("*.whl")
    run("-m", "pip", "install", "-q", "--no-deps", "--no-index", "--target", target, wheel)
    assert (target / "sixmax" / "py.typed").exists()
    run(target / "bin" / "sixmax", "new", mine)
    assert content(mine) == content(laid_out)
    planned = run("-m", "snakemake", "-n", "--configfile", "config/tiny.yaml", cwd=mine)
    assert "results/tiny/report/index.html" in planned
    assert run("-c", "import sixmax; print(sixmax.__file__)").startswith(str(target))


@pytest.mark.parametrize("found", ["folder", "file"])
def test_folder__that_holds_anything_is_refused_and_left_alone(tmp_path, found):
    folder = tmp_path / "mine"
    file = folder / "notes" if found == "folder" else folder
    file.parent.mkdir(exist_ok=True)
    file.write_text("mine")
    with pytest.raises(UserError, match="wanted a new folder, or an empty one") as error:
        new.lay_out(folder)
    assert "\n" not in str(error.value)
    assert content(tmp_path) == {file.relative_to(tmp_path): b"mine"}


def test_folder__that_is_empty_and_where_the_user_stands_is_taken(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    new.lay_out(Path("."))
    assert Path("Snakefile").is_file()
    assert not list(tmp_path.glob("*.tmp")) + list(tmp_path.glob(".*.tmp"))


@pytest.mark.parametrize("there", [False, True])
def test_failure__leaves_nothing(tmp_path, monkeypatch, there):
    folder = tmp_path / "mine"
    if there:
        folder.mkdir()

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(new.shutil, "copytree", full)
    with pytest.raises(OSError, match="No space"):
        new.lay_out(folder)
    assert list(tmp_path.rglob("*")) == ([folder] if there else [])


def test_package__without_a_workflow_says_how_to_install_it(tmp_path, monkeypatch):
    monkeypatch.setattr(new, "PACKAGE", tmp_path / "src" / "sixmax")
    with pytest.raises(UserError, match="wanted sixmax installed from its wheel"):
        new.lay_out(tmp_path / "mine")
    assert not (tmp_path / "mine").exists()
