"""Whether a P4Info describes the BMv2 JSON that it comes with.

Both are products of one compilation. A P4Info of another program would make every later request
fail or, worse, write somewhere else; so each object of the P4Info is looked up in the JSON.
"""

import json
from collections.abc import Iterable, Mapping
from typing import Any

from p4abs_switch.program.data_type import leaves
from p4abs_switch.program.objects import Action, MatchKind, Program, Table
from p4abs_switch.status import invalid

_Object = Mapping[str, Any]


def check(program: Program, device_config: bytes) -> None:
    """Raises RequestError INVALID_ARGUMENT, naming the first object on which the two disagree."""
    bmv2 = _parsed(device_config)
    try:
        _check_actions(program, bmv2)
        _check_tables(program, bmv2)
        _check_arrays(program, bmv2)
        _check_profiles(program, bmv2)
        _check_parser_and_digests(program, bmv2)
    except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
        raise invalid(f"p4_device_config is not BMv2 JSON: {error!r} while reading it") from error


def _parsed(device_config: bytes) -> _Object:
    try:
        bmv2 = json.loads(device_config)
    except ValueError as error:
        raise invalid(f"p4_device_config is not BMv2 JSON: {error}") from error
    if not isinstance(bmv2, dict):
        raise invalid(f"p4_device_config is not BMv2 JSON: it is a {type(bmv2).__name__}")
    return bmv2


def _check_actions(program: Program, bmv2: _Object) -> None:
    declared: dict[str, list[tuple[str, int]]] = {}
    for action in bmv2["actions"]:
        declared[action["name"]] = [(p["name"], p["bitwidth"]) for p in action["runtime_data"]]
    for action in _in_use(program):
        wanted = [(parameter.name, parameter.width_bits) for parameter in action.parameters]
        found = _named("action", declared, action.name)
        _check_equal(f"parameters of action {action.name}", wanted, found)


def _in_use(program: Program) -> Iterable[Action]:
    """Actions that tables have; p4c leaves others out of the JSON."""
    used = {key for table in program.tables.values() for key in table.actions}
    return (program.actions[key] for key in used)


def _check_tables(program: Program, bmv2: _Object) -> None:
    declared = {
        table["name"]: table for pipeline in bmv2["pipelines"] for table in pipeline["tables"]
    }
    widths = _field_widths(bmv2)
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
    table: Table, declared: list[_Object], widths: Mapping[tuple[str, str], int]
) -> None:
    what = f"key of table {table.name}"
    wanted = [(part.name, _bmv2_kind(part.kind)) for part in table.key]
    found = [(part["name"], part["match_type"]) for part in declared]
    _check_equal(what, wanted, found)
    for part, target in zip(table.key, (tuple(part["target"]) for part in declared), strict=True):
        if part.width_bits:  # none in P4Info for a field of type error
            _check_equal(f"width of {part.name} in {what}", part.width_bits, widths[target])


def _bmv2_kind(kind: MatchKind) -> str:
    return "ternary" if kind is MatchKind.OPTIONAL else kind.value


def _field_widths(bmv2: _Object) -> dict[tuple[str, str], int]:
    """Width in bits by header and field; the validity of a header is a field of one bit."""
    fields = {
        kind["name"]: {field[0]: field[1] for field in kind["fields"]}
        for kind in bmv2["header_types"]
    }
    return {
        (header["name"], name): width
        for header in bmv2["headers"]
        for name, width in (fields[header["header_type"]] | {"$valid$": 1}).items()
    }


def _check_arrays(program: Program, bmv2: _Object) -> None:
    registers = {r["name"]: (r["size"], r["bitwidth"]) for r in bmv2.get("register_arrays", ())}
    for register in program.registers.values():
        wanted = (register.size, register.width_bits)
        found = _named("register", registers, register.name)
        _check_equal(f"size and width of register {register.name}", wanted, found)
    counters = {c["name"]: c["size"] for c in bmv2.get("counter_arrays", ()) if not c["is_direct"]}
    for counter in program.counters.values():
        found_size = _named("counter", counters, counter.name)
        _check_equal(f"size of counter {counter.name}", counter.size, found_size)

    meters = {m["name"]: m["size"] for m in bmv2.get("meter_arrays", ()) if not m["is_direct"]}
    for meter in program.meters.values():
        found_size = _named("meter", meters, meter.name)
        _check_equal(f"size of meter {meter.name}", meter.size, found_size)


def _check_profiles(program: Program, bmv2: _Object) -> None:
    pipelines = bmv2["pipelines"]
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


def _check_parser_and_digests(program: Program, bmv2: _Object) -> None:
    value_sets = {item["name"]: item["max_size"] for item in bmv2.get("parse_vsets", ())}
    for value_set in program.value_sets.values():
        found = _named("value set", value_sets, value_set.name)
        _check_equal(f"size of {value_set.what}", value_set.size, found)
    lists = {item["name"]: len(item["elements"]) for item in bmv2.get("learn_lists", ())}
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
