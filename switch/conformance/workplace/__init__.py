"""What labs need: namespaces, a console, p4c, and the PATH that chooses a switch."""
