"""P4BS, policy `p4bs`: a limit that minimizes a weighted sum of loss and queueing delay.

law                what is from the paper and what is not; the phases put together
measurement        loss, delay and utilization over some time under one limit
search             where to look for the best limit, what is tried next
gaussian_process   what the trials so far say of the limits between them
change             when the traffic has changed
"""

from p4abs_experiments.p4bs.law import P4bs, P4bsState

__all__ = ["P4bs", "P4bsState"]
