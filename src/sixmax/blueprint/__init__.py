"""The blueprint: cards and betting meet here, and Algorithm 1 trains on them."""
