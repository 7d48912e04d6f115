"""Games whose answers are known, solved by the kernels that train the blueprint."""
