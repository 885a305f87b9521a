# SPDX-License-Identifier: GPL-3.0-or-later
"""Packs the extension with the wheels that there are: python blender/build.py WHEELS OUTPUT.

The manifest names the wheels that are in, and the platforms that they are for. The zip is the same, byte by byte, for the same
files.
"""

import re
import sys
import tomllib
import zipfile
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
#: What Blender calls the platforms of wheels.
PLATFORMS = {
    r"manylinux.*_x86_64": "linux-x64",
    r"manylinux.*_aarch64": "linux-arm64",
    r"macosx.*_arm64": "macos-arm64",
    r"macosx.*_x86_64": "macos-x64",
    r"win_amd64": "windows-x64",
    r"win_arm64": "windows-arm64",
}


def platform_of(wheel):
    """The platform of a wheel; fails for those that Blender does not know."""
    tag = wheel.stem.rsplit("-", 1)[-1]
    found = [name for pattern, name in PLATFORMS.items() if re.search(pattern, tag)]
    if not found:
        raise SystemExit(f"{wheel.name}: no platform of Blender's is called {tag}")
    return found[0]


def version():
    """The extension's version."""
    return tomllib.loads((FOLDER / "blender_manifest.toml").read_text(encoding="utf-8"))["version"]


def packed(wheels, output):
    """Writes the zip into a folder and gives its path."""
    if not wheels:
        raise SystemExit("there is no wheel to pack; run cargo xtask wheel first")
    text = (FOLDER / "blender_manifest.toml").read_text(encoding="utf-8")
    platforms = ", ".join(f'"{name}"' for name in sorted({platform_of(wheel) for wheel in wheels}))
    names = "".join(f'    "./wheels/{wheel.name}",\n' for wheel in wheels)
    text = text.replace("platforms = []", f"platforms = [{platforms}]").replace("wheels = []", f"wheels = [\n{names}]")
    files = {f"{file.name}": file.read_bytes() for file in FOLDER.glob("*.py") if file.name != "build.py"}
    files |= {"LICENSE": (FOLDER / "LICENSE").read_bytes(), "blender_manifest.toml": text.encode()}
    files |= {f"wheels/{wheel.name}": wheel.read_bytes() for wheel in wheels}
    output.mkdir(parents=True, exist_ok=True)
    path = output / f"ligament-{version()}.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in sorted(files):
            archive.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), files[name], zipfile.ZIP_DEFLATED)
    return path


if __name__ == "__main__":
    print(packed(sorted(Path(sys.argv[1]).glob("*.whl")), Path(sys.argv[2])))
