"""What others wrote for BMv2, unchanged, on the drop-in and on BMv2: labs, packet tests, programs.

    python -m conformance tutorials|guide|learning|readmes|suites|stf|samples|testgen CHECKOUT

From the ground up:

- `workplace`: what labs need: namespaces, a console, p4c, and the PATH that chooses a switch.
- `outcome`: how a lab ended; `verdict`: what PTF said, test by test.
- `tutorials`, `guide`, `learning`, `readmes`, `suites`: the labs of a project: which there are, and
  how one is run.
- `collection`: what the runner is told of each of those; `table`: all of them.
- `page`: a section of docs/conformance.md; `run`: labs in a row, on each switch.
- `p4c`: programs of p4c, and what a command does with them on both switches; `stf`: their packet
  tests; `testgen`: those that p4testgen makes; `samples`: they are pushed and read back.
"""
