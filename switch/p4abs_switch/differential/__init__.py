"""The engine against BMv2: the same random table entries and frames, then a look at both."""
