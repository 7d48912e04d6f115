"""The queue of machines that share a folder, profiles/folder/queue.sh, without Snakemake."""

import os
import shutil
import signal
import subprocess
import time
from contextlib import suppress

import psutil
import pytest

from processes import ROOT, finished, printed
from workflow.test_cluster import kill_all

QUEUE = ROOT / "profiles" / "folder" / "queue.sh"


@pytest.fixture
def place(tmp_path):
    """A folder with a queue, and something that is called snakemake."""
    (tmp_path / ".venv" / "bin").mkdir(parents=True)
    (tmp_path / ".venv" / "bin" / "snakemake").symlink_to("/bin/true")
    return tmp_path


def ask(place, *arguments, **environment):
    return printed("sh", QUEUE, *arguments, cwd=place, **environment).strip()


def submit(place, text):
    (place / "job.sh").write_text(f"#!/bin/sh\n{text}\n")
    return ask(place, "submit", "job.sh")


def wait_for(place, number, state, seconds=30):
    end = time.monotonic() + seconds
    while not (place / "results" / "queue" / f"{number}.{state}").exists():
        assert time.monotonic() < end, list((place / "results" / "queue").iterdir())
        time.sleep(0.1)


def running(place):
    """The processes that still work in ``place``."""
    found = []
    for process in psutil.process_iter():
        with suppress(psutil.Error):
            if process.name() == "sleep" and process.cwd() == str(place):
                found.append(process)
    return [process for process in found if process.cmdline()[-1] == "60"]


@pytest.fixture
def worker(place):
    process = subprocess.Popen(["sh", QUEUE, "work"], cwd=place, stdout=subprocess.DEVNULL)
    yield process
    kill_all(process)


@pytest.mark.parametrize(("text", "state"), [("true", "success"), ("exit 3", "failed")])
def test_work__says_how_a_job_ended(place, worker, text, state):
    number = submit(place, text)
    assert ask(place, "status", number) in ("running", state)
    wait_for(place, number, state)
    assert ask(place, "status", number) == state


def test_work__runs_a_job_of_another_working_copy_in_its_own(place, tmp_path_factory):
    """Paths that only begin alike stay as they are; so does a dot that is another character."""
    other = tmp_path_factory.mktemp("a.b")
    shutil.copytree(place / ".venv", other / ".venv", symlinks=True)
    (other / "results").symlink_to(place / "results")
    (place / "results").mkdir()
    unlike = str(place).replace("-", "_")
    submit(place, f"cd {place} && echo $PWD '{place}' {place}/x {place}-old {unlike}. > said")
    process = subprocess.Popen(["sh", QUEUE, "work"], cwd=other, stdout=subprocess.DEVNULL)
    try:
        end = time.monotonic() + 30
        while not (other / "said").exists() and time.monotonic() < end:
            time.sleep(0.1)
        time.sleep(0.2)
        expected = f"{other} {other} {other}/x {place}-old {unlike}."
        assert (other / "said").read_text().strip() == expected
    finally:
        kill_all(process)


def test_work__a_job_that_waited_long_is_not_taken_for_lost(place, worker):
    os.kill(worker.pid, signal.SIGSTOP)
    number = submit(place, "sleep 3")
    waiting = place / "results" / "queue" / f"{number}.waiting"
    os.utime(waiting, (0, 0))
    assert ask(place, "status", number) == "running"
    os.kill(worker.pid, signal.SIGCONT)
    wait_for(place, number, "running")
    assert ask(place, "status", number) == "running"


def test_status__gives_up_a_silent_machine_and_a_job_without_a_file(place):
    number = submit(place, "true")
    queue = place / "results" / "queue"
    (queue / f"{number}.waiting").rename(queue / f"{number}.running")
    assert ask(place, "status", number, QUEUE_SILENCE="5") == "running"
    os.utime(queue / f"{number}.running", (0, 0))
    assert ask(place, "status", number, QUEUE_SILENCE="5") == "failed"
    assert (queue / f"{number}.failed").exists()
    assert ask(place, "status", "no-such-job") == "failed"


def test_work__ends_a_job_that_was_given_up_or_cancelled(place, worker):
    number = submit(place, "sleep 60; touch done")
    wait_for(place, number, "running")
    ask(place, "cancel", number)
    assert ask(place, "status", number) == "failed"
    other = submit(place, "true")  # taken when the first is killed, at the next beat
    wait_for(place, other, "success", 15)
    assert not running(place)


def test_work__puts_its_job_back_when_it_is_stopped(place, worker):
    number = submit(place, "sleep 60; touch done")
    wait_for(place, number, "running")
    worker.send_signal(signal.SIGTERM)
    wait_for(place, number, "waiting")
    assert worker.wait(timeout=10) == 130
    assert not running(place)


def test_queue__refuses_a_path_that_the_shell_would_take_apart(place):
    spaced = place / "a b"
    spaced.mkdir()
    done = finished("sh", QUEUE, "work", cwd=spaced)
    assert done.returncode == 2
    assert "found other characters" in done.stderr
