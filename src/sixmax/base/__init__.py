"""Below all parts: errors, files, compiled kernels, random numbers, progress, config sections."""
