"""Intel's SDE, whose Python client speaks BF Runtime: where it is and whether it is the right one.

The layout is that of SDE 9.13: share/VERSION, and the client in the folder tofino/bfrt_grpc of
lib/python3.N/site-packages.
"""

import importlib
import os
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

from finsy.proto import rpc_code, rpc_status

from p4abs.errors import UserError, one_line

VERSION = "9.13"
_MODULE = "bfrt_grpc.client"


class SdeError(UserError):
    """There is no SDE here that can be used; the message says what is missing."""


def require_sde() -> None:
    """Raises SdeError."""
    load_client()


def load_client() -> Any:
    """The SDE's module bfrt_grpc.client. Raises SdeError."""
    install = os.environ.get("SDE_INSTALL")
    if not install:
        raise SdeError(
            f"target bfrt needs the client of Intel's SDE {VERSION}: "
            "set SDE_INSTALL to the folder where the SDE is installed"
        )
    root = Path(install)
    _check_version(root)
    found = sorted(root.glob(f"lib/python3*/site-packages/tofino/{_MODULE.replace('.', '/')}.py"))
    if not found:
        raise SdeError(f"SDE_INSTALL: {root} has no client for BF Runtime ({_MODULE} of tofino/)")
    folder = str(found[-1].parents[1])
    if folder not in sys.path:
        sys.path.append(folder)
    _lend_google_rpc()
    try:
        return importlib.import_module(_MODULE)
    except Exception as error:  # the import runs code of others, which may raise anything
        raise SdeError(
            f"SDE_INSTALL: {found[-1]} cannot be imported: {one_line(str(error))}"
        ) from None


def _check_version(root: Path) -> None:
    file = root / "share" / "VERSION"
    try:
        version = file.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError):
        raise SdeError(f"SDE_INSTALL: {root}: not an installed SDE: cannot read {file}") from None
    if not version.startswith(f"{VERSION}."):
        raise SdeError(f"SDE_INSTALL: {root} has SDE {one_line(version)}; supported: {VERSION}")


def _lend_google_rpc() -> None:
    """Gives the client the messages google.rpc that finsy brings.

    A process can have them once: those of googleapis-common-protos would be refused.
    """
    package = ModuleType("google.rpc")
    package.__path__ = []
    modules = {"google.rpc": package}
    for name, module in (("status_pb2", rpc_status), ("code_pb2", rpc_code)):
        setattr(package, name, module)
        modules[f"google.rpc.{name}"] = module
    for name, module in modules.items():
        sys.modules.setdefault(name, module)
