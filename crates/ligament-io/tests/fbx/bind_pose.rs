//! The strip when it rests in another pose than the one it was bound in.

use glam::DVec3;
use ligament::character::Pose;
use ligament_io::fbx;

use crate::by_hand::{near, ours, posed, read};
use crate::strip::{Strip, VERTICES};

#[test]
fn bind_pose_and_rest_pose_may_differ() {
    for sound_links in [true, false] {
        let imported = read(&Strip {
            rest_degrees: 90.0,
            sound_links,
            ..Strip::default()
        });
        let c = &imported.character;
        // The mesh is where it was bound, upright.
        for (at, file) in c.mesh.positions.iter().zip(VERTICES) {
            near(at.as_dvec3(), ours(file));
        }
        // At rest the upper half lies on its side.
        let rest = Pose::rest(&c.skeleton);
        near(posed(&imported, &rest, 6), DVec3::new(1.2, 1.0, 0.0));
        near(posed(&imported, &rest, 0), ours(VERTICES[0]));
        // The helmet hangs on the bone as bound: above it.
        near(c.mesh.positions[9].as_dvec3(), DVec3::new(0.0, 2.35, 0.0));
        near(posed(&imported, &rest, 9), DVec3::new(1.35, 1.0, 0.0));
    }
}

#[test]
fn a_bind_pose_that_agrees_with_the_clusters_places_the_other_bones() {
    let link = |height: f64| format!("Matrix: *16 {{ a: 0,1,0,0,-1,0,0,0,0,0,1,0,0,0,{height},1 }}");
    let text = |upper: f64| {
        let bone = "Model: 22, \"Model::Tip\", \"LimbNode\" {\nVersion: 232\nProperties70: {\n\
                    P: \"Lcl Translation\", \"Lcl Translation\", \"\", \"A\",0,0,50\n}\n}\n\
                    NodeAttribute: 32, \"NodeAttribute::\", \"LimbNode\" {\nTypeFlags: \"Skeleton\"\n}\n";
        let node = |id: u32, height| format!("PoseNode: {{\nNode: {id}\n{}\n}}\n", link(height));
        let pose = format!(
            "Pose: 70, \"Pose::\", \"BindPose\" {{\nType: \"BindPose\"\nVersion: 100\nNbPoseNodes: 2\n{}{}}}\n",
            node(21, upper),
            node(22, 170.0)
        );
        Strip::default()
            .text()
            .replace("Objects: {\n", &format!("Objects: {{\n{bone}{pose}"))
            .replace(
                "Connections: {\n",
                "Connections: {\nC: \"OO\",22,21\nC: \"OO\",32,22\n",
            )
    };
    let tip = |text: String| {
        let c = fbx::read(text.as_bytes(), "strip").unwrap().character;
        c.skeleton.bind_position(c.skeleton.find("Tip").unwrap())
    };
    near(tip(text(100.0)), DVec3::new(0.0, 1.7, 0.0));
    // A pose that contradicts the clusters is not believed: the bone follows its parent.
    near(tip(text(30.0)), DVec3::new(0.0, 1.5, 0.0));
}
