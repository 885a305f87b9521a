//! NumPy itself opens what we write, and we open what it writes.

use std::process::Command;

use ligament_io::weights::npz;
use ligament_testkit::{python_with_blender, run};

use crate::seeds;

#[test]
fn numpy_opens_our_archive() {
    let (weights, skeleton) = (seeds::some_weights(), seeds::skeleton());
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("w.npz");
    std::fs::write(&path, npz::write(&weights, &skeleton)).unwrap();
    let script = r#"
import sys, zipfile, numpy
assert zipfile.ZipFile(sys.argv[1]).testzip() is None
rig = numpy.load(sys.argv[1])
assert rig["indices"].dtype == numpy.uint16 and rig["values"].dtype == numpy.float32
assert rig["indices"].shape == rig["values"].shape == (4, 3), rig["indices"].shape
assert rig["joints"].shape == (3,) and rig["joints"].dtype.kind == "U"
assert numpy.allclose(rig["values"].sum(axis=1), 1.0, atol=1e-6)
for v in range(4):
    for j, w in zip(rig["indices"][v], rig["values"][v]):
        if w > 0:
            print(v, repr(float(w)), rig["joints"][j])
"#;
    let said = run(Command::new(python_with_blender())
        .args(["-c", script])
        .arg(&path));
    assert_eq!(said.lines().count(), weights.influences().len());
    for line in said.lines() {
        let mut words = line.splitn(3, ' ');
        let vertex: usize = words.next().unwrap().parse().unwrap();
        let weight: f64 = words.next().unwrap().parse().unwrap();
        let joint = skeleton.find(words.next().unwrap()).unwrap();
        assert_eq!(weight as f32, weights.weight(vertex, joint), "{line}");
    }
}

#[test]
fn we_open_numpys_archives() {
    let skeleton = seeds::skeleton();
    let folder = tempfile::tempdir().unwrap();
    // Stored and deflated, other types, other byte and row orders, joints in another order.
    let script = r#"
import sys, numpy as np
indices = np.array([[1, 0], [0, 2], [2, 2]])
values = np.array([[0.5, 0.5], [1.0, 0.0], [0.25, 0.5]])
joints = np.array(["head", "hips", 'the "spine", <middle>'])
np.savez(sys.argv[1] + "/a.npz", indices=indices.astype(np.uint16), values=values.astype(np.float32), joints=joints)
np.savez_compressed(sys.argv[1] + "/b.npz", indices=indices, values=np.asfortranarray(values), joints=joints)
np.savez(sys.argv[1] + "/c.npz", joints=joints.astype(joints.dtype.newbyteorder(">")),
         indices=indices.astype(">i4"), values=values.astype(">f8"))
np.savez(sys.argv[1] + "/d.npz", indices=indices, values=values, joints=np.array([1, 2, 3]))
"#;
    run(Command::new(python_with_blender())
        .args(["-c", script])
        .arg(folder.path()));
    for file in ["a.npz", "b.npz", "c.npz"] {
        let bytes = std::fs::read(folder.path().join(file)).unwrap();
        let weights = npz::read(&bytes, &skeleton, 3).unwrap_or_else(|e| panic!("{file}: {e}"));
        let at = |v: usize, name: &str| weights.weight(v, skeleton.find(name).unwrap());
        assert_eq!((at(0, "hips"), at(0, "head")), (0.5, 0.5), "{file}");
        assert_eq!(at(1, "head"), 1.0, "{file}");
        assert_eq!(at(2, "the \"spine\", <middle>"), 1.0, "{file}");
    }
    let bytes = std::fs::read(folder.path().join("d.npz")).unwrap();
    assert!(
        npz::read(&bytes, &skeleton, 3)
            .unwrap_err()
            .to_string()
            .contains("list of names")
    );
}
