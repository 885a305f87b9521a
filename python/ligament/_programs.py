"""Verbs that are programs: a server, a benchmark of many processes."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from typing import Any

from ._words import Path, words


def started(verb: str, inputs: Sequence[Path], options: Mapping[str, Any]) -> int:
    """Runs the command line in a process of its own."""
    with words([verb], [os.fspath(each) for each in inputs], options) as said:
        return subprocess.run([sys.executable, "-m", "ligament", *said], check=False).returncode
