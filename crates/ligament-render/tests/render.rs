//! Pictures against what they must show.
#![allow(clippy::unwrap_used, reason = "helpers of tests may fail loudly")]

use glam::{DAffine3, DVec3, Vec3};
use ligament::character::{Joint, JointIndex, Mesh, Skeleton, Transform};
use ligament_render::*;

const FLAT: Background = Background::Gradient {
    top: [0.0; 3],
    bottom: [0.0; 3],
};

fn plain(background: Background) -> Style {
    Style {
        shading: Shading::Unlit,
        back_faces: BackFaces::Plain,
        ground_shadow: 0.0,
        background,
        ..Style::default()
    }
}

/// One unit of the world is one pixel; x right and y up from the lower left corner.
fn pixel_camera(width: u32, height: u32) -> Camera {
    Camera {
        eye: Vec3::new(0.5 * width as f32, 0.5 * height as f32, 10.0),
        forward: -Vec3::Z,
        up: Vec3::Y,
        projection: Projection::Orthographic {
            height: height as f32,
        },
    }
}

fn options(width: u32, height: u32, samples: Samples) -> RenderOptions {
    RenderOptions {
        width,
        height,
        samples,
    }
}

fn draw(mesh: &Mesh, colors: &[[f32; 3]], style: Style, camera: &Camera, options: &RenderOptions) -> Image {
    let scene = Scene {
        paint: Paint::Colors(colors),
        style,
        ..Scene::of_mesh(mesh)
    };
    render(&scene, camera, options).unwrap()
}

fn sphere(centre: Vec3, radius: f32, sides: u32, rings: u32) -> Mesh {
    let mut positions = Vec::new();
    let mut triangles = Vec::new();
    for ring in 0..=rings {
        let (sp, cp) = (ring as f32 / rings as f32 * std::f32::consts::PI).sin_cos();
        for side in 0..sides {
            let (s, c) = (side as f32 / sides as f32 * std::f32::consts::TAU).sin_cos();
            positions.push(centre + radius * Vec3::new(sp * s, cp, sp * c));
            if ring > 0 {
                let (a, b) = (ring * sides + side, ring * sides + (side + 1) % sides);
                triangles.push([a - sides, a, b]);
                triangles.push([a - sides, b, b - sides]);
            }
        }
    }
    Mesh::single_part("sphere", positions, triangles)
}

const WHITE: [f32; 3] = [1.0; 3];

#[test]
fn a_triangle_covers_its_area() {
    let mesh = Mesh::single_part(
        "t",
        vec![
            Vec3::new(3.3, 4.1, 0.0),
            Vec3::new(57.2, 9.9, 0.0),
            Vec3::new(21.7, 41.4, 0.0),
        ],
        vec![[0, 1, 2]],
    );
    let area = 0.5 * (53.9 * 37.3 - 18.4 * 5.8);
    for (samples, tolerance) in [
        (Samples::One, 0.01),
        (Samples::Four, 0.005),
        (Samples::Eight, 0.004),
        (Samples::Sixteen, 0.003),
    ] {
        let style = plain(Background::Transparent);
        let image = draw(
            &mesh,
            &[WHITE; 3],
            style,
            &pixel_camera(64, 48),
            &options(64, 48, samples),
        );
        let covered: f64 = image.pixels.iter().map(|p| f64::from(p[3]) / 255.0).sum();
        assert!(
            (covered - area).abs() < tolerance * area,
            "{samples:?}: {covered} against {area}"
        );
    }
}

#[test]
fn whole_pixels_are_covered_exactly_and_shared_edges_once() {
    // A rectangle of 8 by 5 pixels cut along both diagonals by four triangles.
    let mesh = Mesh::single_part(
        "r",
        vec![
            Vec3::new(2.0, 3.0, 0.0),
            Vec3::new(10.0, 3.0, 0.0),
            Vec3::new(10.0, 8.0, 0.0),
            Vec3::new(2.0, 8.0, 0.0),
            Vec3::new(6.0, 5.5, 0.0),
        ],
        vec![[0, 1, 4], [1, 2, 4], [2, 3, 4], [3, 0, 4]],
    );
    for samples in [Samples::One, Samples::Four, Samples::Eight, Samples::Sixteen] {
        let image = draw(
            &mesh,
            &[WHITE; 5],
            plain(Background::Transparent),
            &pixel_camera(16, 12),
            &options(16, 12, samples),
        );
        for y in 0..12 {
            for x in 0..16 {
                let inside = (2..10).contains(&x) && (4..9).contains(&y);
                let expected = if inside { [255; 4] } else { [0; 4] };
                assert_eq!(image.get(x, y), Some(expected), "{samples:?} at {x}, {y}");
            }
        }
    }
}

