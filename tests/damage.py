"""Damage to files."""


def flip(file, place=None, bit=2):
    """Flip a bit of a byte of ``file``, that in the middle where no ``place`` is named."""
    content = bytearray(file.read_bytes())
    content[len(content) // 2 if place is None else place] ^= 1 << bit
    file.write_bytes(content)
