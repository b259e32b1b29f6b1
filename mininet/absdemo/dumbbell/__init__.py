"""The network: senders, one switch, one bottleneck port, receivers, built with Mininet."""
