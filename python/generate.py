"""Writes `python/ligament/_verbs.py` from the command line's own options. A test holds the file against them.

    python python/generate.py
"""

from __future__ import annotations

import importlib.machinery
import importlib.util
import json
import keyword
import sys
from pathlib import Path
from typing import Any

#: For each verb: what Python calls it, what it takes first, what it gives, and who does it.
VERBS = {
    "bind": ("bind", "", "Character", "_one"),
    "rig": ("rig", "", "Character", "_one"),
    "animate": ("animate", "", "Character", "_one"),
    "inspect": ("inspect", "", "dict[str, Any]", "_report"),
    "check": ("check", "", "dict[str, Any]", "_report"),
    "compare": ("compare", "", "dict[str, Any]", "_report"),
    "render": ("render", "*others: Character | Path", "Picture", "_picture"),
    "pose": ("pose", "", "tuple[Floats, Floats]", "_posed"),
    "edit": ("edit", "script: Json", "Character", "_scripted"),
    "transfer": ("transfer", "targets: Targets", "list[Character]", "_given"),
    "weights": ("weight_tools", "verbs: Texts", "Character", "_tools"),
    "lods": ("lods", "levels: Targets", "list[Character]", "_given"),
    "field fit": ("fit_field", "", "Field", "_field"),
}
#: Verbs that start a program of their own.
PROGRAMS = ("studio", "bench", "batch", "batch report")
#: Not for Python: reports are always there, warnings are Python's.
NOT_HERE = {"help", "version", "json", "quiet", "threads"}
#: Those of `ligament.open`.
OF_OPEN = {"scene", "skeleton", "motion", "fit", "up", "unit", "scale"}
#: Options of the same name that mean something else to a verb: how the body is fitted, which motion is carried over.
OWN = {"transfer": {"fit"}, "lods": {"fit"}, "animate": {"motion"}}
#: Options of bind that need a file or another result than weights.
NOT_FOR_ARRAYS = {"output", "store", "explain", "save_binding", "guide", "falloff_pose"}
PATHS = {"FILE", "FOLDER", "FILE.voxels", "FILE.cells", "FILE.csv", "FILE.html"}
NUMBERS = {"ALPHA", "FACTOR", "POWER", "FRACTION", "SECONDS", "WEIGHT", "STRENGTH", "DEGREES", "SHARE", "DETAIL"}
JSON_FILES = {"regions", "joint_limits", "map"}
JOINT_VALUES = {"radius", "smoothness", "limits"}
SPECIAL = {
    "influences": "int | str",
    "resolution": "int | str",
    "root": "Sequence[float] | str",
    "size": "Sequence[int] | str",
    "view": "Sequence[float] | str",
    "explain": "int | Sequence[int]",
}
WIDTH = 100


def main() -> None:
    """Writes the file from the module that is given, or from the one that Python finds."""
    tree = json.loads(module(sys.argv[1:]).options())
    (Path(__file__).parent / "ligament" / "_verbs.py").write_text(text(tree), encoding="utf-8")


def module(words: list[str]) -> Any:
    """The compiled module, without the package that needs what is written here."""
    package = importlib.machinery.PathFinder.find_spec("ligament", sys.path[1:])
    folder = Path(words[0]) if words else Path(package.submodule_search_locations[0])  # type: ignore[index, union-attr]
    file = next(f for f in sorted(folder.glob("_ligament*")) if f.suffix in (".so", ".pyd"))
    spec = importlib.util.spec_from_file_location("ligament._ligament", file)
    assert spec is not None and spec.loader is not None
    found = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(found)
    return found


def text(tree: dict[str, Any]) -> str:
    """The whole file."""
    commands = {command["name"]: command for command in tree["commands"]}
    lines = [HEAD]
    lines.append("class Verbs:")
    lines.append('    """What can be done with a character. Options are those of the command line, with its defaults."""\n')
    for verb, (name, first, gives, runner) in VERBS.items():
        lines.append(method(verb, command_of(commands, verb), name, first, gives, runner))
    lines.append(RUNNERS)
    for name, gives, runner in (("bind", "BindResult", "bound"), ("prepare", "PreparedBinding", "prepared")):
        lines.append(of_arrays(commands["bind"], name, gives, runner))
    for verb in PROGRAMS:
        lines.append(program(verb, command_of(commands, verb)))
    return "\n".join(lines).rstrip() + "\n"


