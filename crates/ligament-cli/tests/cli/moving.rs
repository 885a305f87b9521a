//! Pictures that move.

use serde_json::Value;

use crate::{bind, run};

fn report(args: &[&str]) -> Value {
    let output = run(args);
    assert!(
        output.status.success(),
        "{args:?}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    serde_json::from_slice(&output.stdout).unwrap()
}

/// How many pictures an APNG says it has, and the hundredths of a second of its first.
fn apng(bytes: &[u8]) -> (u32, u16) {
    let after = |tag: &[u8]| {
        let at = bytes.windows(4).position(|w| w == tag).unwrap() + 4;
        &bytes[at..]
    };
    let control = after(b"acTL");
    let frame = after(b"fcTL");
    (
        u32::from_be_bytes(control[..4].try_into().unwrap()),
        u16::from_be_bytes(frame[20..22].try_into().unwrap()),
    )
}

#[test]
fn a_clip_plays_and_a_camera_walks_around() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let tube = bind(
        "sample:tube@200",
        folder.path(),
        &["--method", "closest", "--quiet"],
    );
    let tube = tube.to_str().unwrap();
    let small = ["--size", "48x64", "--json", "--quiet"];
    let draw = |inputs: &[&str], extra: &[&str], name: &str| {
        let output = path(name);
        let mut args = vec!["render"];
        args.extend(inputs);
        args.extend(["-o", output.as_str()]);
        args.extend(extra);
        args.extend(small);
        let said = report(&args);
        (said, std::fs::read(output).unwrap())
    };
    let six = ["--clip", "0", "--frames", "6", "--fps", "25"];
    let (said, bytes) = draw(&[tube], &six, "six.apng");
    assert_eq!(said["pictures"], 6);
    assert_eq!(apng(&bytes), (6, 4));
    // As long as the clip, ten a second.
    let (said, bytes) = draw(&[tube], &["--clip", "0", "--fps", "10"], "all.gif");
    let count = said["pictures"].as_u64().unwrap();
    assert!(count > 6 && bytes.starts_with(b"GIF89a"), "{count}");
    // Six pictures that last as long.
    let (_, slow) = draw(&[tube], &six[..4], "slow.apng");
    let (pictures, each) = apng(&slow);
    assert_eq!(pictures, 6);
    assert!(
        (6 * i64::from(each)).abs_diff(10 * count as i64) <= 13,
        "{each} {count}"
    );
    let again = draw(
        &[tube],
        &["--clip", "0", "--fps", "10", "--threads", "1"],
        "again.gif",
    );
    assert!(again.1 == bytes, "threads show");
    // Four seconds around, whatever the ending; two files side by side.
    let (said, bytes) = draw(&["sample:tube@200"], &["--turntable", "--fps", "5"], "turn.png");
    assert_eq!((said["pictures"].clone(), apng(&bytes)), (20.into(), (20, 20)));
    let (said, _) = draw(
        &[tube, tube],
        &["--clip", "0", "--turntable", "--frames", "3"],
        "both.apng",
    );
    assert_eq!(said["pictures"], 3);
    assert!(said["width"].as_u64().unwrap() > 96);
}

#[test]
fn what_cannot_move_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let output = folder.path().join("x.gif");
    let output = output.to_str().unwrap();
    let refused = |args: &[&str], word: &str| {
        let mut all = vec!["render"];
        all.extend(args);
        all.extend(["-o", output]);
        let result = run(&all);
        let said = String::from_utf8_lossy(&result.stderr).into_owned();
        assert_eq!(result.status.code(), Some(2), "{said}");
        assert!(said.contains(word), "{said}");
    };
    refused(&["sample:tube@200", "--voxels"], "stand still");
    refused(
        &[
            "sample:tube@200",
            "--turntable",
            "--frames",
            "1000",
            "--size",
            "2000x2000",
        ],
        "too many",
    );
    refused(&["sample:tube@200", "--clip", "0"], "bind");
    let still = run(&["render", "sample:tube@200", "--frames", "65", "-o", "x.png"]);
    assert_eq!(still.status.code(), Some(2));
}
