"""`python -m p4abs` and the console script `p4abs`."""

from p4abs.cli import main

__all__ = ["main"]

if __name__ == "__main__":
    main()
