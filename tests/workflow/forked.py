"""`snakemake` in a fork of a process that is ready for it: half a second rather than 3 s a start.

For tests that plan and refuse; those that run jobs start the command itself, as a user does.
"""

import atexit
import contextlib
import functools
import importlib
import json
import os
import re
import subprocess
import sys
import tempfile
import traceback
from pathlib import Path

ROOT = Path(__file__).parents[2]


def snakemake(*arguments, cwd):
    """The finished process of `snakemake arguments` in ``cwd``, with its output as text."""
    with tempfile.TemporaryDirectory() as folder:
        request = {"arguments": arguments, "cwd": str(cwd), "out": folder}
        server = _server()
        server.stdin.write(json.dumps(request) + "\n")
        server.stdin.flush()
        status = int(server.stdout.readline())
        texts = [Path(folder, name).read_text() for name in ("1", "2")]
    return subprocess.CompletedProcess(arguments, status, *texts)


@functools.cache
def _server():
    server = subprocess.Popen(
        [sys.executable, __file__], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    atexit.register(server.kill)
    return server


def serve():
    """Fork for each request on standard input; the exit status of the fork is the answer."""
    import snakemake.cli

    get_ready()
    for line in sys.stdin:
        child = os.fork()
        if child == 0:
            run(snakemake.cli.main, **json.loads(line))
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)


def get_ready():
    """Once what each start needs: imports, digests of the code, the flops to make ahead."""
    text = "\n".join(file.read_text() for file in (ROOT / "workflow" / "rules").glob("*.smk"))
    imported = re.findall(r"^from (sixmax\S*) import (\w+)", text, re.M)
    for name in ("snakemake.executors.local", "snakemake.report", *(name for name, _ in imported)):
        importlib.import_module(name)
    for package, name in imported:  # modules of packages
        with contextlib.suppress(ImportError):
            importlib.import_module(f"{package}.{name}")
    from sixmax.abstraction.flop.store import chosen
    from sixmax.code_digest import code_digest

    chosen(1, 6, 0)
    for module in set(re.findall(r'code_digest\("([\w.]+)"\)', text)):
        code_digest(module)


def run(main, arguments, cwd, out):
    """Call ``main`` as a process of its own would, its output in files of ``out``; then exit."""
    for number in (1, 2):
        os.dup2(os.open(Path(out, str(number)), os.O_WRONLY | os.O_CREAT), number)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.chdir(cwd)
    sys.argv = ["snakemake", *arguments]
    status = 1
    try:
        main()
    except SystemExit as stop:
        status = stop.code if isinstance(stop.code, int) else int(stop.code is not None)
    except BaseException:
        traceback.print_exc()
    finally:
        atexit._run_exitfuncs()  # the report's path is printed there
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)


if __name__ == "__main__":
    serve()
