"""The control of many ports at once, in arrays over them.

batched_control  from snapshots to intervals to limits
series           snapshots in the order of the data plane's time
sizer            the policies, grouped by class
"""

from p4abs.control.batched.batched_control import BatchedControl

__all__ = ["BatchedControl"]
