"""Configurations that tests plan."""

from pathlib import Path

from sixmax.config import load

CONFIG = Path(__file__).parents[2] / "config"


def tiny():
    return load(CONFIG / "default.yaml", CONFIG / "tiny.yaml")