#[test]
fn nearer_hides_farther_in_any_order() {
    let corner = |z: f32| {
        [
            Vec3::new(-100.0, -100.0, z),
            Vec3::new(200.0, -100.0, z),
            Vec3::new(0.0, 200.0, z),
        ]
    };
    let positions: Vec<Vec3> = corner(1.0).into_iter().chain(corner(-1.0)).collect();
    let colors = [[1.0, 0.0, 0.0]; 3].into_iter().chain([[0.0, 1.0, 0.0]; 3]);
    let colors: Vec<[f32; 3]> = colors.collect();
    for order in [[[0, 1, 2], [3, 4, 5]], [[3, 4, 5], [0, 1, 2]]] {
        let mesh = Mesh::single_part("two", positions.clone(), order.to_vec());
        let image = draw(
            &mesh,
            &colors,
            plain(FLAT),
            &pixel_camera(40, 40),
            &options(40, 40, Samples::Four),
        );
        assert_eq!(image.get(20, 20), Some([255, 0, 0, 255]));
    }
}

#[test]
fn two_planes_that_cross_meet_where_they_should() {
    // Seen in perspective: planes z = x and z = -x; left of the middle the second is nearer.
    let at = |z: fn(f32) -> f32| {
        [
            Vec3::new(-3.0, -9.0, z(-3.0)),
            Vec3::new(3.0, -9.0, z(3.0)),
            Vec3::new(3.0, 9.0, z(3.0)),
            Vec3::new(-3.0, 9.0, z(-3.0)),
        ]
    };
    let positions: Vec<Vec3> = at(|x| x).into_iter().chain(at(|x| -x)).collect();
    let triangles = vec![[0, 1, 2], [0, 2, 3], [4, 5, 6], [4, 6, 7]];
    let mesh = Mesh::single_part("cross", positions, triangles);
    let mut colors = vec![[1.0, 0.0, 0.0]; 4];
    colors.extend([[0.0, 1.0, 0.0]; 4]);
    let camera = Camera::close_up(Vec3::ZERO, 4.0, View::Front, Projection::PERSPECTIVE);
    let image = draw(
        &mesh,
        &colors,
        plain(FLAT),
        &camera,
        &options(101, 101, Samples::One),
    );
    for y in 0..101 {
        for x in (0..50).chain(51..101) {
            let expected = if x < 50 {
                [0, 255, 0, 255]
            } else {
                [255, 0, 0, 255]
            };
            assert_eq!(image.get(x, y), Some(expected), "at {x}, {y}");
        }
    }
}

#[test]
fn colours_are_interpolated_in_perspective() {
    // A floor from below the eye to far away; red grows with distance.
    let mesh = Mesh::single_part(
        "floor",
        vec![
            Vec3::new(-9.0, -1.0, 1.0),
            Vec3::new(9.0, -1.0, 1.0),
            Vec3::new(9.0, -1.0, -9.0),
            Vec3::new(-9.0, -1.0, -9.0),
        ],
        vec![[0, 1, 2], [0, 2, 3]],
    );
    let values = [-0.1, -0.1, 0.9, 0.9];
    let colors = values.map(|v: f32| [v.max(-1.0), 0.0, 0.0]);
    let camera = Camera {
        eye: Vec3::ZERO,
        forward: -Vec3::Z,
        up: Vec3::Y,
        projection: Projection::Perspective {
            vertical_fov: std::f32::consts::FRAC_PI_2,
            near: 0.1,
        },
    };
    let image = draw(
        &mesh,
        &colors,
        plain(FLAT),
        &camera,
        &options(64, 200, Samples::Four),
    );
    // A row at y = -k below the middle (in ±1) sees the floor at distance 1 / k.
    for row in [130u32, 150, 199] {
        let distance = 1.0 / ((row as f32 + 0.5) / 100.0 - 1.0);
        let found = srgb(image.get(32, row).map(|[r, g, b, _]| [r, g, b]).unwrap())[0];
        assert!(
            (found - 0.1 * distance).abs() < 0.004,
            "row {row}: {found} at {distance}"
        );
    }
    // The floor reaches behind the eye and is cut, not folded over.
    assert_eq!(image.get(32, 50), Some([0, 0, 0, 255]));
}

