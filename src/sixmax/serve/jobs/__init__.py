"""Work that takes seconds, beside the requests: searches, and the worth of actions."""
