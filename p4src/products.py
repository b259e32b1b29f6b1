"""Makes and checks the compiled products of the P4 sources.

    products.py compile      run p4c on both builds, write build/ and the constants
    products.py constants    write the controller's module of constants, which takes no compiler
    products.py check        fail when build/ or the constants do not match the sources

The digest file lists the SHA-256 of every source and every product, so a stale or hand-edited
product is found without a compiler. Where p4c is on PATH, `check` also recompiles and compares.
"""

import hashlib
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from constants import ConstantError, python_module

COMPILER = "p4c-bm2-ss"
BUILDS = ("queue", "virtual_queue")
SOURCES_DIR = Path(__file__).resolve().parent
PRODUCTS_DIR = SOURCES_DIR / "build"
DIGEST = PRODUCTS_DIR / "sources.sha256"
VERSION_MARK = "# compiler: "
CONSTANTS_SOURCE = SOURCES_DIR / "types.p4"
CONSTANTS = SOURCES_DIR.parent / "controller" / "p4abs" / "p4_constants.py"


class ProductError(Exception):
    """A product is missing, stale, or cannot be made; the message says which and what to do."""


def sources() -> list[Path]:
    """All P4 sources, in a stable order."""
    return sorted(SOURCES_DIR.rglob("*.p4"))


def product_names() -> list[str]:
    """File names of the products, for each build its BMv2 JSON and its P4Info."""
    return [f"{build}{suffix}" for build in BUILDS for suffix in (".json", ".p4info.txtpb")]


def compiler_version() -> str | None:
    """The compiler's version, or None where there is no compiler. Raises ProductError."""
    if shutil.which(COMPILER) is None:
        return None
    command = [COMPILER, "--version"]
    # p4c answers on standard error, its path first: no part of a version.
    said = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    versions = [line for line in said.stdout.splitlines() if line.startswith("Version ")]
    if said.returncode != 0 or len(versions) != 1:
        raise ProductError(f"{COMPILER} --version does not tell its version: {said.stdout.strip()}")
    return f"{COMPILER} {versions[0].removeprefix('Version ')}"


def compile_into(directory: Path) -> None:
    """Compiles both builds. Paths are relative, so products do not depend on the machine."""
    for build in BUILDS:
        command = [
            COMPILER,
            "--std",
            "p4-16",
            "--p4runtime-files",
            str(directory / f"{build}.p4info.txtpb"),
            "-o",
            str(directory / f"{build}.json"),
            f"v1model/{build}.p4",
        ]
        result = subprocess.run(command, cwd=SOURCES_DIR, capture_output=True, text=True)
        if result.returncode != 0 or "warning" in result.stderr:
            raise ProductError(f"{COMPILER} v1model/{build}.p4:\n{result.stderr.strip()}")


def digest_lines(products_dir: Path) -> list[str]:
    """One line per source and product, as sha256sum prints them."""
    files = [(path, path.relative_to(SOURCES_DIR).as_posix()) for path in sources()]
    files += [(products_dir / name, f"build/{name}") for name in product_names()]
    return [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {name}" for path, name in files]


def compile_products() -> None:
    """Rewrites build/ from the sources."""
    version = compiler_version()
    if version is None:
        raise ProductError(
            f"{COMPILER} is not on PATH. It comes with p4c: install p4lang's "
            "package p4lang-p4c, or build github.com/p4lang/p4c."
        )
    write_constants()
    PRODUCTS_DIR.mkdir(exist_ok=True)
    compile_into(PRODUCTS_DIR)
    DIGEST.write_text("\n".join([VERSION_MARK + version, *digest_lines(PRODUCTS_DIR)]) + "\n")


def write_constants() -> None:
    """Rewrites the controller's module of constants. Raises ConstantError."""
    CONSTANTS.write_text(python_module(CONSTANTS_SOURCE))


def check_constants() -> None:
    """Fails when the controller's constants are not those of the P4 source."""
    if not CONSTANTS.exists() or CONSTANTS.read_text() != python_module(CONSTANTS_SOURCE):
        raise ProductError(
            f"controller/p4abs/{CONSTANTS.name} is not made of p4src/{CONSTANTS_SOURCE.name}; "
            "run 'make p4-constants'"
        )


def check_digest() -> str:
    """Compares digests; returns the version of the compiler that made the products."""
    missing = [name for name in product_names() if not (PRODUCTS_DIR / name).exists()]
    if missing or not DIGEST.exists():
        raise ProductError(
            f"missing in p4src/build: {', '.join(missing) or DIGEST.name}; run 'make p4'"
        )
    version, *recorded = DIGEST.read_text().splitlines()
    changed = sorted(
        {line.split("  ")[1] for line in set(recorded) ^ set(digest_lines(PRODUCTS_DIR))}
    )
    if changed:
        raise ProductError(
            "the products in p4src/build do not match: "
            f"{', '.join(changed)}; run 'make p4' with p4c on PATH"
        )
    return version.removeprefix(VERSION_MARK)


def check_by_recompiling() -> None:
    """Compiles afresh and compares byte for byte."""
    with tempfile.TemporaryDirectory() as scratch:
        fresh = Path(scratch)
        compile_into(fresh)
        for name in product_names():
            if (fresh / name).read_bytes() != (PRODUCTS_DIR / name).read_bytes():
                raise ProductError(
                    f"p4src/build/{name} is not what {COMPILER} makes of the sources; run 'make p4'"
                )


def check_products() -> None:
    """Fails when the products are not those of the sources."""
    check_constants()
    made_by = check_digest()
    version = compiler_version()
    if version is None:
        print(f"products match their digest ({COMPILER} is not here, not recompiled)")
    elif version != made_by:
        print(f"products match their digest (not recompiled: made by {made_by}, here is {version})")
    else:
        check_by_recompiling()
        print("products match their digest and a fresh compilation")


def main(arguments: list[str]) -> int:
    """Command line; returns the exit status."""
    commands: dict[str, Callable[[], None]] = {
        "compile": compile_products,
        "constants": write_constants,
        "check": check_products,
    }
    if len(arguments) != 1 or arguments[0] not in commands:
        print(f"usage: products.py {'|'.join(commands)}", file=sys.stderr)
        return 2
    try:
        commands[arguments[0]]()
    except (ProductError, ConstantError) as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
