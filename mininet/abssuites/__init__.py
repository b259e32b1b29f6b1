"""Packet tests that other projects wrote for BMv2, unchanged, on the embedded target.

From the ground up:

- `suites`: which project's tests, of which program, and what starts them.
- `stand_ins`: libraries that their runs on BMv2 import and do not use.
- `runner`: a suite in a namespace of its own.
- `page`: the table in docs/conformance.md.

requirements.txt has the Python packages that the tests count on, in versions of their time.
"""
