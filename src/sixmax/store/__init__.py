"""The stores on disk: declared in ``schema``, written and checked by ``io``."""

from sixmax.store.io import Store, digest, read, read_of, write

__all__ = ["Store", "digest", "read", "read_of", "write"]
