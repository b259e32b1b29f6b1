"""The labs of nsg-ethz/p4-learning, which know BMv2 by its Thrift alone."""
