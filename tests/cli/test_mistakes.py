"""A mistake on the command line is told in a line, with exit code 2 and no traceback."""

import sys
from pathlib import Path

import pytest

from sixmax.cli import main
from sixmax.games.kuhn_poker import config

GAME = '{"stacks": [200, 200]}'
KHUN = (
    '{"cards": "khun", "stacks": [2, 2], "blinds": [0, 0], "antes": [1, 1], "first": [0],'
    ' "rounds": [{"sizes": [[1]], "max_raises": 1, "max_players": 2}]}'
)
KUHN = config().model_dump_json()
AVERAGE = ["stage", "average", "--run", "r", "--out", "o"]
COMPRESS = ["stage", "compress", "--run", "r", "--out", "o", "--check", "c"]
IDENTITY = ["stage", "identity", "--tree", "t", "--out", "o"]
LBR = ["lbr", "fc", "--run", "r", "--deals", "2", "--seed", "1", "--out", "o"]
ONE_DEAL = "'--deals': 1 is not in the range x>=2"
LEAVES = ["stage", "leaf-function", "--run", "r", "--out", "o", "--check", "c"]
SELF = ["stage", "self-generated", "--run", "r", "--out", "o", "--check", "c"]
SETTINGS = ["stage", "search-settings", "--out", "o"]
MATCH = ["match", "call", "rule", "--run", "r", "--out", "o", "--deals", "2"]
TRAIN = ["stage", "train", "--run", "r", "--history", "h"]
TREE = ["stage", "tree", "--game", GAME, "--out", "o", "--memory-gb", "1"]

