"""The demonstration: ABS sizes a real bottleneck's buffer while TCP runs through it."""
