"""Distributions of scipy, without the part of numpy that nobody asks for."""

import pytest

from processes import PYTHON, printed

LOADED = """
import sys
from sixmax.scores import distributions
print(distributions.stdtrit(10, 0.975), "numpy.f2py" in sys.modules)
import numpy
print(numpy.f2py.get_include is not None, numpy.f2py.__file__.count("f2py"))
"""


def test_import__leaves_the_compiler_of_fortran_alone():
    output = printed(PYTHON, "-c", LOADED).split()
    assert float(output[0]) == pytest.approx(2.2281388)  # a table of Student's t
    assert output[1:] == ["False", "True", "1"]


def test_quantiles__are_those_of_tables():
    from sixmax.scores.distributions import ndtri, stdtr, stdtrit

    assert ndtri(0.975) == pytest.approx(1.959964)
    assert stdtr(4, 2.776445) == pytest.approx(0.975)
    assert stdtrit(30, 0.95) == pytest.approx(1.697261)
