//! Files made to hurt, and files that are only wrong: errors that say where, in no time.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use ligament_io::import::ImportError;
use ligament_io::usd;

/// A rigged triangle; `change` may replace parts of its text.
fn triangle(changes: &[(&str, &str)]) -> String {
    let mut text = r#"#usda 1.0
(
    metersPerUnit = 1
    upAxis = "Y"
)
def SkelRoot "Root"
{
    def Skeleton "Skel"
    {
        uniform token[] joints = ["a", "a/b"]
        uniform matrix4d[] bindTransforms = [((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1)), ((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 1, 0, 1))]
        uniform matrix4d[] restTransforms = [((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1)), ((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 1, 0, 1))]
    }
    def Mesh "Skin"
    {
        int[] faceVertexCounts = [3]
        int[] faceVertexIndices = [0, 1, 2]
        point3f[] points = [(0, 0, 0), (1, 0, 0), (0, 1, 0)]
        int[] primvars:skel:jointIndices = [0, 1, 0, 1, 0, 1] (elementSize = 2; interpolation = "vertex")
        float[] primvars:skel:jointWeights = [1, 0, 0.5, 0.5, 0, 1] (elementSize = 2; interpolation = "vertex")
        rel skel:skeleton = </Root/Skel>
    }
}
"#
    .to_owned();
    for (from, to) in changes {
        assert!(text.contains(from), "{from}");
        text = text.replace(from, to);
    }
    text
}

fn error(text: &str) -> String {
    usd::read_bytes(text.as_bytes(), "x").unwrap_err().to_string()
}

#[test]
fn the_triangle_itself_is_sound() {
    let read = usd::read_bytes(triangle(&[]).as_bytes(), "x").unwrap();
    assert_eq!(read.warnings, []);
    assert_eq!(read.character.weights.unwrap().max_influences(), 2);
}

#[test]
fn what_the_lengths_tell_may_be_left_out() {
    let read = |text: String| usd::read_bytes(text.as_bytes(), "x").unwrap().character;
    let whole = read(triangle(&[]));
    for hint in [
        "elementSize = 2; ",
        "interpolation = \"vertex\"",
        "elementSize = 2; interpolation = \"vertex\"",
    ] {
        let part = read(triangle(&[(hint, "")]));
        assert_eq!(part.weights, whole.weights, "without {hint}");
        assert_eq!(part.mesh, whole.mesh, "without {hint}");
    }
}

#[test]
fn errors_name_the_prim() {
    let cases = [
        (
            ("</Root/Skel>", "</Root/Gone>"),
            "/Root/Skin: it is bound to the skeleton </Root/Gone>",
        ),
        (
            ("= [1, 0, 0.5, 0.5, 0, 1]", "= [1, 0]"),
            "/Root/Skin: 6 joint indices and 2 weights",
        ),
        (
            ("(1, 0, 0), (0, 1, 0)]", "(1, 0, inf), (0, 1, 0)]"),
            "/Root/Skin: point 1 is not finite",
        ),
        (
            ("faceVertexCounts = [3]", "faceVertexCounts = [4]"),
            "/Root/Skin: the faces name 4 corners",
        ),
        (("\"a/b\"]", "\"a\"]"), "/Root/Skel: the joint 'a' is there twice"),
        (
            ("\"a/b\"]", "\"a/b\", \"c\"]"),
            "/Root/Skel: 'restTransforms' has 32 numbers for 3 joints",
        ),
        (("def Mesh", "def Mesh Mesh"), "line 14: expected a string"),
    ];
    for (change, wanted) in cases {
        let found = error(&triangle(&[change]));
        assert!(found.starts_with(wanted), "{found}");
    }
    assert!(error("solid cube").starts_with("byte 0: this is no USD file"));
    let elsewhere = "#usda 1.0\ndef \"Root\" (references = @hero.usd@</Hero>) {\n}\n";
    let found = usd::read_bytes(elsewhere.as_bytes(), "x").unwrap_err();
    assert!(matches!(found, ImportError::Unsupported { .. }), "{found}");
    assert!(found.to_string().contains("usdcat --flatten"), "{found}");
}

#[test]
fn faults_that_can_be_lived_with_are_warnings() {
    for (change, code) in [
        (
            ("= [0, 1, 0, 1, 0, 1] (", "= [0, 1, 0, 9, 0, 1] ("),
            "unknown_joints",
        ),
        (("[1, 0, 0.5, 0.5, 0, 1]", "[1, 0, 0.5, -1, 0, 1]"), "bad_weights"),
        (("[1, 0, 0.5, 0.5, 0, 1]", "[0, 0, 0.5, 0.5, 0, 1]"), "unweighted"),
        (("= [0, 1, 2]", "= [0, 1, 7]"), "bad_faces"),
    ] {
        let read = usd::read_bytes(triangle(&[change]).as_bytes(), "x").unwrap();
        let codes: Vec<&str> = read.warnings.iter().map(|w| w.code).collect();
        assert_eq!(codes, [code]);
    }
}

#[test]
fn files_made_to_hurt_are_refused_or_read_soon() {
    let deep = |open: &str| format!("#usda 1.0\n(\n a = {}\n)\n", open.repeat(200_000));
    let prims = format!("#usda 1.0\n{}", "def \"a\" {\n".repeat(100_000));
    let long_name = "n".repeat(1_000_000);
    let mut long_paths = format!("#usda 1.0\ndef \"{long_name}\" {{\n");
    for i in 0..50_000 {
        let _ = writeln!(long_paths, "def \"c{i}\" {{}}");
    }
    long_paths.push('}');
    let slashes = format!("\"{}\"]", "/a".repeat(500_000));
    let many = "0, ".repeat(100_000);
    let constant = triangle(&[
        (
            "= [0, 1, 0, 1, 0, 1] (elementSize = 2; interpolation = \"vertex\")",
            &format!("= [{many}] (elementSize = 100000)"),
        ),
        (
            "= [1, 0, 0.5, 0.5, 0, 1] (elementSize = 2; interpolation = \"vertex\")",
            &format!("= [{}] (elementSize = 100000)", many.replace('0', "1")),
        ),
        (
            "(0, 1, 0)]",
            &format!("(0, 1, 0), {}]", "(0, 0, 0), ".repeat(100_000)),
        ),
    ]);
    let texts = [
        deep("["),
        deep("("),
        deep("{ int a = "),
        prims,
        long_paths,
        triangle(&[("\"a/b\"]", &slashes)]),
        constant,
    ];
    for text in texts {
        let start = Instant::now();
        let _ = usd::read_bytes(text.as_bytes(), "x");
        let taken = start.elapsed();
        assert!(taken < Duration::from_secs(10), "{:?} for {}", taken, &text[..60]);
    }
}
