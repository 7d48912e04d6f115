"""`snakemake` and `sixmax` in forks of a process that is ready for them.

A start then takes a twentieth of a second rather than one, or three. Jobs of a forked workflow are
forks too, where a test asks for that. Tests of what a process does start the command itself, as a
user does: the validation of test_validate.py, faults, and the slow ones.
"""

import atexit
import contextlib
import functools
import gc
import importlib
import json
import os
import re
import select
import shutil
import socket
import subprocess
import sys
import tempfile
import traceback
from pathlib import Path

import numpy as np

from sixmax.base.jit import njit

ROOT = Path(__file__).parents[2]
ASK = """\
import json, os, socket, sys
asked = socket.socket(socket.AF_UNIX)
asked.connect(sys.argv[1])
socket.send_fds(asked, [b"x"], [0, 1, 2])
request = {"arguments": sys.argv[2:], "cwd": os.getcwd(), "environment": dict(os.environ)}
asked.sendall(json.dumps(request).encode())
asked.shutdown(socket.SHUT_WR)
sys.exit(int(asked.recv(9) or 1))
"""


def snakemake(*arguments, cwd, jobs=False):
    """The finished process of `snakemake arguments` in ``cwd``, with its output as text.

    With ``jobs``, each `sixmax` that it starts is a fork as well.
    """
    return _ask("snakemake", arguments, cwd, jobs)


def sixmax(*arguments, cwd=ROOT):
    """The same of `sixmax arguments`."""
    return _ask("sixmax", arguments, cwd)


def without_jobs(*arguments):
    """`snakemake arguments` that plans or refuses, in a fifth of the time of a start."""
    return snakemake(*arguments, cwd=ROOT)


def folder(path, preset="tiny"):
    """Options that put `results` below a folder of the test's own."""
    return ["--directory", str(path), "--configfile", str(ROOT / "config" / f"{preset}.yaml")]


def planned(path, *targets, preset="tiny", own=None, refused=False, dry=True):
    """The words of a dry run of ``targets`` below ``path``, of a preset changed by ``own`` YAML.

    Where it is to be ``refused``, those of the error too. Not ``dry``, it would begin.
    """
    files = [ROOT / "config" / f"{preset}.yaml"] if preset else []
    if own is not None:
        files.append(path / "own.yaml")
        files[-1].write_text(own, encoding="utf-8")
    configs = ["--configfile", *map(str, files)] if files else []
    words = ["-np"] * dry + [*targets, "--directory", str(path), *configs]
    done = without_jobs(*words)
    said = done.stdout + done.stderr
    assert (done.returncode != 0) == refused, said
    assert "Traceback" not in said
    return said if refused else done.stdout


def jobs_of(said):
    """The number of jobs of each rule, by the table of a dry run."""
    return {rule: int(n) for rule, n in re.findall(r"^(\w+)\s+(\d+)$", said, re.M)}


def working_copy(folder, parts=("workflow", "profiles", "config")):
    """A copy of the workflow in ``folder``, with the Snakefile."""
    for name in parts:
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / name, folder / name, ignore=ignored)
    shutil.copy(ROOT / "Snakefile", folder)
    return folder


def _ask(program, arguments, cwd, jobs=False):
    with tempfile.TemporaryDirectory() as folder:
        request = {"arguments": arguments, "cwd": str(cwd), "out": folder, "jobs": jobs}
        server = _server()
        server.stdin.write(json.dumps({"program": program, **request}) + "\n")
        server.stdin.flush()
        status = int(server.stdout.readline())
        texts = [Path(folder, name).read_text() for name in ("1", "2")]
    return subprocess.CompletedProcess(arguments, status, *texts)


@functools.cache
def _server():
    server = subprocess.Popen(
        [sys.executable, __file__], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    atexit.register(server.wait)
    atexit.register(server.kill)  # before
    return server


def serve():
    """Fork for each request on standard input; the exit status of the fork is the answer."""
    get_ready()
    for line in sys.stdin:
        child = os.fork()
        if child == 0:
            run(**json.loads(line))
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)


