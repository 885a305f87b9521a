# SPDX-License-Identifier: GPL-3.0-or-later
"""Long work on a thread of its own, as a plain state machine that anything can poll. Nothing here knows Blender."""

import threading


class Stopped(Exception):
    """The user asked to stop."""


class Job:
    """Work that runs beside Blender. ``work`` gets a callable for its progress."""

    def __init__(self, work):
        self._work = work
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self.state = "waiting"
        self.stage = ""
        self.fraction = 0.0
        self.result = None
        self.error = None

    def start(self):
        self.state = "running"
        self._thread.start()

    def cancel(self):
        """Asks the work to stop; it does so within a moment."""
        self._stop.set()

    def wait(self, seconds=None):
        self._thread.join(seconds)

    def _progress(self, stage, fraction):
        if self._stop.is_set():
            raise Stopped
        self.stage, self.fraction = stage, fraction

    def _run(self):
        try:
            result = self._work(self._progress)
        except Stopped:
            self.state = "cancelled"
        except Exception as error:  # whatever it is, Blender's thread tells the user
            self.error = error
            self.state = "failed"
        else:
            # Work that was done before it could be stopped is thrown away all the same.
            self.result = result
            self.state = "cancelled" if self._stop.is_set() else "done"
