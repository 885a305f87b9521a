"""The examples of the guide run, in order."""

from __future__ import annotations

import re
from pathlib import Path

import ligament
import pytest

GUIDE = Path(__file__).parent.parent.parent / "docs" / "guide" / "python.md"


def test_the_guide_runs(tmp_path, monkeypatch):
    blocks = re.findall(r"```python\n(.*?)```", GUIDE.read_text(encoding="utf-8"), re.DOTALL)
    assert len(blocks) >= 4
    ligament.open("sample:hound@800").save(tmp_path / "hero.glb")
    monkeypatch.chdir(tmp_path)
    given = ligament.open("sample:tube@400").arrays()
    names = {name: given[name] for name in ("vertices", "faces", "joints", "parents")}
    for block in blocks:
        exec(block, names)
    assert Path("bound.glb").exists() and Path("edited.glb").exists()
    assert names["soft"].weights.shape == names["sharp"].weights.shape


@pytest.mark.parametrize("name", ligament.__all__)
def test_everything_has_a_docstring(name):
    thing = getattr(ligament, name)
    assert name == "__version__" or thing.__doc__, name