#[test]
fn faces_seen_from_behind_are_tinted_or_hidden() {
    let front = sphere(Vec3::ZERO, 1.0, 24, 12);
    let mut back = front.clone();
    for t in &mut back.triangles {
        t.swap(1, 2);
    }
    let camera = Camera::fit(&front.positions, View::Front, Projection::PERSPECTIVE, 1.0, 0.05);
    let size = options(64, 64, Samples::Four);
    let shoot = |mesh: &Mesh, back_faces| {
        let scene = Scene {
            style: Style {
                back_faces,
                ..Style::default()
            },
            ..Scene::of_mesh(mesh)
        };
        render(&scene, &camera, &size).unwrap().get(32, 32).unwrap()
    };
    let redness = |p: [u8; 4]| i32::from(p[0]) - i32::from(p[1]);
    assert!(redness(shoot(&front, BackFaces::Tint)) < 15);
    assert!(redness(shoot(&back, BackFaces::Tint)) > 60);
    assert!(redness(shoot(&back, BackFaces::Plain)) < 15);
    let behind = shoot(&back, BackFaces::Hide);
    let hidden = shoot(&Mesh::default(), BackFaces::Hide);
    // Only the far half of the sphere is left, and it faces us.
    assert_ne!(behind, hidden);
    assert!(redness(behind) < 15);
}

#[test]
fn the_number_of_threads_does_not_matter() {
    let mesh = sphere(Vec3::new(0.3, 1.0, 0.1), 1.0, 60, 40);
    let skeleton = two_joints();
    let world = [DAffine3::IDENTITY, DAffine3::from_translation(DVec3::Y * 2.0)];
    let scene = Scene {
        skeleton: Some(SkeletonOverlay::new(&skeleton, &world)),
        style: Style {
            wire: Some(Wire::default()),
            ..Style::ghost()
        },
        ..Scene::of_mesh(&mesh)
    };
    let camera = Camera::fit(
        &mesh.positions,
        View::ThreeQuarter,
        Projection::PERSPECTIVE,
        1.5,
        0.05,
    );
    let shoot = |threads| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        pool.install(|| render(&scene, &camera, &options(301, 199, Samples::Four)).unwrap())
    };
    let one = shoot(1);
    assert_eq!(one.pixels.len(), 301 * 199);
    assert!(one == shoot(2) && one == shoot(3));
}

fn two_joints() -> Skeleton {
    let joint = |parent: Option<u16>, y: f64| Joint {
        name: String::new(),
        parent: parent.map(JointIndex),
        rest: Transform::from_translation(DVec3::Y * y),
        bind_from_joint: DAffine3::from_translation(DVec3::Y * y),
        in_skin: true,
    };
    Skeleton {
        joints: vec![joint(None, 0.0), joint(Some(0), 2.0)],
    }
}

#[test]
fn a_skeleton_is_seen_through_the_mesh() {
    let mesh = sphere(Vec3::Y, 1.0, 40, 20);
    let skeleton = two_joints();
    let world = [DAffine3::IDENTITY, DAffine3::from_translation(DVec3::Y * 2.0)];
    let camera = Camera::fit(&mesh.positions, View::Front, Projection::PERSPECTIVE, 1.0, 0.1);
    let size = options(200, 200, Samples::Four);
    let without = Scene {
        style: Style::ghost(),
        ..Scene::of_mesh(&mesh)
    };
    let with = Scene {
        skeleton: Some(SkeletonOverlay::new(&skeleton, &world)),
        ..without
    };
    let (without, with) = (
        render(&without, &camera, &size).unwrap(),
        render(&with, &camera, &size).unwrap(),
    );
    let middle = |image: &Image| image.get(100, 120).unwrap();
    assert_ne!(middle(&without), middle(&with));
    let [r, _, b, _] = middle(&with);
    assert!(b > r, "bones are blue");
    assert_eq!(without.get(40, 100), with.get(40, 100));
}

