"""Pages beside the report of a run: the validation, and the league of several runs."""
