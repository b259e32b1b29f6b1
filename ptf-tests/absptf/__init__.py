"""The packet tests' own parts; `run.py` beside this package runs them, `tests/` holds the tests.

- `capabilities`: what the target under test offers; the runner writes it, the tests read it.
- `targets`: the two targets on the ports of a network, and what each of them offers.
- `frames`: Ethernet frames of exact sizes.
- `p4runtime_client`: a synchronous client: one primary, tables, counters, registers, the mailbox.
- `mailbox_packets`: its packets; `tofino_mailbox`: those of the Tofinos' pipeline, in their terms.
- `switch_test`: the base of every test: a fresh pipeline, a station behind every port.
- `routing_test`: on it, the base of tests that route.
- `tofino_test`: the base of tests of the Tofinos' virtual queue, at times of their choice.
- `standing_queue`: a queue that stands long enough for the limit's decisions to be predicted.

The runner makes a network namespace (`p4abs_switch.testbed.network`), starts the target in it and
PTF beside it, once for each build of the P4 program. A test is a class in `tests/` whose name says
the property; what a target does not offer is skipped, with the reason.
"""
