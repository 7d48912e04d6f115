"""Our compiled kernels: how they are compiled, and where they are kept."""
