"""Which project's packet tests, of which program, and what starts them."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from p4abs.errors import UserError


@dataclass(frozen=True)
class Suite:
    """Packet tests of one program; paths in the project's checkout.

    preprocessor: options with which the program is compiled.
    copied: the folder of tests and scripts, which write into it.
    starter: the project's script that pushes the program and starts PTF; it runs in its folder.
    program_option: with which the starter takes the program's JSON.
    p4info: the name of the P4Info, which tells p4c its format.
    tests: the folder of PTF's tests.
    arguments: what the project gives its starter besides; which tests, too.
    ports: how many there are, from 1 on.
    """

    project: str
    name: str
    program: Path
    preprocessor: tuple[str, ...]
    copied: Path
    starter: Path
    program_option: str
    p4info: str
    tests: Path
    arguments: tuple[str, ...]
    ports: int

    def check(self, checkout: Path) -> None:
        """Raises UserError if the folder is no checkout of the project."""
        for path in (self.program, self.starter, self.tests):
            if not (checkout / path).exists():
                raise UserError(f"{checkout}: no checkout of {self.project}: no {path} in it")


def _fabric(name: str, preprocessor: Sequence[str], unwanted: Sequence[str]) -> Suite:
    """A profile of fabric-tna. unwanted: groups of tests, as in its Makefile.profiles."""
    groups = ("all", *(f"^{group}" for group in unwanted))
    return Suite(
        project="stratum/fabric-tna",
        name=name,
        program=Path("p4src/v1model/fabric_v1model.p4"),
        preprocessor=("-I", "p4src", *preprocessor),
        copied=Path("ptf"),
        starter=Path("ptf/tests/common/ptf_runner.py"),
        program_option="--pipeline-config",
        p4info="p4info.txt",
        tests=Path("ptf/tests/unary"),
        arguments=("--platform", "bmv2", "--profile", name, *groups),
        ports=4,
    )


UP4 = (
    Suite(
        project="omec-project/up4",
        name="up4",
        program=Path("p4src/main.p4"),
        preprocessor=(),
        copied=Path("ptf"),
        starter=Path("ptf/lib/runner.py"),
        program_option="--bmv2-json",
        p4info="p4info.bin",
        tests=Path("ptf/tests"),
        arguments=(),
        ports=8,
    ),
)
FABRIC = (
    _fabric("fabric", (), ("upf", "int", "bng", "dth", "xconnect", "p4rt", "int-dod")),
    _fabric("fabric-int", ("-DWITH_INT",), ("upf", "bng", "dth", "p4rt", "int-dod")),
    _fabric("fabric-upf", ("-DWITH_UPF",), ("int", "bng", "dth", "p4rt", "int-dod")),
    _fabric("fabric-upf-int", ("-DWITH_INT", "-DWITH_UPF"), ("bng", "dth", "p4rt", "int-dod")),
)
