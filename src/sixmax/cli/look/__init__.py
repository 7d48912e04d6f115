"""Commands that show the contents of a run: stores, charts, the site."""
