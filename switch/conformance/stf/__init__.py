"""p4c's packet tests (STF), on the embedded target and on BMv2."""
