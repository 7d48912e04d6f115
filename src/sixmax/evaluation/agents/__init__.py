"""Who plays: policies in kernels, players hand by hand."""
