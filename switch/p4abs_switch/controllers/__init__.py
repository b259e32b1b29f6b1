"""Controllers: who is primary, what a role may do, and what travels over their streams."""
