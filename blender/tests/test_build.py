# SPDX-License-Identifier: GPL-3.0-or-later
"""The zip holds what the manifest names."""

import tomllib
import zipfile

import pytest
from conftest import build


def test_the_manifest_names_the_wheels_that_are_in(tmp_path):
    tags = {"manylinux_2_28_x86_64": "linux-x64", "macosx_11_0_arm64": "macos-arm64", "win_amd64": "windows-x64"}
    wheels = [tmp_path / f"ligament-0.1.0-cp311-abi3-{tag}.whl" for tag in tags]
    for wheel in wheels:
        wheel.write_bytes(wheel.name.encode())
    first = build.packed(wheels, tmp_path / "out").read_bytes()
    path = build.packed(wheels, tmp_path / "out")
    assert path.read_bytes() == first and path.name == "ligament-0.1.0.zip"
    with zipfile.ZipFile(path) as archive:
        names = set(archive.namelist())
        manifest = tomllib.loads(archive.read("blender_manifest.toml").decode())
    assert manifest["platforms"] == sorted(tags.values())
    assert {name.removeprefix("./") for name in manifest["wheels"]} == {n for n in names if n.startswith("wheels/")}
    assert {"__init__.py", "operators.py", "LICENSE"} <= names and not any("test" in n for n in names)
    with pytest.raises(SystemExit):
        build.packed([], tmp_path)