MISTAKES = [
    ([*TREE, "--buckets", "x"], "found 'x', wanted whole numbers above 0"),
    ([*TREE, "--buckets", "4,,5"], "wanted whole numbers above 0"),
    ([*TREE, "--buckets", "4,0"], "wanted whole numbers above 0"),
    ([*TREE, "--buckets", "4,²"], "wanted whole numbers above 0"),
    ([*TREE, "--buckets", "4"], "game.blinds: missing"),
    ([*TREE[:3], KHUN, *TREE[4:], "--buckets", "4"], "did you mean 'kuhn'?"),
    ([*TREE[:3], "{", *TREE[4:], "--buckets", "4"], "game: found '{', wanted: invalid JSON"),
    ([*TREE[:-1], "0", "--buckets", "4"], "'--memory-gb': 0.0 is not in the range"),
    ([*IDENTITY, "--settings", "{"], "not JSON"),
    ([*TRAIN, "--interval", "0"], "'--interval': 0 is not in the range"),
    ([*TRAIN, "--interval", "1", "--threads", "0"], "'--threads': 0 is not in the range"),
    ([*AVERAGE, "--last", "1", "--snapshots", "a"], "wanted whole numbers above 0"),
    ([*AVERAGE, "--last", "0", "--snapshots", "1"], "'--last': 0 is not in the range"),
    (["plan", "--config", "{"], "not JSON"),
    (["plan", "--config", "[1]"], "found list, wanted an object"),
    (["plan", "--config", '{"seed": 3, "seed": 9}'], "the key 'seed' stands twice; keep one"),
    ([*TREE[:3], '{"first": [2], "first": [3]}', *TREE[4:], "--buckets", "4"], "'first' stands"),
    (["plan", "--config", "{}"], "config.run: missing"),
    ([*LEAVES, "--config", '{"layers": 3}'], "config.leaf_function.layers: no key any more"),
    ([*LEAVES, "--config", '{"stats": 3}'], "leaf_function.stats: unknown key; did you mean"),
    ([*SELF, "--config", '{"iterations": 3}'], "config.self_generated.iterations: no key any"),
    ([*SETTINGS, "--config", '{"leaf": 3}'], "config.search.leaf: no key any more"),
    ([*SETTINGS, "--config", '{"frist": 3}'], "search.frist: unknown key; did you mean 'first'"),
    (["stratgy"], "no command 'stratgy'; did you mean 'strategy'?"),
    (["train"], "no command 'train'; it is `sixmax stage train`"),
    (["gains"], "no command 'gains'; it is `sixmax stage pool gain`"),
    (["lbrs"], "no command 'lbrs'; it is `sixmax stage pool lbr`"),
    (["stage", "holds"], "no command 'holds'; it is `sixmax stage verdict`"),
    (["stage", "off-tree", "b.zarr", "translation", "--out", "o"], "Missing option '--size'"),
    (["stage", "gain"], "no command 'gain'; it is `sixmax gain`"),
    (["stage", "trian"], "no command 'trian'; did you mean 'train'?"),
    (["stage", "pool", "gian", "p", "--out", "o"], "did you mean 'gain'? there are lbr, gain"),
    (["xyzzy"], "no command 'xyzzy'; `sixmax --help` lists them"),
    (["experiment", "alne", "--run", "r"], "'alne' is not one of 'alone', 'copies'; did you mean"),
    (["measure", "khun", "cfr"], "'pushfold', 'preflop', 'flop'; did you mean 'kuhn'?"),
    ([*MATCH, "--seed", "1", "--thread", "2"], "Did you mean '--threads'"),
    (["advise", "AhKd", "--run", "r", "--setting", "fsat"], "did you mean 'fast'?"),
    (["plan"], "give config files or --config"),
    (["plan", "no.yaml"], "no.yaml: no such file"),
    (["hands", "20", "no.json"], "no.json: no such file"),
    (["stage", "verdict", "no.json"], "no.json: no such file"),
    (["show", "\x1b[2J"], r"\x1b[2J: no such file or folder"),
    ([*MATCH, "--seed", "-1"], "'--seed': -1 is not in the range"),
    *(
        ([*command, "--run", "r", "--out", "o", "--seed", "1", "--deals", "1"], ONE_DEAL)
        for command in (
            ["match", "call", "rule"],
            ["table", "call", "rule"],
            ["aivat", "call", "rule", "--values", "v"],
            ["lbr", "fc"],
            ["duel"],
        )
    ),
    (LBR, "found no trained run"),
    *(
        ([*LBR, *option], f"{option[0]} with --agent blueprint: it is of a player")
        for option in (
            ["--begin", "0"],
            ["--known", "3"],
            ["--setting", "fast"],
            ["--setting", "full"],
            ["--config", "{}"],
        )
    ),
    (["gain", "--run", "r", "--out", "o", "--seed", "1", "--hands", "1"], "1 is not in the range"),
    (["flop", "AhKd2c", "--run", "none"], "run its stage first"),
    (["flop", "3", "--run", "none", "--buckets", "0"], "'--buckets': 0 is not in the range"),
    ([*COMPRESS, "--bias", "1"], "'--bias': 1.0 is not"),
    ([*COMPRESS, "--bias", "nan"], "'--bias': found nan, wanted a finite number"),
    (["stage", "features", "--ranks", "0", "--out", "o"], "'--ranks': 0 is not in the range"),
    (["strategy", "--run", "no"], "found no trained run"),
    (["show", "no"], "no such file or folder"),
    (["advise", "AhKd", "--run", "no"], "found no trained run"),
    (["advise", "AhKd", "--run", "no", "--stacks", "x"], "wanted whole numbers above 0"),
    (["advise", "AhKd", "--run", "no", "--config", '{"bukets": 1}'], "did you mean 'buckets'"),
    (["gain", "--run", "no", "--round", "4", "--hands", "2", "--seed", "1", "--out", "o"], "round"),
]


def message(monkeypatch, capsys, arguments):
    """The lines that ``sixmax arguments`` prints about a mistake."""
    monkeypatch.setattr(sys, "argv", ["sixmax", *arguments])
    with pytest.raises(SystemExit) as caught:
        main()
    assert caught.value.code == 2
    lines = capsys.readouterr().err.splitlines()
    return [line for line in lines if line and not line.startswith(("Usage", "Try", "compiling"))]


@pytest.mark.parametrize(
    ("arguments", "expected"), MISTAKES, ids=[" ".join(m[0]) for m in MISTAKES]
)
def test_mistake__is_one_line(tmp_path, monkeypatch, capsys, arguments, expected):
    monkeypatch.chdir(tmp_path)
    assert [expected in line for line in message(monkeypatch, capsys, arguments)] == [True]
    assert not list(tmp_path.iterdir())


def test_mistake__a_config_that_is_no_text(tmp_path, monkeypatch, capsys):
    (tmp_path / "c.yaml").write_bytes(b"run: caf\xe9\n")
    (line,) = message(monkeypatch, capsys, ["plan", str(tmp_path / "c.yaml")])
    assert "c.yaml: damaged: it is not text" in line


