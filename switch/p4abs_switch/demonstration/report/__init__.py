"""What the user sees: progress while it runs, then a table, files and a picture."""
