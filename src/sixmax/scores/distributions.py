"""Student's and the normal distribution, by ``scipy.special``.

A function that needs them imports this module itself, since half of the jobs of a run do not. scipy
reads every attribute of numpy when it is imported. One of them is a compiler of Fortran, which
numpy loads only then: a third of the time of the import.
"""

from types import ModuleType

import numpy as np

_COMPILER = "f2py"

if _COMPILER in vars(np):
    from scipy.special import ndtri, stdtr, stdtrit
else:
    setattr(np, _COMPILER, ModuleType(_COMPILER))
    try:
        from scipy.special import ndtri, stdtr, stdtrit
    finally:
        delattr(np, _COMPILER)  # a later use of it gets the real one

__all__ = ["ndtri", "stdtr", "stdtrit"]