def test_mistake__a_place_that_cannot_be_written(tmp_path, monkeypatch, capsys):
    (tmp_path / "file").write_text("")
    (tmp_path / "c.yaml").write_text(Path("config/default.yaml").read_text())
    place = tmp_path / "file" / "plan.txt"
    (line,) = message(monkeypatch, capsys, ["plan", str(tmp_path / "c.yaml"), "--out", str(place)])
    assert line.startswith(f"sixmax: {place}: cannot be written ({place.parent}: ")
    assert line.endswith("; name another place")


def test_mistake__more_memory_than_there_is(monkeypatch, capsys):
    def starve(*arguments):
        raise MemoryError("Unable to allocate 225. GiB")

    monkeypatch.setattr("sixmax.betting.tree_count.count", starve)
    monkeypatch.setattr("sixmax.plan.plan.count", starve)
    (line,) = message(monkeypatch, capsys, ["plan", "config/default.yaml"])
    assert line.startswith("sixmax: the machine has too little memory (Unable to allocate 225. GiB")


def test_mistake__a_file_of_others_is_not_to_be_deleted(tmp_path, monkeypatch, capsys):
    """The file named to `sixmax hands` was the run.json of a week of training."""
    (tmp_path / "run.json").write_text('{"settings": {}, "content": {}, "digest": "0"}')
    (line,) = message(monkeypatch, capsys, ["hands", "20", str(tmp_path / "run.json")])
    assert "run.json: neither a match nor an experiment" in line
    assert "delete" not in line
    assert "`sixmax match`" in line


ON_RUN = ["--run", "no", "--seed", "1"]
LONG = [  # commands that take minutes or hours, all but where their result goes
    ([*MATCH[:3], "--run", "no", "--deals", "2", "--seed", "1"], "--out"),
    (["gain", *ON_RUN, "--hands", "2"], "--out"),
    (["duel", *ON_RUN, "--deals", "2"], "--out"),
    (["table", "call", "rule", *ON_RUN, "--deals", "2"], "--out"),
    (["table", "call", "rule", *ON_RUN, "--deals", "2"], "--log"),
    (["values", *ON_RUN, "--hands", "2"], "--out"),
    (["aivat", "call", "rule", *ON_RUN, "--values", "v", "--deals", "2"], "--out"),
    (["lbr", "fc", *ON_RUN, "--deals", "2"], "--out"),
    (["experiment", "copies", *ON_RUN, "--participants", "call", "--deals", "2"], "--out"),
    (["response", "--run", "no"], "--out"),
    (["compare", "--run", "no"], "--out"),
    (["pluribus", "logs", "--run", "no"], "--out"),
    (["replay", "hands.log"], "--out"),
    (["measure", "kuhn", "cfr", "--settings", '{"iterations": 10}'], "--out"),
    (["stage", "average", "--run", "no", "--last", "1", "--snapshots", "1"], "--out"),
    (["stage", "compress", "--run", "no", "--bias", "5", "--check", "c"], "--out"),
    (["stage", "identity", "--settings", "{}", "--tree", "t"], "--out"),
    (["stage", "tree", "--game", KUHN, "--buckets", "3"], "--out"),
    (["stage", "train", "--run", "no", "--interval", "1"], "--history"),
    (["stage", "shard", "--run", "no", "--interval", "1", "--shard", "1"], "--out"),
    (["stage", "merge", "delta", "--run", "no", "--interval", "1"], "--history"),
    (["stage", "pool", "gain", "part"], "--out"),
    (["stage", "features", "--ranks", "13"], "--out"),
    (["stage", "cluster", "turn", "--features", "f"], "--out"),
    (["stage", "quality", "turn", "--features", "f", "--buckets", "b", "--json", "j"], "--picture"),
]


@pytest.mark.parametrize(("command", "option"), LONG, ids=[" ".join(c[:2]) + o for c, o in LONG])
def test_output_that_cannot_be_written__is_refused_before_the_work(
    tmp_path, monkeypatch, capsys, command, option
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").write_text("")
    (line,) = message(monkeypatch, capsys, [*command, option, "file/result"])
    place = "file/result/preflop.zarr" if "features" in command else "file/result"
    assert line.startswith(f"sixmax: {place}: cannot be written (")
    assert [path.name for path in tmp_path.iterdir()] == ["file"]
