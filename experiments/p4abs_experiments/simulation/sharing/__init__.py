"""Links that share a memory by limits, with the simulator as it is.

The links of such a pool are the ports of one switch: their policies are stepped together, by the
controller's own code, which knows what each port holds and needs.

    control    such links under control
    simulate   a cell with them
"""
