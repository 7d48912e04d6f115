import shutil

import pytest

from report.synthetic import write_run
from sixmax.report import page as page_module
from sixmax.report.gather import gather
from sixmax.report.page import SECTIONS, render


@pytest.fixture(scope="session")
def written(tmp_path_factory):
    """The folder of a finished run of six players with a full deck, as it is."""
    return write_run(tmp_path_factory.mktemp("report") / "results" / "made-up")


@pytest.fixture
def run(written, tmp_path):
    """The same, to be changed."""
    shutil.copytree(written.parent, tmp_path / "results")
    return tmp_path / "results" / "made-up"


@pytest.fixture
def shown(run, monkeypatch):
    """A function that renders these sections of the run alone: to draw all takes a second."""

    def page_of(*names):
        some = [section for section in SECTIONS if section.name in names]
        monkeypatch.setattr(page_module, "SECTIONS", some)
        return render(gather(run))

    return page_of


@pytest.fixture(scope="session")
def inputs(written):
    """The same run, gathered."""
    return gather(written)


@pytest.fixture(scope="session")
def page(inputs):
    return render(inputs)
