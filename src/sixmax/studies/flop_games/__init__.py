"""Two players' hold'em that ends on flop or turn, on some flops: exact and quick to solve."""
