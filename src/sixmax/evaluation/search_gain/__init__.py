"""The gain of search over its own blueprint."""
