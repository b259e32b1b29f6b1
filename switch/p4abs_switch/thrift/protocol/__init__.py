"""Thrift over TCP: the binary protocol, unframed, with multiplexed services.

Ours, because of what stands in front of a switch: a bound for everything that a peer can make a
reader do. The library that was tried, thriftpy2 0.7.1, spends seconds on a few hostile bytes.
"""
