"""The control of many ports at once, in arrays over them.

ports_together  from snapshots to intervals to limits
series          snapshots in the order of the data plane's time
sizer           the policies, those of a class together
"""

from p4abs.control.together.ports_together import PortsTogether

__all__ = ["PortsTogether"]
