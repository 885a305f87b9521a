//! The strip when a bone has a scale that its child does or does not inherit.

use glam::DVec3;
use ligament::character::Pose;

use crate::by_hand::{near, ours, posed, read};
use crate::strip::{Strip, VERTICES};

#[test]
fn a_bone_that_does_not_inherit_scale() {
    for inherits in [true, false] {
        let imported = read(&Strip {
            scale: ([2.0; 3], inherits),
            ..Strip::default()
        });
        let c = &imported.character;
        let rest = Pose::rest(&c.skeleton);
        let size = if inherits { 2.0 } else { 1.0 };
        // Bound as it rests: nothing moves.
        for v in 0..7 {
            near(posed(&imported, &rest, v), c.mesh.positions[v].as_dvec3());
        }
        // The helmet has the bone's size.
        let [a, b] = [7, 8].map(|v| posed(&imported, &rest, v));
        assert!(
            (a.distance(b) - 0.1 * size).abs() < 1e-6,
            "{inherits}: {}",
            a.distance(b)
        );
        let pose = c.clips[0].pose_at(&c.skeleton, 1.0);
        near(posed(&imported, &pose, 6), DVec3::new(0.2, 2.0, 0.0));
    }
}

#[test]
fn a_bone_whose_uneven_scale_stays_its_own_is_split_in_two() {
    let imported = read(&Strip {
        scale: ([2.0, 1.0, 1.0], false),
        ..Strip::default()
    });
    let c = &imported.character;
    let names: Vec<_> = c
        .skeleton
        .joints
        .iter()
        .map(|j| (j.name.as_str(), j.in_skin))
        .collect();
    assert!(
        names.contains(&("Lower.unscaled", false)) && names.contains(&("Lower", true)),
        "{names:?}"
    );
    let upper = c.skeleton.joint(c.skeleton.find("Upper").unwrap());
    assert_eq!(c.skeleton.joint(upper.parent.unwrap()).name, "Lower.unscaled");
    let rest = Pose::rest(&c.skeleton);
    for v in 0..7 {
        near(posed(&imported, &rest, v), ours(VERTICES[v]));
    }
    let [a, b] = [7, 8].map(|v| posed(&imported, &rest, v));
    assert!((a.distance(b) - 0.1).abs() < 1e-6, "{}", a.distance(b));
    let pose = c.clips[0].pose_at(&c.skeleton, 1.0);
    near(posed(&imported, &pose, 6), DVec3::new(1.2, 1.0, 0.0));
    // A scale that is one but for rounding splits nothing.
    let imported = read(&Strip {
        scale: ([0.9986, 1.0, 1.0], false),
        ..Strip::default()
    });
    assert_eq!(imported.character.skeleton.joints.len(), 5);
}
