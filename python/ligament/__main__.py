"""The command line itself: ``ligament`` and ``python -m ligament``."""

from __future__ import annotations

import sys

from . import _ligament


def main() -> int:
    """Does what the words of the command line ask for."""
    return _ligament.main(["ligament", *sys.argv[1:]], [sys.executable, "-m", "ligament"])


if __name__ == "__main__":
    sys.exit(main())
