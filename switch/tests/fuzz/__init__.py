"""Random messages, lines and arguments: done, or refused in one line. `make fuzz` runs more."""
