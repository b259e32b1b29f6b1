"""Samples in files: a writer for each format, in a thread of its own, for which no loop waits."""

from p4abs.telemetry.samples.appended import Rotation
from p4abs.telemetry.samples.file import SampleFile, open_sample_file

__all__ = ["Rotation", "SampleFile", "open_sample_file"]
