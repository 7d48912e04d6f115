"""All hands of two players at once, in a subgame that ends with its betting round."""
