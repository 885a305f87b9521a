"""Characters for the tests, small enough to bind in a moment."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import ligament
import pytest

# Beside the package, not in it: the package that is tested may be an installed one.
_spec = importlib.util.spec_from_file_location("generate", Path(__file__).parent.parent / "generate.py")
assert _spec is not None and _spec.loader is not None
sys.modules["generate"] = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(sys.modules["generate"])


@pytest.fixture(scope="session")
def tube() -> ligament.Character:
    return ligament.open("sample:tube@400")


@pytest.fixture(scope="session")
def hound() -> ligament.Character:
    return ligament.open("sample:hound@800")
