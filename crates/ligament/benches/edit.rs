//! Dragging joints of an athlete of about 43,000 vertices, by heat and by voxels.
#![allow(missing_docs, reason = "criterion's macros make undocumented functions")]
#![allow(clippy::expect_used, reason = "a bench may fail loudly")]

use criterion::{Criterion, criterion_group, criterion_main};
use glam::DVec3;
use ligament::edit::{Command, EditMethod, Growth, Session, SessionOptions};
use ligament::task::Task;

fn drags(c: &mut Criterion) {
    let task = Task::unattended();
    let mut group = c.benchmark_group("edit 43k vertices");
    group.sample_size(20);
    for (name, method, growth) in [
        ("heat", EditMethod::Heat, Growth::Tolerance),
        ("heat, four rings", EditMethod::Heat, Growth::Rings),
        ("voxel", EditMethod::Voxel, Growth::Tolerance),
    ] {
        let character = ligament::sample::make("athlete@43000").expect("there is such a sample");
        let options = SessionOptions {
            method,
            growth,
            ..SessionOptions::default()
        };
        let mut session = Session::new(character, &options, &task).expect("the sample is sound");
        for joint in ["left_hand", "left_foot", "chest"] {
            let mut side = 1.0;
            group.bench_function(format!("{name}: drag {joint}"), |b| {
                b.iter(|| {
                    side = -side;
                    let command = Command::MoveJoint {
                        joint: joint.into(),
                        to: None,
                        by: Some(DVec3::new(0.0, 0.0, 0.01 * side)),
                        with_children: false,
                    };
                    session.apply(&command, &task).expect("joints can be moved")
                });
            });
        }
    }
    group.finish();
}

criterion_group!(benches, drags);
criterion_main!(benches);
