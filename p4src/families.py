"""Families of programs: what each compiler makes of some of the P4 sources, and how."""

import json
import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tna import resources
from tna.on_v1model import TranslationError, on_v1model


class ProductError(Exception):
    """A product is missing, stale, or cannot be made; the message says which and what to do."""


@dataclass(frozen=True)
class Family:
    """Programs, and what else products are made of, are named below the sources' folder, products
    and digest below the products' one.

    compile_into: takes both folders; writes the products, raises ProductError.
    varying: lines that change from run to run, as then does the order of lines; None: nothing does.
    """

    compiler: str
    programs: tuple[str, ...]
    products: tuple[str, ...]
    digest: str
    compile_into: Callable[[Path, Path], None]
    varying: re.Pattern[str] | None = None

    def are_equal(self, product: Path, other: Path) -> bool:
        """Whether two products are equal but for what varies."""
        varying = self.varying
        if varying is None:
            return product.read_bytes() == other.read_bytes()

        def constant_lines(path: Path) -> list[str]:
            return sorted(line for line in path.read_text().splitlines() if not varying.match(line))

        return constant_lines(product) == constant_lines(other)

    def compiler_version(self) -> str | None:
        """The compiler's version, or None where there is no compiler. Raises ProductError."""
        if shutil.which(self.compiler) is None:
            return None
        command = [self.compiler, "--version"]
        # p4c answers on standard error, its path first: no part of a version.
        said = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        versions = [line for line in said.stdout.splitlines() if line.startswith("Version ")]
        if said.returncode != 0 or len(versions) != 1:
            raise ProductError(
                f"{self.compiler} --version does not tell its version: {said.stdout.strip()}"
            )
        return f"{self.compiler} {versions[0].removeprefix('Version ')}"


_WARNING = re.compile("warning")


def _run(command: list[str], program: str, sources: Path, warning: re.Pattern[str]) -> None:
    """Raises ProductError with what the compiler says, also where it only warns."""
    if shutil.which(command[0]) is None:
        raise ProductError(f"{command[0]}, which {program} needs, is not on PATH")
    result = subprocess.run(command, cwd=sources, capture_output=True, text=True)
    if result.returncode != 0 or warning.search(result.stderr):
        raise ProductError(f"{command[0]} {program}:\n{result.stderr.strip()}")


_BMV2_COMPILER = "p4c-bm2-ss"
_BMV2_BUILDS = ("queue", "shared_queue", "virtual_queue")


def _compile_for_bmv2(sources: Path, products: Path) -> None:
    """BMv2's JSON and P4Info. Paths are relative, so products do not depend on the machine."""
    for build in _BMV2_BUILDS:
        _run_bmv2_compiler(f"v1model/{build}.p4", sources, products / build)


def _run_bmv2_compiler(
    program: str,
    sources: Path,
    product: Path,
    *options: str,
    warning: re.Pattern[str] = _WARNING,
) -> None:
    """The product is named without what its two files end with."""
    command = [_BMV2_COMPILER, "--std", "p4-16", *options]
    command += ["--p4runtime-files", f"{product}.p4info.txtpb", "-o", f"{product}.json", program]
    _run(command, program, sources, warning)


BMV2 = Family(
    compiler=_BMV2_COMPILER,
    programs=tuple(f"v1model/{build}.p4" for build in _BMV2_BUILDS),
    products=tuple(
        f"{build}{suffix}" for build in _BMV2_BUILDS for suffix in (".json", ".p4info.txtpb")
    ),
    digest="sources.sha256",
    compile_into=_compile_for_bmv2,
)

_EXAMPLES = ("examples/adaptive_router", "examples/measuring_router")
# Of the included files: what the examples make no use of.
_EXAMPLE_UNMINDED = "--Wdisable=unused"


def _compile_examples(sources: Path, products: Path) -> None:
    """Programs of others, made adaptive, as BMv2's JSON and P4Info."""
    (products / "examples").mkdir(exist_ok=True)
    for example in _EXAMPLES:
        _run_bmv2_compiler(f"{example}.p4", sources, products / example, _EXAMPLE_UNMINDED)


EXAMPLES = Family(
    compiler=_BMV2_COMPILER,
    programs=(*(f"{example}.p4" for example in _EXAMPLES), "examples/router.p4"),
    products=tuple(
        f"{example}{suffix}" for example in _EXAMPLES for suffix in (".json", ".p4info.txtpb")
    ),
    digest="examples/sources.sha256",
    compile_into=_compile_examples,
)

_TOFINO_COMPILER = "p4c-barefoot"
_TOFINO_ASSEMBLER = "bfas"
_TOFINO_FOLDER = "tofino"  # of the products
_TOFINO_TARGETS = {"tna": "tofino", "t2na": "tofino2"}  # by architectures
# Programs and their architectures.
_TOFINO_BUILDS = {
    "tna": ("tna/tna.p4", "tna"),
    "t2na": ("tna/t2na.p4", "t2na"),
    "t2na_queue": ("tna/queue/t2na_queue.p4", "t2na"),
}
_TOFINO_ROUTERS = ("tna/router/alone.p4", "tna/router/with_queue.p4")
_BESIDE_ROUTER = ".beside_router.txt"
# Of the shared sources: the annotations of P4Runtime, and constants of the other builds.
_TOFINO_UNMINDED = ("--Wdisable=unknown", "--Wdisable=unused")
_WARNING_OF_OURS = re.compile(r"\.p4\(\d+\): .*warning")
# Of the snapshots in BF Runtime's schema, which go by addresses in the compiler's memory.
_VARYING_IDS = re.compile(r'\s*"(id|depends_on)" :')
_INGRESS_PARSER = re.compile(r"^parser ingress:$.*?^deparser ingress:$", re.MULTILINE | re.DOTALL)


