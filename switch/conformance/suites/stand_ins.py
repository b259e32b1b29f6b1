"""Libraries that runs on BMv2 import and do not use: test vectors, gNMI, the generator TRex."""

from pathlib import Path

_MODULES = {
    "gnmi/gnmi_pb2.py": "",
    "gnmi/gnmi_pb2_grpc.py": "",
    "portmap/pmutils.py": "",
    "target/targetutils.py": "",
    "testvector/tvutils.py": "",
    "trex_stf_lib/trex_client.py": "CTRexClient = None\n",
}


def write(folder: Path) -> Path:
    """Writes modules of these names, empty as far as they may be; returns the folder."""
    for name, text in _MODULES.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder
