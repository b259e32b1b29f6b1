"""What the user sees: progress while it runs, then a table and files."""
