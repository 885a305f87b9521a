"""A rig under edit, its weights following."""

from __future__ import annotations

import json
from tempfile import TemporaryDirectory
from typing import Any

from . import _ligament
from ._arrays import Rows
from ._character import Character
from ._progress import Progress, watcher
from ._words import Texts, json_file, words


class EditSession:
    """Edits one by one, each in milliseconds, with undo.

    ``session.apply("move_joint", joint="head", by=[0, 0.02, 0])``; the commands are those of ``ligament edit``.
    """

    def __init__(
        self,
        character: Character,
        *,
        method: str = "heat",
        influences: int | str = 4,
        deform: Texts = (),
        prune: float = 0.001,
        tolerance: float = 0.001,
        growth: str = "tolerance",
        progress: Progress = None,
        threads: int | None = None,
    ) -> None:
        """Options are those of ``Character.edit``."""
        options = {
            "method": method,
            "influences": influences,
            "deform": deform,
            "prune": prune,
            "tolerance": tolerance,
            "growth": growth,
        }
        # The command line wants a script: here it is empty, and commands come one by one.
        with TemporaryDirectory(prefix="ligament-") as folder:
            script = json_file([], folder, "script")
            with words(["edit"], ["character", script], options) as said:
                self._session = _ligament.Session(character._asset, said, watcher(progress), threads)

    def apply(self, command: str, **values: Any) -> dict[str, Any]:
        """Carries out one command, and says which vertices follow other joints now."""
        text = json.dumps({"command": command, **values})
        done: dict[str, Any] = json.loads(self._session.apply(text, None, None))
        return done

    def undo(self) -> dict[str, Any]:
        """Takes the last command back, to the bit."""
        return self.apply("undo")

    def redo(self) -> dict[str, Any]:
        """Carries out again what was taken back."""
        return self.apply("redo")

    @property
    def history(self) -> tuple[int, int]:
        """How many commands can be undone, and how many done again."""
        return self._session.history()

    @property
    def joint_names(self) -> list[str]:
        """The names of its joints now."""
        return self._session.joint_names()

    def weights(self) -> Rows:
        """Its weights now."""
        return Rows(self._session.weights(), len(self.joint_names))

    def character(self) -> Character:
        """The character as it is now."""
        return Character(self._session.character())
