"""Samples in files: a writer for each format, in a thread of its own, for which no loop waits."""

from p4abs.telemetry.samples.file import SampleFile, open_sample_file
from p4abs.telemetry.samples.rotation import Rotation

__all__ = ["Rotation", "SampleFile", "open_sample_file"]
