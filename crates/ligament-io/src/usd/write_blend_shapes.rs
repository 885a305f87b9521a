//! Blend shapes as `BlendShape` prims below their mesh, and how much of each there is.
//!
//! USD has no place for a shape's weight but in animations, by a name that all meshes share: every
//! clip states the weights at rest and how they move, and so does an animation without joints where there is no clip.

use glam::Vec3;
use ligament::Mesh;
use ligament::character::BlendShape;

use super::layer::{Attribute, Prim, Relationship, Value, join};
use super::names::Names;
use super::write::{attribute, displayed, text};
use crate::shape_motion::{FRAMES_PER_SECOND, WholeClip, sample_times};

/// The names under which animations find shapes.
#[derive(Default)]
pub(super) struct ShapeNames<'a> {
    /// For each shape of the mesh, its name.
    of_shape: Vec<String>,
    /// Each name once, with the first shape that has it.
    shapes: Vec<(String, usize, &'a BlendShape)>,
}

impl<'a> ShapeNames<'a> {
    /// Shapes of one name on several meshes (a face and its brows) move together unless there is
    /// ever more of one than of the other.
    pub fn of(mesh: &'a Mesh) -> Self {
        let mut names = Self::default();
        for (i, shape) in mesh.blend_shapes.iter().enumerate() {
            let wanted = if shape.name.is_empty() {
                "shape"
            } else {
                &shape.name
            };
            let taken_here = |name: &str, all: &Self| {
                let earlier = mesh.blend_shapes[..i].iter().zip(&all.of_shape);
                earlier
                    .filter(|(s, _)| s.part_vertices == shape.part_vertices)
                    .any(|(_, known)| known == name)
            };
            let fits = |name: &str, all: &Self| {
                let known = all.shapes.iter().find(|(n, ..)| n == name);
                let alike = |s: &BlendShape| s.weight == shape.weight && s.motions == shape.motions;
                known.is_none_or(|(.., s)| alike(s)) && !taken_here(name, all)
            };
            let mut name = wanted.to_owned();
            let mut next = 2;
            while !fits(&name, &names) {
                name = format!("{wanted}_{next}");
                next += 1;
            }
            if !names.shapes.iter().any(|(n, ..)| *n == name) {
                names.shapes.push((name.clone(), i, shape));
            }
            names.of_shape.push(name);
        }
        names
    }

    /// What an animation that moves none says of them; nothing where there is none of any.
    pub fn still(&self) -> Vec<Attribute> {
        if self.shapes.iter().all(|(.., shape)| shape.weight == 0.0) {
            return Vec::new();
        }
        self.stated().into()
    }

    /// What a clip does to them.
    pub fn in_clip(&self, clip: &WholeClip<'_>) -> Vec<Attribute> {
        let moved = |(_, index, shape): &(String, usize, &'a BlendShape)| (*shape, clip.of_shape(*index));
        let shapes: Vec<_> = self.shapes.iter().map(moved).collect();
        let times = sample_times(
            shapes
                .iter()
                .filter_map(|(_, motion)| motion.map(|m| (m.interpolation, m.times.as_slice()))),
        );
        if times.is_empty() {
            return self.still();
        }
        let [names, mut weights] = self.stated();
        let at = |t: f32| {
            let of_shape = shapes
                .iter()
                .map(|(shape, motion)| motion.map_or(f64::from(shape.weight), |m| m.sample(t)));
            Value::Numbers(of_shape.map(|w| f64::from(w as f32)).collect())
        };
        weights.samples = times
            .iter()
            .map(|&t| (f64::from(t) * FRAMES_PER_SECOND, at(t)))
            .collect();
        vec![names, weights]
    }

    /// All names, and how much there is of each at rest.
    fn stated(&self) -> [Attribute; 2] {
        let names = self.shapes.iter().map(|(name, ..)| name.clone()).collect();
        let weights = self.shapes.iter().map(|(.., s)| f64::from(s.weight)).collect();
        [
            Attribute {
                is_uniform: true,
                ..attribute("token[]", "blendShapes", Value::Texts(names))
            },
            attribute("float[]", "blendShapeWeights", Value::Numbers(weights)),
        ]
    }
}

/// Adds the shapes of the part with these vertices to its mesh; says whether there are any.
pub(super) fn write_blend_shapes(
    prim: &mut Prim,
    mesh: &Mesh,
    vertices: &std::ops::Range<usize>,
    path: &str,
    shape_names: &ShapeNames<'_>,
) -> bool {
    let of_part = |(_, shape): &(usize, &BlendShape)| shape.part_vertices == *vertices;
    let shapes: Vec<_> = mesh.blend_shapes.iter().enumerate().filter(of_part).collect();
    if shapes.is_empty() {
        return false;
    }
    let mut names = Names::default();
    let (mut tokens, mut targets) = (Vec::new(), Vec::new());
    for (index, shape) in shapes {
        let name = names.unique(&shape.name, "shape");
        targets.push(join(path, &name));
        let token = shape_names.of_shape[index].clone();
        let mut child = shape_prim(shape, name);
        if token != shape.name && child.given_name().is_none() {
            child.metadata.push(("displayName".to_owned(), text(&shape.name)));
        }
        tokens.push(token);
        prim.children.push(child);
    }
    prim.attributes.push(Attribute {
        is_uniform: true,
        ..attribute("token[]", "skel:blendShapes", Value::Texts(tokens))
    });
    prim.relationships.push(Relationship {
        name: "skel:blendShapeTargets".to_owned(),
        targets,
    });
    true
}

fn shape_prim(shape: &BlendShape, name: String) -> Prim {
    let uniform = |type_name: &str, name: &str, numbers: Vec<f64>| Attribute {
        is_uniform: true,
        ..attribute(type_name, name, Value::Numbers(numbers))
    };
    let vectors = |list: &[Vec3]| list.iter().flat_map(|v| v.to_array()).map(f64::from).collect();
    let first = shape.part_vertices.start as f64;
    // An empty list of indices would mean all points.
    let indices = match shape.vertices.as_slice() {
        [] => vec![0.0],
        some => some.iter().map(|&v| f64::from(v) - first).collect(),
    };
    let or_zero = |list: &[Vec3]| match list {
        [] => vec![0.0; 3],
        some => vectors(some),
    };
    let mut prim = displayed("BlendShape", &shape.name, name);
    prim.attributes
        .push(uniform("vector3f[]", "offsets", or_zero(&shape.offsets)));
    if let Some(normals) = &shape.normal_offsets {
        prim.attributes
            .push(uniform("vector3f[]", "normalOffsets", or_zero(normals)));
    }
    prim.attributes.push(uniform("int[]", "pointIndices", indices));
    prim
}
