//! Programs that are not Rust's: Node packages, a browser among them, Blender, USD and SciPy
//! as Python modules.

use std::fs::{File, create_dir_all};
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::target_dir;

/// The Khronos validator, three.js as a second opinion on skinning, and Google's Draco
/// with what puts it into glTF files.
const NODE_PACKAGES: [&str; 6] = [
    "gltf-validator@2.0.0-dev.3.10",
    "three@0.187.0",
    "draco3d@1.5.9",
    "@gltf-transform/core@4.5.1",
    "@gltf-transform/extensions@4.5.1",
    "@gltf-transform/functions@4.5.1",
];
/// What opens VRM files, with the three.js that it stands on.
const VRM_PACKAGES: [&str; 2] = ["three@0.187.0", "@pixiv/three-vrm@3.5.5"];
/// Chromium, packed into a Node package, and what drives it.
const BROWSER_PACKAGES: [&str; 2] = ["@sparticuz/chromium@153.0.0", "puppeteer-core@24.43.1"];
/// What drives a browser through a whole session.
const PLAYWRIGHT_PACKAGES: [&str; 1] = ["playwright-core@1.56.1"];
/// Unpacks the browser beside its package. The name of a runtime makes it bring the libraries
/// that a bare machine lacks.
const UNPACK_BROWSER: &str = "
    process.env.AWS_EXECUTION_ENV = 'AWS_Lambda_nodejs20.x';
    process.env.TMPDIR = process.cwd() + '/unpacked';
    const { default: chromium } = await import('@sparticuz/chromium');
    await chromium.executablePath();";
/// Blender itself, as a module; it needs exactly this Python.
const PYTHON_PACKAGES: [&str; 3] = ["bpy==5.0.1", "numpy<3", "pytest<10"];
/// The oldest Blender that the extension is for, with the NumPy that it came with.
const OLD_BLENDER_PACKAGES: [&str; 3] = ["bpy==4.2.0", "numpy<2", "pytest<10"];
const PYTHON_VERSION: &str = "3.11";
/// What the program that scores binders needs.
const SCORE_PACKAGES: [&str; 2] = ["numpy==2.4.6", "scipy<2"];
/// What checks and runs Open Job Description templates.
const OPENJD_PACKAGES: [&str; 1] = ["openjd-cli==0.8.0"];
/// USD itself, with the validators that its `usdchecker` runs.
const USD_PACKAGES: [&str; 2] = ["usd-core==26.11", "numpy==2.4.6"];

/// What builds, audits and tests wheels.
const WHEEL_PACKAGES: [&str; 11] = [
    "maturin==1.16.0",
    "ziglang==0.17.0",
    "abi3audit==0.0.26",
    "numpy==2.4.6",
    "pytest<10",
    "mypy<3",
    "tqdm<5",
    "trimesh==5.2.0",
    // A cluster, and an object store that it reads.
    "ray[data]==2.60.0",
    "s3fs==2026.9.0",
    "moto[server]==5.2.5",
];

/// Runs a command and returns its standard output; panics with all that it said if it
/// fails.
pub fn run(command: &mut Command) -> String {
    let output = command
        .output()
        .unwrap_or_else(|e| panic!("cannot start {command:?}: {e}"));
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(
        output.status.success(),
        "{command:?} failed ({}):\n{}\n{}",
        output.status,
        text(&output.stdout),
        text(&output.stderr)
    );
    text(&output.stdout)
}

/// A folder whose `node_modules` holds `NODE_PACKAGES`.
pub fn node_tools() -> PathBuf {
    installed("node", &NODE_PACKAGES, |folder| {
        run(Command::new("npm").arg("init").arg("--yes").current_dir(folder));
        run(Command::new("npm")
            .args(["install", "--no-audit", "--no-fund", "--ignore-scripts"])
            .args(NODE_PACKAGES)
            .current_dir(folder));
    })
}

/// A folder whose `node_modules` holds three-vrm.
pub fn vrm_tools() -> PathBuf {
    installed("vrm", &VRM_PACKAGES, |folder| {
        run(Command::new("npm").arg("init").arg("--yes").current_dir(folder));
        run(Command::new("npm")
            .args(["install", "--no-audit", "--no-fund", "--ignore-scripts"])
            .args(VRM_PACKAGES)
            .current_dir(folder));
    })
}

/// A folder whose `node_modules` holds `BROWSER_PACKAGES` and whose `unpacked` the browser.
pub fn browser_tools() -> PathBuf {
    installed("browser", &BROWSER_PACKAGES, |folder| {
        run(Command::new("npm").arg("init").arg("--yes").current_dir(folder));
        run(Command::new("npm")
            .args(["install", "--no-audit", "--no-fund", "--ignore-scripts"])
            .args(BROWSER_PACKAGES)
            .current_dir(folder));
        create_dir_all(folder.join("unpacked")).expect("the build folder is writable");
        run(Command::new("node")
            .args(["--input-type=module", "--eval", UNPACK_BROWSER])
            .current_dir(folder));
    })
}

