"""P4Runtime's messages, as the package of finsy brings them, and nothing else of finsy.

Importing finsy runs a whole framework for controllers, which takes a quarter of the time in which a
switch starts. So its packages have stand-ins while the messages are loaded. A later import of finsy
gets all of it, with the same messages.
"""

import sys
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from finsy.proto import p4d, p4i, p4r, p4t
else:

    def _loaded() -> list[ModuleType]:
        folder = Path(find_spec("finsy").submodule_search_locations[0])
        stand_ins = {"finsy": folder, "finsy.proto": folder / "proto"}
        stand_ins = {name: path for name, path in stand_ins.items() if name not in sys.modules}
        for name, path in stand_ins.items():
            sys.modules[name] = ModuleType(name)
            sys.modules[name].__path__ = [str(path)]
        try:
            names = (
                *("p4.v1.p4data", "p4.config.v1.p4info"),
                *("p4.v1.p4runtime", "p4.config.v1.p4types"),
            )
            return [import_module(f"finsy.proto.{name}_pb2") for name in names]
        finally:
            for name in stand_ins:
                del sys.modules[name]

    p4d, p4i, p4r, p4t = _loaded()

__all__ = ["p4d", "p4i", "p4r", "p4t"]
