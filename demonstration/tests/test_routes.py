"""Each program is filled by its own tables."""

from pathlib import Path

import finsy
import pytest
from p4abs.access.program import load_program
from p4abs_demonstration.targets.routes import Host, UnknownTables, entries, tables_of

EXAMPLES = Path(__file__).resolve().parents[2] / "p4src" / "build" / "examples"
HOSTS = (Host("02:00:00:00:00:01", 1, "10.0.0.1"), Host("02:00:00:00:00:02", 2, "10.0.0.2"))


@pytest.mark.parametrize("program", ["queue", "virtual_queue", str(EXAMPLES / "adaptive_router")])
def test_every_host_has_an_entry_that_the_program_knows(program: str) -> None:
    p4info = load_program(program).p4info
    made = entries(tables_of(p4info), HOSTS)
    assert len(made) == len(HOSTS)
    for entry in made:
        entry.encode(finsy.P4Schema(p4info))


def test_a_program_with_other_tables_is_refused() -> None:
    with pytest.raises(UnknownTables, match="one of ethernet_forward, ipv4_lpm, nexthop_table"):
        entries({"l2"}, HOSTS)
