"""What watches long work: a callable, or a progress bar such as tqdm's."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

#: Called with a stage's name and the share of it that is done, 0 to 1; what it raises cancels the work. A ``tqdm`` bar, or the
#: class ``tqdm`` itself, works too.
Progress: TypeAlias = Callable[[str, float], object] | Any | None


class _Bar:
    """Moves a bar of tqdm's kind, one turn for each stage."""

    def __init__(self, bar: Any, total: float) -> None:
        self.bar = bar
        self.total = total
        self.stage = ""
        self.done = 0.0

    def __call__(self, stage: str, fraction: float) -> None:
        if stage != self.stage:
            self.stage, self.done = stage, 0.0
            self.bar.reset()
            self.bar.set_description(stage)
        reached = fraction * self.total
        self.bar.update(reached - self.done)
        self.done = reached


def watcher(progress: Progress) -> Callable[[str, float], object] | None:
    """What Rust calls."""
    if progress is None:
        return None
    if hasattr(progress, "update") and hasattr(progress, "set_description"):
        bar: Any = progress(total=100) if isinstance(progress, type) else progress
        return _Bar(bar, bar.total or 1)
    if not callable(progress):
        raise TypeError("progress is a callable, as in progress=lambda stage, fraction: None")
    return progress
