"""Makes and checks the compiled products of the P4 sources.

    products.py compile      run the compilers that are here, write build/ and the constants
    products.py constants    write the controller's module of constants, which takes no compiler
    products.py check        fail when build/ or the constants do not match the sources

A family of programs has a compiler, products and a digest of its own. The digest lists the SHA-256
of every source and every product, so a stale or hand-edited product is found without a compiler.
Where the compiler is on PATH, `check` also recompiles and compares.
"""

import hashlib
import re
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from constants import ConstantError, python_module
from families import FAMILIES, Family, ProductError

SOURCES_DIR = Path(__file__).resolve().parent
PRODUCTS_DIR = SOURCES_DIR / "build"
VERSION_MARK = "# compiler: "
CONSTANTS_SOURCES = (
    SOURCES_DIR / "adaptive" / "types.p4",
    SOURCES_DIR / "types.p4",
    SOURCES_DIR / "adaptive" / "packet_io_headers.p4",
    SOURCES_DIR / "adaptive" / "memory" / "types.p4",
)
CONSTANTS = SOURCES_DIR.parent / "controller" / "p4abs" / "p4_constants.py"
_INCLUDE = re.compile(r'^#include "([^"]+)"', re.MULTILINE)


def sources(family: Family) -> list[Path]:
    """What a family's programs are made of, in a stable order."""
    return sorted({path for name in family.programs for path in _included(SOURCES_DIR / name)})


def _included(source: Path) -> Iterator[Path]:
    """The file and, however deep, what it includes."""
    yield source
    for name in _INCLUDE.findall(source.read_text()):
        yield from _included((source.parent / name).resolve())


def digest_lines(family: Family) -> list[str]:
    """One line per source and product, as sha256sum prints them."""
    files = [(path, path.relative_to(SOURCES_DIR).as_posix()) for path in sources(family)]
    files += [(PRODUCTS_DIR / name, f"build/{name}") for name in family.products]
    return [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {name}" for path, name in files]


def compile_products() -> None:
    """Rewrites build/ from the sources, as far as there are compilers."""
    versions = {family: family.compiler_version() for family in FAMILIES}
    if not any(versions.values()):
        compilers = " and ".join(sorted({family.compiler for family in FAMILIES}))
        raise ProductError(
            f"{compilers} are not on PATH. They come with p4c: install p4lang's "
            "package p4lang-p4c, or build github.com/p4lang/p4c."
        )
    write_constants()
    for family, version in versions.items():
        if version is None:
            print(f"{family.compiler} is not here: its products are left as they are")
            continue
        PRODUCTS_DIR.mkdir(exist_ok=True)
        family.compile_into(SOURCES_DIR, PRODUCTS_DIR)
        digest = "\n".join([VERSION_MARK + version, *digest_lines(family)])
        (PRODUCTS_DIR / family.digest).write_text(digest + "\n")


def write_constants() -> None:
    """Rewrites the controller's module of constants. Raises ConstantError."""
    CONSTANTS.write_text(python_module(CONSTANTS_SOURCES))


def check_constants() -> None:
    """Fails when the controller's constants are not those of the P4 source."""
    if not CONSTANTS.exists() or CONSTANTS.read_text() != python_module(CONSTANTS_SOURCES):
        raise ProductError(
            f"controller/p4abs/{CONSTANTS.name} does not have the constants of p4src; "
            "run 'make p4-constants'"
        )


def check_digest(family: Family) -> str:
    """Compares digests; returns the version of the compiler that made the products."""
    expected = (*family.products, family.digest)
    missing = [name for name in expected if not (PRODUCTS_DIR / name).exists()]
    if missing:
        raise ProductError(f"missing in p4src/build: {', '.join(missing)}; run 'make p4'")
    version, *recorded = (PRODUCTS_DIR / family.digest).read_text().splitlines()
    changed = sorted({line.split("  ")[1] for line in set(recorded) ^ set(digest_lines(family))})
    if changed:
        raise ProductError(
            "the products in p4src/build do not match: "
            f"{', '.join(changed)}; run 'make p4' with {family.compiler} on PATH"
        )
    return version.removeprefix(VERSION_MARK)


def check_by_recompiling(family: Family) -> None:
    """Compiles afresh and compares."""
    with tempfile.TemporaryDirectory() as scratch:
        fresh = Path(scratch)
        family.compile_into(SOURCES_DIR, fresh)
        for name in family.products:
            if not family.are_equal(fresh / name, PRODUCTS_DIR / name):
                raise ProductError(
                    f"p4src/build/{name} is not what {family.compiler} makes of the sources; "
                    "run 'make p4'"
                )


def check_products() -> None:
    """Fails when the products are not those of the sources."""
    check_constants()
    for family in FAMILIES:
        made_by = check_digest(family)
        version = family.compiler_version()
        if version is None:
            print(f"products match their digest ({family.compiler} is not here, not recompiled)")
        elif version != made_by:
            print(
                "products match their digest "
                f"(not recompiled: made by {made_by}, here is {version})"
            )
        else:
            check_by_recompiling(family)
            print(f"products match their digest and a fresh compilation by {family.compiler}")


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
