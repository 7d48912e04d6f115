"""Options that commands share."""


def test_threads__are_taken_from_the_workflow(monkeypatch):
    """Jobs of the workflow say their threads by SIXMAX_THREADS: a command's words do not change."""
    from click.testing import CliRunner

    from sixmax.cli.stages.blueprint import compress

    words = ["--run", "r", "--bias", "5", "--out", "o", "--check", "c"]
    taken = []
    monkeypatch.setattr(
        "sixmax.continuation.stage.compress", lambda threads, **_: taken.append(threads)
    )
    for variables, more in ({}, []), ({"SIXMAX_THREADS": "3"}, []), ({}, ["--threads", "2"]):
        assert CliRunner(env=variables).invoke(compress, [*words, *more]).exit_code == 0
    assert taken == [1, 3, 2]
