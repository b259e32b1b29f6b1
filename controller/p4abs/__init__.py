"""Adaptive buffer sizing (ABS) for P4 switches."""

from importlib.metadata import version

__version__ = version("p4abs")
