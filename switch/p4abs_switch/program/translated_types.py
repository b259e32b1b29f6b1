"""A program's translated types (P4Runtime 1.5, section 8.4.6).

P4Info tells how controllers see them, the BMv2 JSON how wide they are in the data plane.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from finsy.proto import p4i, p4t

from p4abs_switch.program import bmv2
from p4abs_switch.program.translation import SdnNumbers, SdnStrings, Translation
from p4abs_switch.status import invalid

_WIDEST_BITS = 2048
_MAPPINGS = "@p4runtime_translation_mappings"
_MAPPING = re.compile(r'\{\s*"([^"]*)"\s*,\s*(?:\d+w)?(0x[0-9a-fA-F]+|[1-9][0-9]*|0)\s*\}')
_PORT_TYPE = re.compile(r"port_?id(_t)?$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class TranslatedType:
    """A type in the data plane, and what controllers give in its place.

    is_port: it is by its name or URI a type of ports, as PSA's and SONiC's are.
    """

    width_bits: int
    translation: Translation
    is_port: bool


@dataclass(frozen=True, slots=True)
class Types:
    """The types that a P4Info names, and the translated ones as the data plane has them."""

    info: p4t.P4TypeInfo
    translated: Mapping[str, TranslatedType]

    def width(self, told_bits: int, name: str) -> tuple[int, Translation | None]:
        """A field's width in the data plane, and its translation; `told_bits` is P4Info's."""
        if name in self.translated:
            known = self.translated[name]
            return known.width_bits, known.translation
        return told_bits, None

    def known_width(self, what: str, told_bits: int, name: str) -> tuple[int, Translation | None]:
        """As width(). Raises RequestError INVALID_ARGUMENT, naming `what`, if the JSON lacks it."""
        if name not in self.translated and self._translation(name) is not None:
            raise invalid(f"{what}: p4_device_config does not tell the width of {name}")
        return self.width(told_bits, name)

    def are_strings(self, name: str) -> bool:
        """Whether controllers have strings for a type."""
        translation = self._translation(name)
        return translation is not None and translation.HasField("sdn_string")

    def ports(self) -> SdnStrings | None:
        """What the program's ports are called, where not by numbers."""
        for known in self.translated.values():
            if known.is_port and isinstance(known.translation, SdnStrings):
                return known.translation
        return None

    def _translation(self, name: str) -> p4t.P4NewTypeTranslation | None:
        spec = self.info.new_types.get(name)
        if spec is None or not spec.HasField("translated_type"):
            return None
        return spec.translated_type


def read(p4info: p4i.P4Info, device_config: bytes) -> dict[str, TranslatedType]:
    """The translated types by name, but for those that no packet and no request can meet.

    `device_config`: BMv2 JSON that the engine has agreed to run.
    Raises RequestError INVALID_ARGUMENT, naming the type, when the JSON contradicts itself.
    """
    specs = {
        name: spec
        for name, spec in p4info.type_info.new_types.items()
        if spec.HasField("translated_type")
    }
    if not specs:
        return {}
    with bmv2.reading():
        widths = _widths(specs, _uses(p4info, bmv2.parsed(device_config)))
    return {name: _type(name, specs[name], width) for name, width in widths.items()}


def _type(name: str, spec: p4t.P4NewTypeSpec, width_bits: int) -> TranslatedType:
    translated = spec.translated_type
    is_port = any(_PORT_TYPE.search(text) for text in (name, translated.uri))
    if translated.HasField("sdn_string"):
        declared = _declared(name, spec.annotations, width_bits)
        strings = SdnStrings(name, width_bits, declared, are_ports=is_port)
        return TranslatedType(width_bits, strings, is_port)
    if not 0 < translated.sdn_bitwidth <= _WIDEST_BITS:
        raise invalid(
            f"P4Info: type {name} is translated to {translated.sdn_bitwidth} bits;"
            f" valid: 1 to {_WIDEST_BITS}, or a string"
        )
    return TranslatedType(width_bits, SdnNumbers(translated.sdn_bitwidth), is_port)


def _declared(name: str, annotations: Iterable[str], width_bits: int) -> dict[bytes, int]:
    """Numbers of strings in SONiC's annotation, as in `({ { "" , 0 } , })`."""
    pairs = [
        (string.encode(), int(number, 0))
        for annotation in annotations
        if annotation.startswith(_MAPPINGS)
        for string, number in _MAPPING.findall(annotation)
    ]
    declared = dict(pairs)
    is_one_to_one = len(set(declared.values())) == len(declared) == len(pairs)
    if not is_one_to_one or any(number >> width_bits for number in declared.values()):
        raise invalid(
            f"P4Info: {_MAPPINGS} of type {name} (bit<{width_bits}>) has a string or a number"
            " twice, or a number that does not fit"
        )
    return declared


def _widths(names: Iterable[str], uses: Iterable[tuple[str, int]]) -> dict[str, int]:
    widths: dict[str, int] = {}
    for name, width_bits in uses:
        if name in names and widths.setdefault(name, width_bits) != width_bits:
            raise invalid(
                f"type {name} has {widths[name]} bits in one place of p4_device_config,"
                f" {width_bits} in another"
            )
    return widths


def _uses(p4info: p4i.P4Info, program: bmv2.Object) -> Iterator[tuple[str, int]]:
    """Types by name, and their widths in bits, wherever the JSON has something of a type."""
    tables, fields = bmv2.tables(program), bmv2.field_widths(program)
    for table in p4info.tables:
        key = tables.get(table.preamble.name, {}).get("key", ())
        for part, declared in zip(table.match_fields, key, strict=False):
            yield part.type_name.name, fields[tuple(declared["target"])]
    actions = {action["name"]: action["runtime_data"] for action in program["actions"]}
    for action in p4info.actions:
        arguments = actions.get(action.preamble.name, ())
        for parameter, declared in zip(action.params, arguments, strict=False):
            yield parameter.type_name.name, declared["bitwidth"]
    registers = {item["name"]: item["bitwidth"] for item in program.get("register_arrays", ())}
    for register in p4info.registers:
        if register.preamble.name in registers:
            yield register.type_spec.new_type.name, registers[register.preamble.name]
    for header in p4info.controller_packet_metadata:
        yield from _header_uses(header, program)


def _header_uses(
    header: p4i.ControllerPacketMetadata, program: bmv2.Object
) -> Iterator[tuple[str, int]]:
    """The JSON does not say which header is the controller's: it has the same fields."""
    names = [part.name for part in header.metadata]
    for kind in program["header_types"]:
        widths: Mapping[str, int] = {field[0]: field[1] for field in kind["fields"]}
        own = [part for part in header.metadata if not part.type_name.name]
        if list(widths) == names and all(widths[part.name] == part.bitwidth for part in own):
            yield from ((part.type_name.name, widths[part.name]) for part in header.metadata)
