"""Tables 2 and 3: what is run agrees with what the paper prints."""

import pytest
from p4abs_experiments.network import PACKET_BYTES, P4Buffer
from p4abs_experiments.network.policies import fixed_limit_bytes
from p4abs_experiments.papers.adaptive_buffer_sizing.published import TABLE_2, TABLE_3
from p4abs_experiments.papers.adaptive_buffer_sizing.tables.tables2_3 import TABLES


def test_both_tables_print_the_same_row_for_16_flows_at_16_mbps() -> None:
    assert TABLE_2[16] == TABLE_3[16]


@pytest.mark.parametrize("policy", ["bdp", "stanford", "bscl"])
def test_rules_ask_for_the_limits_that_the_seed_prints(policy: str) -> None:
    for table in TABLES:
        for cell in table.cells():
            printed = cell.paper.limit_packets
            if cell.policy_label != policy or printed is None:
                continue
            limit = fixed_limit_bytes(cell.scenario.link())
            assert limit is not None
            assert limit / PACKET_BYTES == pytest.approx(printed, rel=0.015, abs=1.3)


def test_every_cell_goes_through_the_p4_program() -> None:
    for table in TABLES:
        assert all(isinstance(c.scenario.link().buffer, P4Buffer) for c in table.cells())


def test_every_row_of_the_seed_has_a_cell_of_every_printed_policy() -> None:
    for table, published in zip(TABLES, (TABLE_2, TABLE_3), strict=True):
        printed = [c for c in table.cells() if c.paper.limit_packets is not None]
        policies = {(c.scenario.name, c.policy_label) for c in printed}
        assert len(policies) >= 4 * len(published)
