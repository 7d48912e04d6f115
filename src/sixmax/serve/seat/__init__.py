"""Play and Review in the browser: thin views of sessions and reviews."""
