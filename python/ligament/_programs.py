"""Verbs that are programs: a server, a benchmark or a batch of many processes."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from typing import Any

from ._words import Path, Texts, words


def started(verb: str, inputs: Sequence[Path], options: Mapping[str, Any], arguments: Texts | None = None) -> int:
    """Runs the command line in a process of its own."""
    places = [os.fspath(each) for each in inputs]
    with words(verb.split(), [], options) as said:
        # Where a verb passes words on, they come after the dashes, and inputs before them.
        passed = [arguments] if isinstance(arguments, str) else list(arguments or ())
        said = [*said[:-1], *places, "--", *passed] if arguments is not None else [*said, *places]
        return subprocess.run([sys.executable, "-m", "ligament", *said], check=False).returncode
