//! From a character to a [`Layer`].

use std::sync::Arc;

use glam::DAffine3;
use ligament::Character;
use ligament::character::{Alpha, Material};

use super::layer::{Attribute, Layer, Prim, Relationship, Value, join};
use super::names::Names;
use super::write_blend_shapes::ShapeNames;
use super::write_clips::{TIME_CODES_PER_SECOND, write_clips};
use super::write_mesh::{extent, write_meshes};
use super::write_rig::{WrittenRig, write_rig};
use super::write_textures::{Shown, connected};

/// The layer of a character that passed its checks.
/// `files` are the pictures that it refers to, of [`textures`] under these or other names.
pub(super) fn write_layer(character: &Character, files: &[(String, Arc<[u8]>)]) -> Layer {
    let root_name = Names::default().unique(&character.name, "character");
    let root = format!("/{root_name}");
    let rig = write_rig(character);
    let mut names = Names::default();
    for reserved in ["Skeleton", "Materials", "Clips"] {
        names.unique(reserved, "");
    }
    let mut prim = displayed("SkelRoot", &character.name, root_name.clone());
    prim.metadata.push(("kind".to_owned(), text("component")));
    prim.attributes
        .push(extent(character.mesh.positions.iter().copied()));

    let shape_names = ShapeNames::of(&character.mesh);
    let mut clips = write_clips(character, &rig, &shape_names, &mut Names::default());
    let weights = shape_names.still();
    if clips.is_empty() && !weights.is_empty() {
        let mut rest = displayed("SkelAnimation", "Rest", "Rest".to_owned());
        rest.attributes.extend(weights);
        clips.push(rest);
    }
    if !rig.joints.is_empty() {
        let clip_paths = clips
            .iter()
            .map(|c| join(&join(&root, "Clips"), &c.name))
            .collect();
        prim.children.push(skeleton(character, &rig, clip_paths));
    }
    let (materials, material_paths) = materials(character, files, &join(&root, "Materials"));
    let meshes = write_meshes(character, &rig, &root, &material_paths, &shape_names, &mut names);
    prim.children.extend(meshes);
    prim.children.push(scope("Materials", materials));
    let times = || {
        let all = clips.iter().flat_map(|c| &c.attributes).flat_map(|a| &a.samples);
        all.map(|(time, _)| *time)
    };
    let (start, end) = (times().reduce(f64::min), times().reduce(f64::max));
    if !clips.is_empty() {
        prim.children.push(scope("Clips", clips));
    }

    let number = |n: f64| Value::Numbers(vec![n]);
    let mut metadata = vec![
        ("defaultPrim".to_owned(), text(&root_name)),
        ("metersPerUnit".to_owned(), number(1.0)),
        ("upAxis".to_owned(), text("Y")),
    ];
    if let (Some(start), Some(end)) = (start, end) {
        metadata.extend([
            ("startTimeCode".to_owned(), number(start)),
            ("endTimeCode".to_owned(), number(end)),
        ]);
    }
    metadata.extend([
        ("timeCodesPerSecond".to_owned(), number(TIME_CODES_PER_SECOND)),
        ("framesPerSecond".to_owned(), number(TIME_CODES_PER_SECOND)),
    ]);
    Layer {
        metadata,
        prims: vec![prim],
    }
}

fn skeleton(character: &Character, rig: &WrittenRig, clip_paths: Vec<String>) -> Prim {
    let mut prim = displayed("Skeleton", "Skeleton", "Skeleton".to_owned());
    prim.metadata.push(list("apiSchemas", &["SkelBindingAPI"]));
    let uniform = |type_name: &str, name: &str, value: Value| Attribute {
        is_uniform: true,
        ..attribute(type_name, name, value)
    };
    let paths = rig.joints.iter().map(|j| j.path.clone()).collect();
    let joint = |source| character.skeleton.joint(source);
    let original: Vec<String> = rig.joints.iter().map(|j| joint(j.source).name.clone()).collect();
    let at = rig.joints.iter().map(|j| j.bind.translation.as_vec3());
    prim.attributes.extend([
        extent(at),
        uniform("token[]", "joints", Value::Texts(paths)),
        uniform(
            "matrix4d[]",
            "bindTransforms",
            matrices(rig.joints.iter().map(|j| j.bind)),
        ),
        uniform(
            "matrix4d[]",
            "restTransforms",
            matrices(rig.joints.iter().map(|j| j.rest)),
        ),
    ]);
    let mut sorted = original.clone();
    sorted.sort_unstable();
    sorted.dedup();
    // USD's own place for names wants them unique and not empty.
    let fits = sorted.len() == original.len() && original.iter().all(|n| !n.is_empty());
    prim.attributes.push(if fits {
        uniform("token[]", "jointNames", Value::Texts(original))
    } else {
        Attribute {
            is_custom: true,
            ..uniform("string[]", "ligament:jointNames", Value::Texts(original))
        }
    });
    let plain = |j: &super::write_rig::WrittenJoint| !joint(j.source).in_skin;
    if rig.joints.iter().any(plain) {
        let flags = rig.joints.iter().map(|j| f64::from(u8::from(!plain(j))));
        prim.attributes.push(Attribute {
            is_custom: true,
            ..uniform("bool[]", "ligament:inSkin", Value::Numbers(flags.collect()))
        });
    }
    if let Some(first) = clip_paths.into_iter().next() {
        prim.relationships.push(Relationship {
            name: "skel:animationSource".to_owned(),
            targets: vec![first],
        });
    }
    prim
}

