# SPDX-License-Identifier: GPL-3.0-or-later
"""An operator whose work runs beside Blender: progress in the status bar, Esc cancels, one undo step.

A modal timer polls a :class:`job.Job`. Called from a script (``bpy.ops.ligament.bind()``) the same work runs to its end at once.
"""

import warnings

import bpy

from .job import Job
from .scene import Refused

#: Seconds between two looks at the work.
LOOK = 0.1


class Solving:
    """A mix-in for operators. They have ``gather(context)``, which reads the scene and gives a callable for the thread, and
    ``apply(context, result)``, which finds objects again by their names and writes.
    """

    bl_options = {"REGISTER", "UNDO"}
    job = None
    timer = None

    def execute(self, context):
        """All at once, for scripts and for *Adjust Last Operation*."""
        work = self._gathered(context)
        if work is None:
            return {"CANCELLED"}
        self.job = Job(work)
        self.job.start()
        self.job.wait()
        return self._finished(context)

    def invoke(self, context, event):
        """Beside Blender, for people."""
        work = self._gathered(context)
        if work is None:
            return {"CANCELLED"}
        self.job = Job(work)
        self.job.start()
        self.timer = context.window_manager.event_timer_add(LOOK, window=context.window)
        context.window_manager.modal_handler_add(self)
        context.window_manager.progress_begin(0, 100)
        return {"RUNNING_MODAL"}

    def modal(self, context, event):
        """Looks at the work. Everything else in Blender goes on."""
        if event.type == "ESC":
            self.job.cancel()
        if event.type not in {"TIMER", "ESC"}:
            return {"PASS_THROUGH"}
        if self.job.state == "running":
            self._show(context, f"{self.bl_label}: {self.job.stage} {self.job.fraction:.0%}  (Esc cancels)")
            return {"RUNNING_MODAL"}
        self._put_away(context)
        return self._finished(context)

    def cancel(self, context):
        """Blender closes: the thread is told to stop."""
        if self.job is not None:
            self.job.cancel()
        self._put_away(context)

    def _gathered(self, context):
        try:
            return self.gather(context)
        except Refused as refused:
            self.report({"ERROR"}, str(refused))
            return None

    def _finished(self, context):
        job = self.job
        if job.state == "failed":
            self.report({"ERROR"}, str(job.error))
            return {"CANCELLED"}
        if job.state != "done":
            self.report({"INFO"}, f"{self.bl_label} was cancelled; nothing was changed")
            return {"CANCELLED"}
        try:
            self.apply(context, job.result)
        except Refused as refused:
            self.report({"ERROR"}, str(refused))
            return {"CANCELLED"}
        return {"FINISHED"}

    def _show(self, context, text):
        context.workspace.status_text_set(text)
        context.window_manager.progress_update(int(100 * self.job.fraction))

    def _put_away(self, context):
        if self.timer is not None:
            context.window_manager.event_timer_remove(self.timer)
            context.window_manager.progress_end()
            context.workspace.status_text_set(None)
            self.timer = None

    def tell(self, found):
        """Warnings of the engine as warnings of Blender."""
        for _, message in found:
            self.report({"WARNING"}, message)


def found_again(name):
    """An object by its name: what happened while work ran may have made another of it."""
    obj = bpy.data.objects.get(name)
    if obj is None:
        raise Refused(f"'{name}' is not there any more; nothing was changed")
    return obj


def collecting(function):
    """Runs on the work's thread, where warnings must not print: they come back beside the result."""

    def run(progress):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            result = function(progress)
        return result, [(w.message.code, w.message.message) for w in caught if hasattr(w.message, "code")]

    return run
