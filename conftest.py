"""What the Python tests of all rooms share."""

from hypothesis import settings

# The same examples each time, and no deadline: a busy machine is no defect.
settings.register_profile("repeatable", derandomize=True, deadline=None)
settings.load_profile("repeatable")
