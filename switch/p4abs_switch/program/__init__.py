"""A P4 program as its P4Info describes it: the dictionary between controller and engine."""
