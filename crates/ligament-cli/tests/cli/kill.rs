//! A kill at any moment of a write leaves the old file or the new one.

use std::time::{Duration, Instant};

use crate::{bind, ligament};

#[test]
fn a_killed_run_leaves_the_old_file_or_the_new_one() {
    let folder = tempfile::tempdir().unwrap();
    let target = folder.path().join("target.glb");
    let text = target.to_str().unwrap();
    let input = bind("sample:tube", folder.path(), &["--quiet"]);
    let input = input.to_str().unwrap();
    let mut versions = Vec::new();
    for influences in ["1", "4"] {
        bind_to(input, text, influences);
        versions.push(std::fs::read(&target).unwrap());
    }
    assert_ne!(versions[0], versions[1]);
    let whole = {
        let start = Instant::now();
        bind_to(input, text, "4");
        start.elapsed()
    };
    let (mut old, mut new) = (0, 0);
    for round in 0..120u32 {
        std::fs::write(&target, &versions[0]).unwrap();
        let mut child = ligament()
            .args(["bind", input, "-o", text, "--quiet", "--influences", "4"])
            .spawn()
            .unwrap();
        // From before the process has started to after it has ended.
        std::thread::sleep(
            whole
                .mul_f64(1.3 * f64::from(round) / 120.0)
                .max(Duration::from_micros(50)),
        );
        let _ = child.kill();
        child.wait().unwrap();
        let found = std::fs::read(&target).unwrap();
        old += usize::from(found == versions[0]);
        new += usize::from(found == versions[1]);
        assert!(
            found == versions[0] || found == versions[1],
            "round {round} left {} bytes",
            found.len()
        );
    }
    assert!(
        old > 0 && new > 0,
        "the kills all came too early or too late: {old} old, {new} new"
    );
}

fn bind_to(input: &str, output: &str, influences: &str) {
    let status = ligament()
        .args(["bind", input, "-o", output, "--quiet", "--influences", influences])
        .status()
        .unwrap();
    assert!(status.success());
}