def command_of(commands: dict[str, Any], verb: str) -> dict[str, Any]:
    """A command, or a command of a command."""
    first, *rest = verb.split()
    return next(c for c in commands[first]["commands"] if c["name"] == rest[0]) if rest else commands[first]


def options_of(command: dict[str, Any], verb: str) -> list[dict[str, Any]]:
    """The options that a keyword stands for."""
    opens = OF_OPEN - OWN.get(verb, set())
    return [
        option
        for option in command["arguments"]
        if option["option"] and not option["global"] and option["option"].replace("-", "_") not in NOT_HERE | opens
    ]


def keyword_of(option: dict[str, Any]) -> str:
    name = str(option["option"]).replace("-", "_")
    return name + "_" if keyword.iskeyword(name) else name


def type_and_default(option: dict[str, Any]) -> tuple[str, str]:
    name = keyword_of(option).rstrip("_")
    if not option["takes_value"]:
        return "bool", "False"
    default = option["defaults"][0] if option["defaults"] else None
    if name in SPECIAL:
        kind = SPECIAL[name]
    elif name in JSON_FILES:
        kind = "Json"
    elif name in JOINT_VALUES or name == "limit":
        kind = "JointValues"
    elif option["value_name"] in PATHS:
        kind = "Path"
    elif option["value_name"] in NUMBERS or _is(default, float) and not _is(default, int):
        kind = "float"
    elif option["value_name"] in ("N", "MB") or _is(default, int):
        kind = "int"
    else:
        kind = "str"
    if default is not None:
        shown = default if kind in ("int", "float") or _is(default, int) and "int" in kind else json.dumps(default)
        return kind, shown
    if option["several"]:
        return {"str": "Texts", "Path": "Path | Sequence[Path]"}.get(kind, kind), "()"
    return f"{kind} | None", "None"


def _is(text: str | None, kind: type) -> bool:
    try:
        kind(text)
    except (TypeError, ValueError):
        return False
    return True


def signature(options: list[dict[str, Any]]) -> list[str]:
    return [f"{keyword_of(o)}: {t} = {d}" for o in options for t, d in [type_and_default(o)]]


def documented(command: dict[str, Any], options: list[dict[str, Any]], indent: str) -> list[str]:
    lines = [f'{indent}"""{command["help"]}.', ""]
    for option in options:
        help_text = " ".join(str(option["help"]).split()).replace("\\", "\\\\")
        choices = f" One of {', '.join(option['choices'])}." if option["choices"] else ""
        lines.append(f"{indent}{keyword_of(option)}: {help_text}.{choices}")
    lines.append(f"{indent}progress: Called with a stage's name and the share of it that is done; tqdm works too.")
    lines.append(f"{indent}threads: Worker threads, all cores if none; results are the same with any number.")
    lines.append(f'{indent}"""')
    return lines


def options_dict(options: list[dict[str, Any]], indent: str) -> list[str]:
    """What differs from the command line's own defaults: options that want another are quiet until they are used."""
    lines = [f"{indent}options = changed(", f"{indent}    {{"]
    lines += [f'{indent}        "{keyword_of(o)}": {keyword_of(o)},' for o in options]
    lines += [f"{indent}    }},", f"{indent}    {{"]
    usual = [(keyword_of(o), type_and_default(o)[1]) for o in options if o["takes_value"] and o["defaults"]]
    lines += [f'{indent}        "{name}": {default},' for name, default in usual]
    return [*lines, f"{indent}    }},", f"{indent})"]


def method(verb: str, command: dict[str, Any], name: str, first: str, gives: str, runner: str) -> str:
    options = options_of(command, verb)
    lines = [f"    def {name}(", "        self,"]
    if first:
        lines.append(f"        {first},")
    if not first.startswith("*"):
        lines.append("        *,")
    lines += [f"        {part}," for part in signature(options)]
    lines += ["        progress: Progress = None,", "        threads: int | None = None,", f"    ) -> {gives}:"]
    lines += documented(command, options, "        ")
    lines += options_dict(options, "        ")
    given = first.split(":")[0].lstrip("*")
    words = [f'"{verb.split()[-1]}"', *([given] if given else []), "options", "progress", "threads"]
    lines.append(f"        return self.{runner}({', '.join(words)})\n")
    return "\n".join(lines)


