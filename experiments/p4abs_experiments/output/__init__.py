"""What a run leaves behind: tables, figures and how they came about."""
