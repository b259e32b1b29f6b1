"""What happens when, and what was measured: samples, phases and their statistics."""
