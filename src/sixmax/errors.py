"""The error that a user can mend: one line that says what was found, wanted, and to be done."""


class UserError(Exception):
    """Shown by the command line as one line, without a traceback, with exit code 2."""
