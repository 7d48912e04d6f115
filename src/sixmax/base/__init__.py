"""Below all parts: errors, files, kernels, random numbers, progress, options."""
