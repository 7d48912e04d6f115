"""The sections of a run's page: a function and a template each, listed in `report/page.py`."""