#[test]
fn edges_darken_the_surface_and_hidden_ones_do_not() {
    // A large quad of two triangles, and behind it a dense grid.
    let mut mesh = sphere(Vec3::new(32.0, 32.0, -60.0), 30.0, 30, 30);
    let first = mesh.positions.len() as u32;
    mesh.positions.extend([
        Vec3::new(-50.0, -50.0, 0.0),
        Vec3::new(110.0, -50.0, 0.0),
        Vec3::new(110.0, 110.0, 0.0),
        Vec3::new(-50.0, 110.0, 0.0),
    ]);
    mesh.triangles
        .extend([[first, first + 1, first + 2], [first, first + 2, first + 3]]);
    mesh.parts[0].vertices.end += 4;
    mesh.parts[0].triangles.end += 2;
    let style = Style {
        wire: Some(Wire {
            color: [0.0; 3],
            width: 2.0,
            opacity: 1.0,
        }),
        ..plain(FLAT)
    };
    let colors = vec![WHITE; mesh.positions.len()];
    let image = draw(
        &mesh,
        &colors,
        style,
        &pixel_camera(64, 64),
        &options(64, 64, Samples::One),
    );
    // The diagonal y = x, which is from lower left to upper right.
    assert!(image.get(20, 43).unwrap()[0] < 40);
    assert_eq!(image.get(30, 43), Some([255; 4]));
    assert_eq!(image.get(10, 20), Some([255; 4]));
}

#[test]
fn broken_geometry_is_left_out_without_a_panic() {
    let mut mesh = sphere(Vec3::ZERO, 1.0, 16, 8);
    mesh.positions[3] = Vec3::NAN;
    mesh.positions[40] = Vec3::splat(f32::INFINITY);
    mesh.positions[60] = Vec3::splat(1e30);
    mesh.positions[61] = Vec3::splat(-3e38);
    mesh.triangles
        .extend([[0, 0, 0], [5, 5, 6], [60, 61, 70], [60, 70, 90]]);
    mesh.parts[0].triangles.end += 4;
    for projection in [Projection::PERSPECTIVE, Projection::ORTHOGRAPHIC] {
        for view in [View::Front, View::Top, View::ThreeQuarter] {
            // From inside, too.
            for height in [4.0, 0.1] {
                let camera = Camera::close_up(Vec3::ZERO, height, view, projection);
                let scene = Scene {
                    style: Style {
                        wire: Some(Wire::default()),
                        ..Style::default()
                    },
                    ..Scene::of_mesh(&mesh)
                };
                let image = render(&scene, &camera, &options(50, 40, Samples::Four)).unwrap();
                assert_eq!(image.pixels.len(), 2000);
            }
        }
    }
}

#[test]
fn faults_are_named() {
    let mesh = sphere(Vec3::ZERO, 1.0, 8, 4);
    let camera = Camera::fit(&mesh.positions, View::Front, Projection::PERSPECTIVE, 1.0, 0.1);
    let scene = Scene::of_mesh(&mesh);
    for (width, height) in [(0, 10), (10, 0), (u32::MAX, 2), (16384, 16384)] {
        assert_eq!(
            render(&scene, &camera, &options(width, height, Samples::One)),
            Err(RenderError::BadSize { width, height })
        );
    }
    let small = options(8, 8, Samples::One);
    for broken in [
        Camera {
            eye: Vec3::NAN,
            ..camera
        },
        Camera {
            forward: Vec3::ZERO,
            ..camera
        },
        Camera {
            up: camera.forward,
            ..camera
        },
        Camera {
            projection: Projection::Orthographic { height: 0.0 },
            ..camera
        },
    ] {
        assert_eq!(render(&scene, &broken, &small), Err(RenderError::BadCamera));
    }
    let short = Scene {
        paint: Paint::Colors(&[WHITE]),
        ..scene
    };
    assert!(matches!(
        render(&short, &camera, &small),
        Err(RenderError::WrongLength { array: "paint", .. })
    ));
    let mut beyond = mesh.clone();
    beyond.triangles[5][1] = 1000;
    assert_eq!(
        render(&Scene::of_mesh(&beyond), &camera, &small),
        Err(RenderError::VertexOutOfRange { triangle: 5 })
    );
    let skeleton = two_joints();
    let headless = Scene {
        skeleton: Some(SkeletonOverlay::new(&skeleton, &[])),
        ..scene
    };
    assert!(matches!(
        render(&headless, &camera, &small),
        Err(RenderError::WrongJointCount {
            joints: 2,
            matrices: 0
        })
    ));
}

