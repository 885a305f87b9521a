"""One set of options and one set of results: Python's, the command line's and the library's."""

from __future__ import annotations

import inspect
import json
import os
import subprocess
import sys
from pathlib import Path

import generate
import ligament
import numpy as np
import pytest
from ligament import _ligament

TREE = json.loads(_ligament.options())


def commands(tree, path=()):
    for command in tree["commands"]:
        if command["name"] == "help" or command["hidden"]:
            continue
        here = (*path, command["name"])
        yield from commands(command, here)
        if not command["commands"] or any(not argument["global"] for argument in command["arguments"]):
            yield " ".join(here), command


#: What Python has for each command.
HERE = {verb: getattr(ligament.Character, name) for verb, (name, *_) in generate.VERBS.items()} | {
    "convert": ligament.Character.save,
    "sample": ligament.Character.save,
    "field eval": ligament.Field.__call__,
    "field info": ligament.Field.open,
    "studio": ligament.studio,
    "bench": ligament.bench,
    "batch": ligament.batch,
    "batch report": ligament.batch_report,
}
#: Options that results in memory make needless: a field's weights are arrays.
NEEDLESS = {("field eval", "output")}


@pytest.mark.parametrize(("verb", "command"), list(commands(TREE)), ids=lambda v: v if isinstance(v, str) else "")
def test_every_option_of_the_command_line_is_here(verb, command):
    own = inspect.signature(HERE[verb]).parameters
    opening = inspect.signature(ligament.open).parameters
    for option in command["arguments"]:
        if not option["option"] or option["hidden"] or option["option"] in ("help", "version", "json", "quiet"):
            continue
        name = generate.keyword_of(option)
        if (verb, name) in NEEDLESS:
            continue
        found = own.get(name) or opening.get(name)
        assert found is not None, f"{verb} --{option['option']} is missing in Python"
        if name in own and name != "output":
            assert found.kind is inspect.Parameter.KEYWORD_ONLY, name
            if option["defaults"] and option["takes_value"]:
                assert str(found.default) == option["defaults"][0] or float(found.default) == float(option["defaults"][0])


def test_the_generated_file_is_up_to_date():
    file = Path(generate.__file__).parent / "ligament" / "_verbs.py"
    assert file.read_text(encoding="utf-8") == generate.text(TREE), "run python/generate.py"


def run(*words, program=(sys.executable, "-m", "ligament")):
    return subprocess.run([*program, *map(str, words)], capture_output=True, text=True, check=False)


def test_the_console_script_is_the_command_line(tmp_path):
    assert run("--version").stdout.split()[-1] == ligament.__version__
    bad = run("bind", tmp_path / "nothing.glb")
    assert bad.returncode == 2 and "nothing.glb" in bad.stderr
    told = json.loads(run("sample", "--json").stdout)
    assert told == ligament.samples()
    rows = json.loads(run("bench", "sample:tube@200", "--methods", "closest", "--json").stdout)
    assert len(rows) == 1, rows  # it starts itself again


def test_a_batch_starts_python_again(tmp_path):
    done = ligament.batch("sample:tube@200", output=tmp_path, arguments=["--method", "closest"], no_measures=True)
    assert done == 0
    [made] = tmp_path.glob("*.glb")
    assert ligament.open(made).has_weights


@pytest.mark.parametrize("method", ["best", "heat"])
def test_the_same_bytes_through_every_door(tmp_path, method):
    ours, theirs, native = (tmp_path / f"{name}.glb" for name in ("python", "script", "binary"))
    character = ligament.open("sample:hound@1500")
    bound = character.bind(method=method, output=ours)
    assert run("bind", "sample:hound@1500", "--method", method, "-o", theirs).returncode == 0
    assert ours.read_bytes() == theirs.read_bytes()
    binary = os.environ.get("LIGAMENT_BINARY")
    if binary:
        done = run("bind", "sample:hound@1500", "--method", method, "-o", native, program=(binary,))
        assert done.returncode == 0, done.stderr
        assert ours.read_bytes() == native.read_bytes()
    later = tmp_path / "later.glb"
    bound.save(later)
    assert ours.read_bytes() == later.read_bytes()


@pytest.mark.filterwarnings("ignore::ligament.LigamentWarning")
@pytest.mark.parametrize("method", ["best", "heat"])
def test_arrays_are_bound_as_their_character_is(method):
    # One whose parts and materials are not named after clothes, faces or tools: the prior looks at that, and arrays have no names.
    character = ligament.open("sample:athlete@1500")
    bound = character.bind(method=method)
    arrays = ligament.bind(**character.arrays(), method=method)
    assert (arrays.dense() == bound.dense()[:, bound.in_skin]).all()
