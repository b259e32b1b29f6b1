"""Memory that nothing uses any more, and that the C library keeps."""

import ctypes


def give_back() -> None:
    """Gives it to the kernel, where the library can: glibc itself does so at the heap's end only.

    Takes some milliseconds for tens of megabytes, without Python's lock.
    """
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)
