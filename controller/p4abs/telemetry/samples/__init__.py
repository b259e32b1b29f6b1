"""Samples in files, written by a thread of their own, for which no control loop waits.

- `columns`: names, units and values of the columns, the same in all formats.
- `lines`: CSV and JSON lines. `appended`: the file of lines, which goes on and rotates.
- `parquet`: Apache Parquet.
- `file`: the writer and its thread.
"""

from p4abs.telemetry.samples.appended import Rotation
from p4abs.telemetry.samples.file import SampleFile, open_sample_file

__all__ = ["Rotation", "SampleFile", "open_sample_file"]
