"""A person at the table: hands played step by step, opinions about them, their result."""