def of_arrays(command: dict[str, Any], name: str, gives: str, runner: str) -> str:
    options = [o for o in options_of(command, "bind") if keyword_of(o) not in NOT_FOR_ARRAYS]
    lines = [
        "",
        f"def {name}(",
        "    vertices: Any,",
        "    faces: Any = None,",
        "    joints: Any = None,",
        "    parents: Any = None,",
        "    *,",
        "    names: Sequence[str] | None = None,",
    ]
    lines += [f"    {part}," for part in signature(options)]
    lines += ["    progress: Progress = None,", "    threads: int | None = None,", f") -> {gives}:"]
    words = documented(command, options, "    ")
    words[0] = f'    """{ARRAYS[name]}'
    words[1:1] = [
        "",
        "    vertices: (N, 3), or anything with ``.vertices`` and ``.faces``, such as trimesh's meshes.",
        "    faces: (M, 3), indices of vertices.",
        "    joints: (J, 3) positions in the same space and unit, or (J, 4, 4) matrices.",
        "    parents: (J,), -1 for a root, in any order.",
        "    names: Of the joints; they tell controls and ends from bones.",
    ]
    words = [line for number, line in enumerate(words) if line or number == 1]
    lines += words
    lines += options_dict(options, "    ")
    lines.append(f"    return {runner}((vertices, faces, joints, parents, names), options, progress, threads)\n")
    return "\n".join(lines)


def program(verb: str, command: dict[str, Any]) -> str:
    passes_on = any(o["name"] == "arguments" and not o["option"] for o in command["arguments"])
    options = [
        o
        for o in command["arguments"]
        if o["option"] and not o["global"] and not o["hidden"] and o["option"] not in NOT_HERE
    ]
    lines = ["", f"def {verb.replace(' ', '_')}(", "    *inputs: Path,"]
    lines += [f"    {part}," for part in signature(options)]
    lines += ["    arguments: Texts = (),"] if passes_on else []
    lines += ["    threads: int | None = None,", ") -> int:", f'    """{command["help"]}.', ""]
    lines.append("    Starts the command line in a process of its own, and gives its exit status.")
    lines += ["", *(f"    {keyword_of(o)}: {' '.join(str(o['help']).split())}." for o in options)]
    lines += ["    arguments: Words of the command line for the verb.", '    """'] if passes_on else ['    """']
    lines += options_dict(options, "    ")
    lines.append('    options["threads"] = threads')
    given = ", arguments" if passes_on else ""
    lines.append(f'    return started("{verb}", inputs, options{given})\n')
    return "\n".join(lines)


ARRAYS = {
    "bind": "Binds a mesh to a skeleton: for each vertex at most ``influences`` joints with weights that sum to one.",
    "prepare": "Does the slow half of a bind and keeps it, for new weights at slider speed.",
}
HEAD = '''"""The verbs, from the command line's own options. Written by `python/generate.py`; a test holds it against them."""

# ruff: noqa: E501
from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from ._bind import BindResult, PreparedBinding, bound, prepared
from ._programs import started
from ._progress import Progress
from ._words import JointValues, Json, Path, Texts, changed

if TYPE_CHECKING:
    from ._arrays import Floats
    from ._character import Character
    from ._field import Field
    from ._picture import Picture

    Targets: TypeAlias = Character | Path | Sequence[Character | Path]

'''
RUNNERS = '''    # Who does it: `Character`.
    if TYPE_CHECKING:

        def _one(self, verb: str, options: Mapping[str, Any], progress: Progress, threads: int | None) -> Character: ...
        def _report(self, verb: str, options: Mapping[str, Any], progress: Progress, threads: int | None) -> dict[str, Any]: ...
        def _picture(self, verb: str, others: Any, options: Mapping[str, Any], progress: Progress, threads: int | None) -> Picture: ...
        def _posed(self, verb: str, options: Mapping[str, Any], progress: Progress, threads: int | None) -> tuple[Floats, Floats]: ...
        def _scripted(self, verb: str, script: Any, options: Mapping[str, Any], progress: Progress, threads: int | None) -> Character: ...
        def _given(self, verb: str, others: Any, options: Mapping[str, Any], progress: Progress, threads: int | None) -> list[Character]: ...
        def _tools(self, verb: str, verbs: Any, options: Mapping[str, Any], progress: Progress, threads: int | None) -> Character: ...
        def _field(self, verb: str, options: Mapping[str, Any], progress: Progress, threads: int | None) -> Field: ...

'''

if __name__ == "__main__":
    main()
