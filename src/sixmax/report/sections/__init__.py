"""The values of the templates that lie here: the sections of a run's page."""
