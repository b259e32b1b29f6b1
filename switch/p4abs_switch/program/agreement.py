"""Whether a P4Info describes the BMv2 JSON that it comes with.

Both are products of one compilation. A P4Info of another program would make every later request
fail or, worse, write somewhere else; so each object of the P4Info is looked up in the JSON.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from p4abs_switch.program import bmv2
from p4abs_switch.program.data_type import leaves
from p4abs_switch.program.objects import Action, MatchKind, Program, Table
from p4abs_switch.status import invalid


def check(program: Program, device_config: bytes) -> None:
    """Raises RequestError INVALID_ARGUMENT, naming the first object on which the two disagree."""
    compiled = bmv2.parsed(device_config)
    with bmv2.reading():
        _check_actions(program, compiled)
        _check_tables(program, compiled)
        _check_arrays(program, compiled)
        _check_profiles(program, compiled)
        _check_parser_and_digests(program, compiled)


def _check_actions(program: Program, compiled: bmv2.Object) -> None:
    declared: dict[str, list[tuple[str, int]]] = {}
    for action in compiled["actions"]:
        declared[action["name"]] = [(p["name"], p["bitwidth"]) for p in action["runtime_data"]]
    for action in _in_use(program):
        wanted = [(parameter.name, parameter.width_bits) for parameter in action.parameters]
        found = _named("action", declared, action.name)
        _check_equal(f"parameters of action {action.name}", wanted, found)


def _in_use(program: Program) -> Iterable[Action]:
    """Actions that tables have; p4c leaves others out of the JSON."""
    used = {key for table in program.tables.values() for key in table.actions}
    return (program.actions[key] for key in used)


def _check_tables(program: Program, compiled: bmv2.Object) -> None:
    declared = bmv2.tables(compiled)
    widths = bmv2.field_widths(compiled)
    for table in program.tables.values():
        found = _named("table", declared, table.name)
        _check_key(table, found["key"], widths)
        for reference in table.actions.values():
            _named(f"action of table {table.name}", set(found["actions"]), reference.action.name)
        if table.has_direct_counter and not found["with_counters"]:
            raise invalid(f"{table.what} has a direct counter in P4Info only")
        if table.direct_meter is not None and not found.get("direct_meters"):
            raise invalid(f"{table.what} has a direct meter in P4Info only")
        if table.has_idle_timeout and not found["support_timeout"]:
            raise invalid(f"{table.what} has an idle timeout in P4Info only")


def _check_key(
    table: Table, declared: list[bmv2.Object], widths: Mapping[tuple[str, str], int]
) -> None:
    what = f"key of table {table.name}"
    wanted = [(part.name, _bmv2_kind(part.kind)) for part in table.key]
    found = [(part["name"], _p4runtime_kind(part["match_type"])) for part in declared]
    _check_equal(what, wanted, found)
    for part, target in zip(table.key, (tuple(part["target"]) for part in declared), strict=True):
        if part.width_bits:  # none in P4Info for a field of type error
            _check_equal(f"width of {part.name} in {what}", part.width_bits, widths[target])


def _bmv2_kind(kind: MatchKind) -> str:
    return "ternary" if kind is MatchKind.OPTIONAL else kind.value


def _p4runtime_kind(kind: str) -> str:
    """P4Runtime matches a header's validity as a number."""
    return "exact" if kind == "valid" else kind


def _check_arrays(program: Program, compiled: bmv2.Object) -> None:
    registers = {r["name"]: (r["size"], r["bitwidth"]) for r in compiled.get("register_arrays", ())}
    for register in program.registers.values():
        wanted = (register.size, register.width_bits)
        found = _named("register", registers, register.name)
        _check_equal(f"size and width of register {register.name}", wanted, found)
    counters = {
        c["name"]: c["size"] for c in compiled.get("counter_arrays", ()) if not c["is_direct"]
    }
    for counter in program.counters.values():
        found_size = _named("counter", counters, counter.name)
        _check_equal(f"size of counter {counter.name}", counter.size, found_size)

    meters = {m["name"]: m["size"] for m in compiled.get("meter_arrays", ()) if not m["is_direct"]}
    for meter in program.meters.values():
        found_size = _named("meter", meters, meter.name)
        _check_equal(f"size of meter {meter.name}", meter.size, found_size)


def _check_profiles(program: Program, compiled: bmv2.Object) -> None:
    pipelines = compiled["pipelines"]
    profiles = {
        profile["name"]: (profile["max_size"], "selector" in profile)
        for pipeline in pipelines
        for profile in pipeline.get("action_profiles", ())
    }
    for profile in program.profiles.values():
        found = _named("action profile", profiles, profile.name)
        wanted = (profile.size, profile.has_selector)
        _check_equal(f"size and selector of action profile {profile.name}", wanted, found)
    used = {
        table["name"]: table.get("action_profile")
        for pipeline in pipelines
        for table in pipeline["tables"]
    }
    for table in program.tables.values():
        name = None if table.profile is None else table.profile.name
        _check_equal(f"action profile of {table.what}", name, used[table.name])


def _check_parser_and_digests(program: Program, compiled: bmv2.Object) -> None:
    value_sets = {item["name"]: item.get("max_size", 0) for item in compiled.get("parse_vsets", ())}
    for value_set in program.value_sets.values():
        found = _named("value set", value_sets, value_set.name)
        _check_equal(f"size of {value_set.what}", value_set.size, found)
    lists = {item["name"]: len(item["elements"]) for item in compiled.get("learn_lists", ())}
    for digest in program.digests.values():
        found = _named("digest", lists, digest.name)
        _check_equal(f"number of fields of digest {digest.name}", leaves(digest.type), found)


def _named(kind: str, declared: Any, name: str) -> Any:
    if name not in declared:
        valid = ", ".join(sorted(declared)) or "none"
        raise invalid(f"{kind} {name} of P4Info is not in p4_device_config, which has: {valid}")
    return declared[name] if isinstance(declared, dict) else None


def _check_equal(what: str, p4info: object, device_config: object) -> None:
    if p4info != device_config:
        raise invalid(f"{what}: P4Info says {p4info}, p4_device_config {device_config}")
