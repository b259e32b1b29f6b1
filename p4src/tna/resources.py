"""What Tofino programs take of their chip, as a text, from the reports of p4c-barefoot and bfas."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Share:
    """How much of one resource of the chip is in use."""

    resource: str
    used: int
    size: int


def shares(resources: Mapping[str, Any], containers: Mapping[str, Any]) -> list[Share]:
    """Stages first, then what all stages have together, then the words of the header vector.

    resources: `resources.json` of the compiler. containers: its `phv.json`.
    """
    stages = resources["resources"]["mau"]["mau_stages"]
    chip_stages = resources["resources"]["mau"]["nStages"]
    rows = [Share("stages", len(stages), chip_stages)]
    for name, used, in_one_stage in _by_stage(stages):
        rows.append(Share(name, used, chip_stages * in_one_stage))
    return rows + _containers(resources["resources"]["phv_containers"], containers)


def report(program: list[Share]) -> str:
    """One line per resource: in use, of how many, and what is left."""
    lines = [f"{'':28}{'in use':>7}{'of':>7}{'left':>8}"]
    lines += [f"{each.resource:28}{each.used:7}{each.size:7}{_left(each)}" for each in program]
    return "\n".join(lines) + "\n"


def comparison(programs: Mapping[str, list[Share]]) -> str:
    """One line per resource: in use by each program, by its name, of how many, and what the last
    one leaves. All are for the same chip."""
    lines = [f"{'':28}" + "".join(f"{name:>8}" for name in programs) + f"{'of':>7}{'left':>8}"]
    for row in zip(*programs.values(), strict=True):
        used = "".join(f"{each.used:8}" for each in row)
        lines.append(f"{row[-1].resource:28}{used}{row[-1].size:7}{_left(row[-1])}")
    return "\n".join(lines) + "\n"


def _left(share: Share) -> str:
    return f"{100 * (1 - share.used / share.size):7.0f}%"


def _by_stage(stages: list[Mapping[str, Any]]) -> list[tuple[str, int, int]]:
    """Name, how many of all stages are in use, and how many one stage has."""
    first = stages[0]

    def used(kind: str, items: str) -> int:
        return sum(len(stage[kind][items]) for stage in stages)

    def grid(kind: str, rows: str, columns: str) -> int:
        return int(first[kind][rows]) * int(first[kind][columns])

    def crossbar(kind: str) -> int:
        return sum(
            byte["byte_type"] == kind for stage in stages for byte in stage["xbar_bytes"]["bytes"]
        )

    return [
        ("SRAM blocks", used("rams", "srams"), grid("rams", "nRows", "nColumns")),
        ("map RAMs", used("map_rams", "maprams"), grid("map_rams", "nRows", "nUnits")),
        ("TCAM blocks", used("tcams", "tcams"), grid("tcams", "nRows", "nColumns")),
        ("stateful ALUs", used("meter_alus", "meters"), first["meter_alus"]["nAlus"]),
        ("statistics ALUs", used("statistic_alus", "stats"), first["statistic_alus"]["nAlus"]),
        ("logical tables", used("logical_tables", "ids"), first["logical_tables"]["size"]),
        ("gateways", used("gateways", "gateways"), grid("gateways", "nRows", "nUnits")),
        ("instructions", used("vliw", "instructions"), first["vliw"]["size"]),
        ("hash bits", used("hash_bits", "bits"), grid("hash_bits", "nBits", "nFunctions")),
        ("exact match crossbar bytes", crossbar("exact"), first["xbar_bytes"]["exact_size"]),
        ("ternary match crossbar bytes", crossbar("ternary"), first["xbar_bytes"]["ternary_size"]),
    ]


def _containers(
    groups: Mapping[str, list[Mapping[str, int]]], phv: Mapping[str, Any]
) -> list[Share]:
    """Words of the packet header vector by their size, those that only pass through included."""
    rows = []
    for bits in (8, 16, 32):
        used = {each["phv_number"] for each in phv["containers"] if each["bit_width"] == bits}
        size = sum(
            group["units"] for kind in groups.values() for group in kind if group["width"] == bits
        )
        rows.append(Share(f"containers of {bits} bits", len(used), size))
    return rows
