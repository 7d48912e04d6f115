"""What search wins over its own blueprint."""
