"""Work on one thread and on two: the same bits."""

import numpy as np

from sixmax.base.jit import set_threads, threads_in_use


def same_on_two_threads(work):
    """The result of ``work(threads)``, arrays or plain values, which two threads give as well."""
    before, results = threads_in_use(), []
    for threads in (1, 2):
        set_threads(threads)
        results.append(work(threads))
    set_threads(before)
    np.testing.assert_equal(*results)
    return results[0]
