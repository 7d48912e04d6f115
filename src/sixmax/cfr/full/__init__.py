"""Full-width CFR and best responses, exact on small games."""
