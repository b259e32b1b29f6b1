"""The schedule and the measurements: samples, phases and their statistics."""