def _compile_for_tofino(sources: Path, products: Path) -> None:
    """P4Info, BF Runtime's schema, and what the program takes of the chip, by itself and beside a
    router. The assembler's binary is not kept: a chip's own SDE makes it."""
    folder = products / _TOFINO_FOLDER
    folder.mkdir(exist_ok=True)
    for build, (program, arch) in _TOFINO_BUILDS.items():
        product = str(folder / build)
        schemas = ["--bf-rt-schema", f"{product}.bf-rt.json"]
        # Counters and meters as Stratum knows them, too.
        schemas += ["--p4runtime-force-std-externs"]
        schemas += ["--p4runtime-files", f"{product}.p4info.txtpb"]
        queue = _run_tofino_compiler(program, arch, sources, *schemas)
        Path(f"{product}.resources.txt").write_text(resources.report(queue))
        if build not in _TOFINO_TARGETS:
            continue
        router, both = (_run_tofino_compiler(each, arch, sources) for each in _TOFINO_ROUTERS)
        compared = resources.comparison({"router": router, "queue": queue, "both": both})
        Path(f"{product}{_BESIDE_ROUTER}").write_text(compared)


def _run_tofino_compiler(
    program: str, arch: str, sources: Path, *options: str
) -> list[resources.Share]:
    """Compiles for an architecture's chip and assembles; what the program takes of it."""
    target = _TOFINO_TARGETS[arch]
    with tempfile.TemporaryDirectory() as scratch:
        output = Path(scratch)
        command = [_TOFINO_COMPILER, "--target", target, "--arch", arch, "-g", "--verbose"]
        command += [*_TOFINO_UNMINDED, "-o", str(output), *options, program]
        _run(command, program, sources, _WARNING_OF_OURS)
        pipe = output / "pipe"
        assembly = pipe / f"{Path(program).stem}.bfa"
        check_branches(assembly.read_text(), program)
        # p4c's own driver has the assembler keep silent on what the compiler wrote, too.
        command = [_TOFINO_ASSEMBLER, "--target", target, "--no-warn", "-o", str(pipe)]
        _run([*command, str(assembly)], program, sources, _WARNING_OF_OURS)
        return resources.shares(
            json.loads((pipe / "logs" / "resources.json").read_text()),
            json.loads((pipe / "logs" / "phv.json").read_text()),
        )


def check_branches(assembly: str, program: str) -> None:
    """Raises ProductError where the compiler lost the branches of the ingress parser. From its pull
    request 5063 to 5753 p4c did so without a word, and all that follows seemed right."""
    parser = _INGRESS_PARSER.search(assembly)
    if parser is None or "match: [" not in parser[0]:
        raise ProductError(
            f"{program}: this {_TOFINO_COMPILER} leaves out the branches of parsers; "
            "take one with p4c's pull request 5753"
        )


TOFINO = Family(
    compiler=_TOFINO_COMPILER,
    programs=(*(program for program, _ in _TOFINO_BUILDS.values()), *_TOFINO_ROUTERS),
    products=(
        *(
            f"{_TOFINO_FOLDER}/{build}{suffix}"
            for build in _TOFINO_BUILDS
            for suffix in (".bf-rt.json", ".p4info.txtpb", ".resources.txt")
        ),
        *(f"{_TOFINO_FOLDER}/{build}{_BESIDE_ROUTER}" for build in _TOFINO_TARGETS),
    ),
    digest=f"{_TOFINO_FOLDER}/sources.sha256",
    compile_into=_compile_for_tofino,
    varying=_VARYING_IDS,
)

_ON_V1MODEL = f"{_TOFINO_FOLDER}/on_v1model"
# Of the shared sources: constants of the other builds, and sizes of tables with constant entries.
_ON_V1MODEL_UNMINDED = ("--Wdisable=unused", "--Wdisable=mismatch")
# What recirculates takes no metadata along; p4c warns of that whatever is disabled.
_WARNING_ON_V1MODEL = re.compile("warning: (?!no user metadata fields tagged)")


def _compile_tofino_on_v1model(sources: Path, products: Path) -> None:
    """The pipeline of the Tofinos as BMv2's JSON and P4Info, for tests."""
    (products / _TOFINO_FOLDER).mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        copy = Path(scratch, "p4src")
        shutil.copytree(sources, copy, ignore=lambda _, names: {"build", "tests"} & set(names))
        for source in (copy / "tna").glob("*.p4"):
            try:
                source.write_text(on_v1model(source.read_text()))
            except TranslationError as error:
                raise ProductError(f"tna/{source.name}: {error}") from None
        _run_bmv2_compiler(
            "tna/on_v1model.p4",
            copy,
            products / _ON_V1MODEL,
            *_ON_V1MODEL_UNMINDED,
            warning=_WARNING_ON_V1MODEL,
        )


TOFINO_ON_V1MODEL = Family(
    compiler=_BMV2_COMPILER,
    programs=("tna/on_v1model.p4", "tna/on_v1model.py"),
    products=(f"{_ON_V1MODEL}.json", f"{_ON_V1MODEL}.p4info.txtpb"),
    digest=f"{_ON_V1MODEL}.sha256",
    compile_into=_compile_tofino_on_v1model,
)

FAMILIES = (BMV2, TOFINO, TOFINO_ON_V1MODEL, EXAMPLES)
