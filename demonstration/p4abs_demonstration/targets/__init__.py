"""The switch in the middle: how each target becomes the bottleneck, and gets its program."""
