"""A hand in progress and how a strategy meets it: translation, location, look-up."""
