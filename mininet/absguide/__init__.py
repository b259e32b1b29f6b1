"""The demonstrations of jafingerhut/p4-guide with packet tests, on the drop-in and on BMv2.

From the ground up:

- `scripts`: which of a checkout's scripts compile a program, start a switch and test it with PTF.
- `verdict`: what PTF said, test by test.
- `reasons`: why a demonstration fails on a switch, kept by hand.
- `runner`: a script in namespaces of its own, with the interfaces that it expects.
- `page`: the table in docs/conformance.md.
"""
