"""Packet tests that other projects wrote for BMv2 behind Stratum.

From the ground up: `stand_ins`: libraries that their runs on BMv2 import and do not use; `suites`:
which project's tests, of which program, and how they are started. requirements.txt has the Python
packages that the tests count on, in versions of their time.
"""
