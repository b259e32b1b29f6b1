"""Requests as a whole: Write in its atomicity modes, Read, and the forwarding-pipeline config."""