/// A folder whose `node_modules` holds Playwright, without a browser of its own.
pub fn playwright_tools() -> PathBuf {
    installed("playwright", &PLAYWRIGHT_PACKAGES, |folder| {
        run(Command::new("npm").arg("init").arg("--yes").current_dir(folder));
        run(Command::new("npm")
            .args(["install", "--no-audit", "--no-fund", "--ignore-scripts"])
            .args(PLAYWRIGHT_PACKAGES)
            .current_dir(folder));
    })
}

/// Chromium: the system's, or else the one of [`browser_tools`].
pub fn chromium() -> PathBuf {
    let of_system = [
        "/usr/bin/chromium",
        "/usr/bin/chromium-browser",
        "/usr/bin/google-chrome",
    ];
    let found = of_system
        .into_iter()
        .map(PathBuf::from)
        .find(|path| path.exists());
    found.unwrap_or_else(|| browser_tools().join("unpacked/chromium"))
}

/// A Python interpreter that can `import bpy`.
pub fn python_with_blender() -> PathBuf {
    python_with("python", &PYTHON_PACKAGES)
}

/// The same with the oldest Blender that the extension is for.
pub fn python_with_old_blender() -> PathBuf {
    python_with("python-old-blender", &OLD_BLENDER_PACKAGES)
}

/// A Python interpreter that can `from pxr import Usd`.
pub fn python_with_usd() -> PathBuf {
    python_with("python-usd", &USD_PACKAGES)
}

/// A Python interpreter that can run [`crate::score_program`].
pub fn python_with_scipy() -> PathBuf {
    python_with("python-score", &SCORE_PACKAGES)
}

/// A Python interpreter beside which `openjd` is.
pub fn python_with_openjd() -> PathBuf {
    python_with("python-openjd", &OPENJD_PACKAGES)
}

/// A Python interpreter with what builds, audits and tests wheels.
pub fn python_for_wheels() -> PathBuf {
    python_with("python-wheels", &WHEEL_PACKAGES)
}

/// Every Python from 3.11 on that can be started: by its name, or as pyenv keeps it.
pub fn pythons() -> Vec<PathBuf> {
    let versions = ["3.11", "3.12", "3.13", "3.14"];
    let mut found = Vec::new();
    for version in versions {
        let mut names = vec![PathBuf::from(format!("python{version}"))];
        let kept = std::env::var_os("HOME").map(|home| PathBuf::from(home).join(".pyenv/versions"));
        let kept = kept.and_then(|folder| std::fs::read_dir(folder).ok());
        for entry in kept.into_iter().flatten().flatten() {
            if entry.file_name().to_string_lossy().starts_with(version) {
                names.push(entry.path().join("bin/python"));
            }
        }
        let starts = |name: &PathBuf| {
            let output = Command::new(name).arg("--version").output();
            output.is_ok_and(|o| {
                o.status.success()
                    && String::from_utf8_lossy(&o.stdout).starts_with(&format!("Python {version}."))
            })
        };
        found.extend(names.into_iter().find(starts));
    }
    found
}

fn python_with(name: &str, packages: &[&str]) -> PathBuf {
    let folder = installed(name, packages, |folder| {
        let python = find_python();
        run(Command::new(python).args(["-m", "venv"]).arg(folder.join("venv")));
        run(Command::new(folder.join("venv/bin/python"))
            .args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"])
            .args(packages));
    });
    folder.join("venv/bin/python")
}

fn find_python() -> String {
    let candidates = [
        format!("python{PYTHON_VERSION}"),
        "python3".to_owned(),
        "python".to_owned(),
    ];
    let is_right = |name: &String| {
        let output = Command::new(name).arg("--version").output();
        output.is_ok_and(|o| {
            String::from_utf8_lossy(&o.stdout).starts_with(&format!("Python {PYTHON_VERSION}."))
        })
    };
    candidates.into_iter().find(is_right).unwrap_or_else(|| {
        panic!("Blender's and USD's modules need Python {PYTHON_VERSION}; install it and run the tests again")
    })
}

/// The folder of a tool set, installed at most once, also when several test programs ask
/// at the same time. A half-done install is done anew.
fn installed(name: &str, packages: &[&str], install: impl Fn(&Path)) -> PathBuf {
    let tools = target_dir().join("tools");
    create_dir_all(&tools).expect("the build folder is writable");
    let lock = File::create(tools.join(format!("{name}.lock"))).expect("the build folder is writable");
    lock.lock().expect("the lock can be taken");
    let folder = tools.join(name);
    let stamp = folder.join("installed.txt");
    let wanted = packages.join("\n");
    if std::fs::read_to_string(&stamp).is_ok_and(|found| found == wanted) {
        return folder;
    }
    let _ = std::fs::remove_dir_all(&folder);
    create_dir_all(&folder).expect("the build folder is writable");
    install(&folder);
    std::fs::write(&stamp, wanted).expect("the build folder is writable");
    folder
}
