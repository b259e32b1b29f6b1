"""Whether a process listens, seen from outside: in any network namespace, without connecting."""

from pathlib import Path

_LISTEN = "0A"  # proc(5), /proc/net/tcp


def listens(pid: int, port: int) -> bool:
    """Whether the process has a TCP socket that listens on the port; False if it has ended."""
    try:
        inodes = _listening_inodes(pid, port)
        return bool(inodes) and any(
            descriptor.readlink().name in inodes for descriptor in Path(f"/proc/{pid}/fd").iterdir()
        )
    except (FileNotFoundError, ProcessLookupError):  # it ends, or closes a file, meanwhile
        return False


def _listening_inodes(pid: int, port: int) -> set[str]:
    """Of all sockets in the process's namespace that listen on the port, as `/proc` links them."""
    files = (Path(f"/proc/{pid}/net/{protocol}") for protocol in ("tcp", "tcp6"))
    lines = (line for file in files if file.exists() for line in file.read_text().splitlines())
    sockets = (line.split() for line in lines)
    return {
        f"socket:[{words[9]}]"
        for words in sockets
        if words[1].endswith(f":{port:04X}") and words[3] == _LISTEN
    }
