"""The command: the runs that it opens, its refusals before it listens, its end."""

import shutil
import signal
import socket
import subprocess
import sys
import urllib.request
from pathlib import Path

import numpy as np
import pytest

from serve.browser import served
from sixmax.api.walk import Address
from sixmax.base.errors import UserError
from sixmax.serve.library import Library
from sixmax.serve.server import bind
from sixmax.serve.spot import spot
from studies.improve.small import on_disk


def test_serve__answers_on_the_address_that_it_prints(folder):
    with served(folder, "--against", str(folder)) as home:
        assert home.startswith("http://127.0.0.1:")
        with urllib.request.urlopen(f"{home}/api/spot?beside=against:blueprint") as answer:
            assert answer.status == 200
            assert "server" not in {name.lower() for name in answer.headers}


def test_serve__ends_by_ctrl_c_without_a_traceback(folder):
    sixmax = Path(sys.executable).with_name("sixmax")
    command = [sixmax, "serve", "--run", folder, "--port", "0"]
    process = subprocess.Popen(
        command, stderr=subprocess.PIPE, text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # a shell may ignore it
    )  # fmt: skip
    first = next(line for line in process.stderr if "settings.json is missing" not in line)
    assert "end it with Ctrl-C" in first
    process.send_signal(signal.SIGINT)
    _, rest = process.communicate(timeout=60)
    assert "Traceback" not in rest


def test_bind__of_a_port_in_use_is_told():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(UserError, match=rf"127.0.0.1:{port}: .*in use; take another --port"):
            bind("127.0.0.1", port)


@pytest.mark.parametrize("host", ["no.such.host.invalid", "256.1.1.1"])
def test_bind__of_a_host_that_is_not_here_is_told(host):
    with pytest.raises(UserError, match=r"take another --port, or --host 127\.0\.0\.1"):
        bind(host, 0)


def test_library__refuses_a_run_that_is_not_trained(folder, run, tmp_path):
    bare = tmp_path / "bare"
    shutil.copytree(folder, bare)
    shutil.rmtree(bare / "blueprint" / "strategy.zarr")
    with pytest.raises(UserError, match=r"strategy\.zarr"):
        Library(run._replace(folder=bare))


def test_library__refuses_runs_of_two_games(run):
    other = run._replace(game=run.game.model_copy(update={"blinds": [25, 50, 0]}))
    with pytest.raises(UserError, match="found blinds"):
        Library(run, other)


def test_library__lists_what_the_run_has(library, run):
    names = [source.name for source in library.sources]
    own = [name for name in names if not name.startswith("against:")]
    assert own == [
        "blueprint", "blueprint-purified", "snapshot-00001", "continuation-unbiased",
        "continuation-fold", "continuation-call", "continuation-raise", "random", "call", "rule",
    ]  # fmt: skip
    assert names == own + [f"against:{name}" for name in own]


def test_library__another_run_is_followed_in_its_own_tree(run, tmp_path):
    theirs = on_disk(tmp_path / "other", 1, seats=3, later=(0.75,))
    address = Address("r350cf/", "AhKd9c", beside="against:blueprint")
    mine, other = spot(Library(run, theirs), address)["strategies"]
    assert [o["word"] for o in mine["options"]] == ["c", "r750", "r1550"]
    assert [o["word"] for o in other["options"]] == ["c", "r950"]
    assert np.isfinite(other["total"]).all()
