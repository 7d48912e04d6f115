"""`make` as a user types it."""

from processes import ROOT, finished


def make(*words):
    """The finished `make words` in the repository, as if no make had begun these tests."""
    return finished("make", *words, MAKEFLAGS="", MAKELEVEL="0")


def test_help__lists_targets_and_presets():
    lines = make("help").stdout.splitlines()
    names = [line.split()[0] for line in lines]
    assert {"run", "test", "lint", "bench"} <= set(names)
    assert lines[-1].startswith("presets: ")
    assert {"default", "tiny"} <= set(lines[-1].split())


def test_shape__counts_by_the_file_that_holds_the_bounds():
    *_, module = make("-n", "shape").stdout.split()
    assert (ROOT / f"{module.replace('.', '/')}.py").is_file()


def test_run__of_a_preset_that_there_is_not_names_those_there_are():
    done = make("run", "PRESET=tny")
    assert done.returncode == 2
    said = done.stderr.splitlines()[0]
    assert said.startswith("no preset tny; presets: ")
    assert {"default", "tiny"} <= set(said.split())
