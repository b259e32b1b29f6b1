"""Tests in Python 2, of a program for an older v1model: rewritten where they have been copied to.

lib2to3 translates Python, but cannot tell text from bytes; so those lines are rewritten here.
"""

import re
import subprocess
from pathlib import Path

from p4abs_switch.testbed.process import ProcessFailed

_FIXERS = ("-x", "import")  # `import helper` stays as it is: tests put its folder on the path
_PYTHON = (
    (r"\bunicode\((\w+), \"utf-8\"\)", r"\1"),
    (r"return (.*)\.decode\('hex'\)", r"return bytes.fromhex(\1)"),
    (r"= (.*)\.decode\('hex'\)", r"= bytes.fromhex(\1)"),
    (r"\"\"\.join\(chr\(b\) for b in bytes_\)", "bytes(bytes_)"),
    (r"ip_address\((\w+)\.decode\(\"utf-8\"\)\)", r"ip_address(\1)"),
    (r"open\((bmv2_json_path)\)", r"open(\1, 'rb')"),
    (r"check_output\(\['ifconfig'\]\)", r"\g<0>.decode()"),
    # Since P4Runtime 1.3 a value has as few bytes as it can.
    (r"exp_meta_dict = \{m\.metadata_id: m\.value", r"\g<0>.lstrip(b'\\0') or b'\\0'"),
    (r"\bstr\((pkt\d?)\)", r"bytes(\1)"),
)
# p4c has no clone3 any more. A clone keeps fields of the program's own metadata.
_P4 = (
    (r"struct local_metadata_t \{", r"\g<0> @field_list(0) bit<9> cloned_from;"),
    (
        r"clone3\((.*), \{ standard_metadata\.ingress_port \}\);",
        r"local_metadata.cloned_from = standard_metadata.ingress_port;"
        r" clone_preserving_field_list(\1, 0);",
    ),
    (
        r"(hdr\.cpu_in\.ingress_port = )standard_metadata\.ingress_port",
        r"\1local_metadata.cloned_from",
    ),
)


def renew(folder: Path) -> None:
    """Rewrites all modules and programs of a folder. Raises ProcessFailed."""
    for ending, rewrites in (("py", _PYTHON), ("p4", _P4)):
        for path in folder.rglob(f"*.{ending}"):
            text = path.read_text()
            for pattern, replacement in rewrites:
                text = re.sub(pattern, replacement, text)
            path.write_text(text)
    command = ("python3", "-W", "ignore", "-m", "lib2to3", "-w", "-n", *_FIXERS, str(folder))
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        said = done.stderr.strip().splitlines() or ["nothing"]
        raise ProcessFailed(f"lib2to3 did not translate {folder}; it said last: {said[-1]}")