#[test]
fn a_ball_is_lit_from_the_upper_left_and_stands_on_its_shadow() {
    let mesh = sphere(Vec3::Y, 1.0, 80, 40);
    let camera = Camera::fit(
        &mesh.positions,
        View::ThreeQuarter,
        Projection::PERSPECTIVE,
        1.0,
        0.25,
    );
    let scene = Scene::of_mesh(&mesh);
    let image = render(&scene, &camera, &options(200, 200, Samples::Four)).unwrap();
    let light = |x, y| {
        let [r, g, b, a] = image.get(x, y).unwrap();
        assert_eq!(a, 255);
        i32::from(r) + i32::from(g) + i32::from(b)
    };
    assert!(light(80, 75) > light(125, 130) + 100);
    // Above is background, brighter than the shadow at the ball's foot.
    assert!(light(100, 10) > light(60, 150) + 50);
    assert!(light(5, 195) > light(60, 150) + 20);
}

/// What the whole pipeline gives at a few places. Change these numbers when the look is
/// changed on purpose.
#[test]
fn a_picture_looks_as_it_did() {
    let mesh = sphere(Vec3::Y, 1.0, 80, 40);
    let values: Vec<f32> = mesh.positions.iter().map(|p| 1.0 - 0.5 * p.y).collect();
    let skeleton = two_joints();
    let world = [DAffine3::IDENTITY, DAffine3::from_translation(DVec3::Y * 2.0)];
    let scene = Scene {
        paint: Paint::Scalar {
            values: &values,
            ramp: Ramp::Weight,
        },
        skeleton: Some(SkeletonOverlay::new(&skeleton, &world)),
        style: Style::ghost(),
        ..Scene::of_mesh(&mesh)
    };
    let camera = Camera::fit(
        &mesh.positions,
        View::ThreeQuarter,
        Projection::PERSPECTIVE,
        1.0,
        0.25,
    );
    let image = render(&scene, &camera, &options(200, 200, Samples::Four)).unwrap();
    let found = PROBES.map(|(x, y, _)| (x, y, image.get(x, y).unwrap()));
    let near = PROBES
        .iter()
        .zip(&found)
        .all(|((_, _, expected), (_, _, found))| {
            expected.iter().zip(found).all(|(e, f)| e.abs_diff(*f) <= 2)
        });
    assert!(near, "the picture is now {found:?}");
}

const PROBES: [(u32, u32, [u8; 4]); 6] = [
    (5, 5, [238, 239, 241, 255]),
    (60, 90, [193, 171, 193, 255]),
    (130, 60, [190, 190, 202, 255]),
    (120, 140, [158, 141, 133, 255]),
    (100, 120, [124, 135, 164, 255]),
    (55, 145, [208, 210, 212, 255]),
];

/// Read off a picture without light, colours are exactly those of the ramp.
#[test]
fn weights_come_out_in_the_ramps_colours() {
    let mesh = Mesh::single_part(
        "quad",
        [[0.0, 0.0], [64.0, 0.0], [64.0, 8.0], [0.0, 8.0]]
            .map(|[x, y]| Vec3::new(x, y, 0.0))
            .to_vec(),
        vec![[0, 1, 2], [0, 2, 3]],
    );
    let scene = Scene {
        paint: Paint::Scalar {
            values: &[0.0, 1.0, 1.0, 0.0],
            ramp: Ramp::Weight,
        },
        style: plain(FLAT),
        ..Scene::of_mesh(&mesh)
    };
    let image = render(&scene, &pixel_camera(64, 8), &options(64, 8, Samples::One)).unwrap();
    for x in 0..64 {
        let expected = Ramp::Weight.color((x as f32 + 0.5) / 64.0);
        let found = srgb(image.get(x, 4).map(|[r, g, b, _]| [r, g, b]).unwrap());
        for c in 0..3 {
            assert!(
                (found[c] - expected[c]).abs() < 0.006,
                "at {x}: {found:?} {expected:?}"
            );
        }
    }
}
