"""Who has called this by sudo."""

import os
from pathlib import Path


def give_to_caller(folder: Path) -> None:
    """What sudo has made belongs to the user who called it."""
    user, group = os.environ.get("SUDO_UID"), os.environ.get("SUDO_GID")
    if user is None or group is None:
        return
    for path in (folder, *folder.rglob("*")):
        os.chown(path, int(user), int(group), follow_symlinks=False)
