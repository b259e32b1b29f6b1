"""p4testgen's packet tests of programs, on the embedded target and on BMv2."""
