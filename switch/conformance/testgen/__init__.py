"""p4testgen's packet tests of programs, on the embedded switch and on BMv2."""
