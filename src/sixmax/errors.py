"""The error that a user can mend: one line with the fault, the wanted value and the remedy."""


class UserError(Exception):
    """Shown by the command line as one line, without a traceback, with exit code 2."""


def printable(text: str, lines: bool = True) -> str:
    r"""``text`` for a terminal: control characters written as escapes, like ``\x1b``.

    Names of players and files may hold anything. Line ends stay where ``lines`` is true.
    """
    kept = "\n" if lines else ""
    return "".join(c if c.isprintable() or c in kept else _escape(c) for c in text)


def _escape(character: str) -> str:
    return character.encode("unicode_escape", "surrogatepass").decode("ascii")
