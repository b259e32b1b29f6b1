"""p4c's packet tests (STF), on the embedded switch and on BMv2."""