def get_ready():
    """Once what each start needs: imports, digests of the code, the flops to make ahead."""
    imported = re.findall(r"^from (sixmax\S*) import (\w+)", rules(), re.M)
    ahead = ("cli", "executors.local", "report")
    ahead = [*(f"snakemake.{name}" for name in ahead), "pandas", "smart_open"]
    for name in (*ahead, *(name for name, _ in imported)):
        importlib.import_module(name)
    for package, name in imported:  # modules of packages
        with contextlib.suppress(ImportError):
            importlib.import_module(f"{package}.{name}")
    from snakemake.cli import get_argument_parser

    from sixmax.abstraction.flop.store import chosen
    from sixmax.base.code_digest import code_digest

    get_argument_parser()  # looks for plugins, once
    chosen(1, 6, 0)
    for module in stages():
        code_digest(module)


def rules():
    return "\n".join(file.read_text() for file in (ROOT / "workflow" / "rules").rglob("*.smk"))


def stages():
    """The modules of the stages that rules run."""
    return sorted(set(re.findall(r'code_digest\("([\w.]+)"\)', rules())))


def run(program, arguments, cwd, out, jobs):
    """Be ``program``, its output in files of ``out``, then exit."""
    for number in (1, 2):
        os.dup2(os.open(Path(out, str(number)), os.O_WRONLY | os.O_CREAT), number)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    with forks_of_jobs(out) if jobs else contextlib.nullcontext():
        status = called(program, arguments, cwd)
    os._exit(status)


def called(program, arguments, cwd):
    """The exit status of ``program``, whose function is called as in a process of its own."""
    os.chdir(cwd)
    sys.argv = [program, *arguments]
    status = 1
    try:
        module = {"snakemake": "snakemake.cli", "sixmax": "sixmax.cli"}[program]
        status = importlib.import_module(module).main() or 0
    except SystemExit as stop:
        status = stop.code if isinstance(stop.code, int) else int(stop.code is not None)
    except BaseException:
        traceback.print_exc()
    finally:
        atexit._run_exitfuncs()  # the report's path is printed there
        sys.stdout.flush()
        sys.stderr.flush()
    return status


@contextlib.contextmanager
def forks_of_jobs(folder):
    """In the shells that this process starts, `sixmax` is a function that asks for a fork."""
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(f"{folder}/socket")
    listener.listen()
    over, ours = os.pipe()  # closed when this process ends, in whatever way
    child = os.fork()
    if child == 0:
        os.close(ours)
        serve_jobs(listener, over)
    Path(folder, "ask.py").write_text(ASK)
    ask = f"{sys.executable} -IS {folder}/ask.py {folder}/socket"
    Path(folder, "functions").write_text(f'sixmax() {{ {ask} "$@"; }}\n')
    os.environ["BASH_ENV"] = f"{folder}/functions"
    yield
    os.close(ours)
    os.waitpid(child, 0)


@njit
def _arrays(given):
    """Has numba compile its own functions of arrays, which each process compiles anew: forks of
    this one have them."""
    both, whole, same = np.empty((2, 3)), np.zeros(4, np.int64), np.full((2, 3), 1.0)
    for i in range(len(whole)):
        whole[i] += both.size + np.int64(same[i % 2].sum() + given.min())
    return both.copy(), whole[1:], np.empty_like(given)


def serve_jobs(listener, over):
    """Fork for each connection; end when nobody holds the other end of the pipe ``over``."""
    for name in ("matplotlib.pyplot", "sklearn.metrics", *(f"sixmax.{x}" for x in stages())):
        importlib.import_module(name)
    _arrays(np.zeros(3))
    gc.freeze()
    while over not in select.select([listener, over], [], [])[0]:
        connection, _ = listener.accept()
        if os.fork() == 0:
            _, files, _, _ = socket.recv_fds(connection, 1, 3)
            for number, file in enumerate(files):
                os.dup2(file, number)
            request = json.loads(connection.makefile().read())
            os.environ.clear()
            os.environ.update(request["environment"])
            status = called("sixmax", request["arguments"], request["cwd"])
            connection.sendall(str(status).encode())
            os._exit(status)
        connection.close()
    with contextlib.suppress(ChildProcessError):
        while True:
            os.wait()
    os._exit(0)


if __name__ == "__main__":
    serve()
