"""Commands in this process, which is faster than one of their own."""

from click.testing import CliRunner

from sixmax.cli import app


def called(*words, on=app, code=0, **options):
    """`sixmax words`, or ``words`` of the command ``on``, at its end, with this exit code.

    ``options`` are click's, such as its input. What the command raises is raised.
    """
    words = list(map(str, words))
    done = CliRunner().invoke(on, words, catch_exceptions=False, **options)
    assert done.exit_code == code, done.output
    return done