/// Each different material once, and the path of each part's material.
fn materials(character: &Character, files: &[(String, Arc<[u8]>)], scope: &str) -> (Vec<Prim>, Vec<String>) {
    let mut names = Names::default();
    let mut known: Vec<(&Material, String)> = Vec::new();
    let mut prims = Vec::new();
    let mut of_part = Vec::new();
    for part in &character.mesh.parts {
        let found = known.iter().find(|(m, _)| **m == part.material);
        let path = found.map(|(_, path)| path.clone()).unwrap_or_else(|| {
            let name = names.unique(&part.material.name, "material");
            let path = join(scope, &name);
            let shown = Shown::of(&part.material, files);
            prims.push(material(&part.material, name, &path, &shown));
            known.push((&part.material, path.clone()));
            path
        });
        of_part.push(path);
    }
    (prims, of_part)
}

fn material(look: &Material, name: String, path: &str, shown: &Shown<'_>) -> Prim {
    let numbers = |n: &[f32]| Value::Numbers(n.iter().map(|&n| f64::from(n)).collect());
    let diffuse = match shown.color {
        Some(_) => connected(
            "color3f",
            "inputs:diffuseColor",
            format!("{path}/Texture.outputs:rgb"),
        ),
        None => attribute("color3f", "inputs:diffuseColor", numbers(&look.base_color[..3])),
    };
    let see_through = shown.color.is_some() && look.alpha != Alpha::Opaque;
    let opacity = if see_through {
        connected("float", "inputs:opacity", format!("{path}/Texture.outputs:a"))
    } else {
        attribute("float", "inputs:opacity", numbers(&look.base_color[3..]))
    };
    let cutoff = match look.alpha {
        Alpha::Mask(cutoff) => Some(attribute("float", "inputs:opacityThreshold", numbers(&[cutoff]))),
        _ => None,
    };
    let mut shader = Prim {
        attributes: vec![
            Attribute {
                is_uniform: true,
                ..attribute("token", "info:id", text("UsdPreviewSurface"))
            },
            diffuse,
            opacity,
            attribute("float", "inputs:roughness", numbers(&[0.8])),
            Attribute {
                default: None,
                ..attribute("token", "outputs:surface", Value::Blocked)
            },
        ],
        ..displayed("Shader", "Surface", "Surface".to_owned())
    };
    shader.attributes.extend(cutoff);
    shader.attributes.extend(
        shown
            .bumps
            .map(|_| connected("normal3f", "inputs:normal", format!("{path}/Normals.outputs:rgb"))),
    );
    let mut prim = displayed("Material", &look.name, name);
    prim.attributes.push(Attribute {
        default: None,
        connections: vec![format!("{path}/Surface.outputs:surface")],
        ..attribute("token", "outputs:surface", Value::Blocked)
    });
    prim.children.push(shader);
    prim.children.extend(shown.shaders(look, path));
    prim
}

fn scope(name: &str, children: Vec<Prim>) -> Prim {
    Prim {
        children,
        ..displayed("Scope", name, name.to_owned())
    }
}

/// A prim that keeps the name a person gave it.
pub(super) fn displayed(type_name: &str, original: &str, name: String) -> Prim {
    let mut prim = Prim {
        type_name: type_name.to_owned(),
        is_defined: true,
        ..Prim::default()
    };
    if original != name {
        prim.metadata.push(("displayName".to_owned(), text(original)));
    }
    prim.name = name;
    prim
}

pub(super) fn attribute(type_name: &str, name: &str, value: Value) -> Attribute {
    Attribute {
        name: name.to_owned(),
        type_name: type_name.to_owned(),
        default: Some(value),
        ..Attribute::default()
    }
}

pub(super) fn primvar(type_name: &str, name: &str, value: Value, interpolation: &str) -> Attribute {
    let mut a = attribute(type_name, name, value);
    a.metadata.push(("interpolation".to_owned(), text(interpolation)));
    a
}

pub(super) fn text(value: &str) -> Value {
    Value::Text(value.to_owned())
}

pub(super) fn list(key: &str, items: &[&str]) -> (String, Value) {
    let items = items.iter().map(|&i| i.to_owned()).collect();
    (key.to_owned(), Value::Texts(items))
}

/// Matrices as USD writes them: its vectors are rows, so axes are rows too.
pub(super) fn matrices(affines: impl IntoIterator<Item = DAffine3>) -> Value {
    let mut numbers = Vec::new();
    for m in affines {
        for (column, last) in [
            (m.matrix3.x_axis, 0.0),
            (m.matrix3.y_axis, 0.0),
            (m.matrix3.z_axis, 0.0),
            (m.translation, 1.0),
        ] {
            numbers.extend([column.x, column.y, column.z, last]);
        }
    }
    Value::Numbers(numbers)
}
