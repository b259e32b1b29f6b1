"""The parts of the reference by the names that pages have for them."""

import re
from collections.abc import Callable, Mapping

from docs.site.reference import (
    commands,
    configuration,
    metrics,
    p4runtime,
    policies,
    programs,
    samples,
    tofino,
    words,
)

_MARKER = re.compile(r"^<!-- generated: (.+?) -->$", re.MULTILINE)
_PARTS: Mapping[str, Callable[[], str]] = {
    "commands": commands.commands,
    "drop-in": commands.drop_in,
    "quantities": configuration.quantities,
    "switch-keys": configuration.switch_keys,
    "port-keys": configuration.port_keys,
    "queue-keys": configuration.queue_keys,
    "agreement-keys": configuration.agreement_keys,
    "policies": policies.policies,
    "sample-columns": samples.columns,
    "metrics": metrics.metrics,
    "metric-buckets": metrics.buckets,
    "metric-labels": metrics.labels,
    "p4runtime-entities": p4runtime.entities,
    "p4runtime-limits": p4runtime.limits,
    "p4runtime-statuses": p4runtime.statuses,
    "port-service": p4runtime.methods,
    "registers": programs.registers,
    "tables": programs.tables,
    "counters": programs.counters,
    "meters": programs.meters,
    "packets": programs.packets,
    "packet-in-reasons": programs.reasons,
    "mailbox-operations": programs.operations,
    "tofino-rates": tofino.rates,
    "tofino-tables": tofino.tables,
    "tofino-mailbox": tofino.mailbox,
    "tofino-resources": tofino.resources,
    "tofino-router": tofino.beside_router,
    "port-states": words.port_states,
    "switch-states": words.switch_states,
    "bindings": words.bindings,
    "stalls": words.stalls,
    "exit-statuses": words.exit_statuses,
}


class UnknownPart(Exception):
    """A page asks for a part that there is not."""


def with_generated_parts(source: str) -> str:
    """A page's source with what its comments ask for. Raises UnknownPart and Undescribed."""
    return _MARKER.sub(lambda marker: _part(marker[1]), source)


def _part(name: str) -> str:
    if name not in _PARTS:
        raise UnknownPart(f"<!-- generated: {name} -->: there is {', '.join(_PARTS)}")
    return _PARTS[name]()
