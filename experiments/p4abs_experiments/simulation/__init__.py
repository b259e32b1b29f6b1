"""One cell in virtual time: ns-3 supplies TCP and time, the compiled P4 program admits packets,
and the controller's own objects set the limits.

    result     what a simulation measured: plain data
    ns3        the simulator `_ns3`, built from experiments/ns3
    program    the P4 program in the loop
    memory     the memory that limits share
    ports      links as ports in the simulator
    queues     the policy of one of several queues of a link
    sources    traffic as sources in the simulator
    disturbances  what happens to links and sources meanwhile
    control    one link under control
    record     the series of a link while it runs
    simulate   a cell from beginning to end
    tofino     the same with links behind the Tofino program
    priorities the same with links that share a memory by priority
"""
