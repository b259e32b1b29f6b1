"""Links that share a memory by priority, with the simulator as it is.

The links of a `RankedPool` are the ports of one switch: their policies are stepped together, by the
controller's own code, which knows what each port holds and claims.

    control    such links under control
    simulate   a cell with them
"""
