"""The ranges before the flop: first in, facing a raise, and facing a three-bet."""
