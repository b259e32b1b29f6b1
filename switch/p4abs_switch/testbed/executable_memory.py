"""Processes that can have no machine code of their own."""

import ctypes

# prctl(2)
_PR_SET_MDWE = 65
_PR_MDWE_REFUSE_EXEC_GAIN = 1


def forbid_executable_memory() -> bool:
    """From now on no memory of this process becomes executable that was not so from the start, nor
    of those that it starts. False before Linux 6.3, where nothing is forbidden."""
    status: int = ctypes.CDLL(None).prctl(_PR_SET_MDWE, _PR_MDWE_REFUSE_EXEC_GAIN, 0, 0, 0)
    return status == 0
