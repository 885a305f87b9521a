//! Arrays of Python: in by the buffer protocol, without a copy in between; out as bytes.

use glam::{DAffine3, DMat4, DVec3, Vec3};
use ligament::character::{Influence, LooseJoint, WeightsBuilder};
use ligament::{JointIndex, Mesh, Part, Skeleton, Weights};
use pyo3::buffer::PyBuffer;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::failure::bad_input;

/// Numbers of a contiguous array of 32- or 64-bit floats.
pub fn floats<T>(array: &Bound<'_, PyAny>, from: impl Fn(f64) -> T) -> PyResult<Vec<T>> {
    let py = array.py();
    if let Ok(buffer) = PyBuffer::<f32>::get(array)
        && let Ok(numbers) = buffer.to_vec(py)
    {
        return Ok(numbers.into_iter().map(|n| from(f64::from(n))).collect());
    }
    if let Ok(buffer) = PyBuffer::<f64>::get(array)
        && let Ok(numbers) = buffer.to_vec(py)
    {
        return Ok(numbers.into_iter().map(from).collect());
    }
    Err(bad_input(
        py,
        "an array of numbers is wanted, 32- or 64-bit floats in C order",
    ))
}

/// Numbers of a contiguous array of 32- or 64-bit integers, or of 16-bit ones without a sign.
fn integers(array: &Bound<'_, PyAny>) -> PyResult<Vec<i64>> {
    let py = array.py();
    macro_rules! of_type {
        ($($type:ty),*) => {$(
            if let Ok(buffer) = PyBuffer::<$type>::get(array)
                && let Ok(numbers) = buffer.to_vec(py)
            {
                return Ok(numbers.into_iter().map(i64::from).collect());
            }
        )*};
    }
    of_type!(i64, i32, u32, u16);
    Err(bad_input(
        py,
        "an array of integers is wanted, of 32 or 64 bits in C order",
    ))
}

/// Positions, three numbers each.
pub fn positions(array: &Bound<'_, PyAny>) -> PyResult<Vec<Vec3>> {
    let numbers = floats(array, |n| n as f32)?;
    Ok(numbers.chunks_exact(3).map(Vec3::from_slice).collect())
}

/// Triangles as indices of vertices; out of range is for the mesh to refuse.
fn triangles(array: &Bound<'_, PyAny>, vertices: usize) -> PyResult<Vec<[u32; 3]>> {
    let numbers = integers(array)?;
    let corner = |n: i64| u32::try_from(n).ok().filter(|&n| (n as usize) < vertices);
    (numbers.chunks_exact(3).enumerate())
        .map(|(face, corners)| {
            let of = |k: usize| {
                corner(corners[k]).ok_or_else(|| {
                    let what = format!(
                        "face {face} has the vertex {}, and there are {vertices}",
                        corners[k]
                    );
                    bad_input(array.py(), what)
                })
            };
            Ok([of(0)?, of(1)?, of(2)?])
        })
        .collect()
}

/// A mesh from arrays. `parts` are names with how many vertices and faces each has, in order.
pub fn mesh(
    name: &str,
    vertices: &Bound<'_, PyAny>,
    faces: &Bound<'_, PyAny>,
    parts: &[(String, usize, usize)],
) -> PyResult<Mesh> {
    let py = vertices.py();
    let positions = positions(vertices)?;
    let triangles = triangles(faces, positions.len())?;
    let mut mesh = Mesh::single_part(name, positions, triangles);
    if !parts.is_empty()
        && let Some(whole) = mesh.parts.pop()
    {
        let (mut vertex, mut face) = (0, 0);
        for (name, vertices, faces) in parts {
            mesh.parts.push(Part {
                name: name.clone(),
                vertices: vertex..vertex + vertices,
                triangles: face..face + faces,
                ..whole.clone()
            });
            vertex += vertices;
            face += faces;
        }
        if (vertex, face) != (mesh.positions.len(), mesh.triangles.len()) {
            return Err(bad_input(py, "the parts do not hold all vertices and faces"));
        }
    }
    Ok(mesh)
}

/// A skeleton from arrays in any order, and for each joint the index that it got. Joints are positions (three numbers each) or
/// matrices from joint to bind space (sixteen, as NumPy has them: rows).
pub fn skeleton(
    joints: &Bound<'_, PyAny>,
    parents: &Bound<'_, PyAny>,
    names: Option<Vec<String>>,
) -> PyResult<(Skeleton, Vec<JointIndex>)> {
    let py = joints.py();
    let numbers = floats(joints, |n| n)?;
    let parents = integers(parents)?;
    let count = parents.len();
    let names = names.unwrap_or_else(|| (0..count).map(|j| format!("joint{j}")).collect());
    if names.len() != count || ![3 * count, 16 * count].contains(&numbers.len()) {
        return Err(bad_input(py, "joints, parents and names are not equally many"));
    }
    let each = numbers.len() / count.max(1);
    let mut loose = Vec::new();
    for (joint, (name, &parent)) in names.into_iter().zip(&parents).enumerate() {
        let own = &numbers[each * joint..each * (joint + 1)];
        let bind_from_joint = if each == 3 {
            DAffine3::from_translation(DVec3::from_slice(own))
        } else {
            DAffine3::from_mat4(DMat4::from_cols_slice(own).transpose())
        };
        let parent = match parent {
            -1 => None,
            p if (0..count as i64).contains(&p) => Some(p as usize),
            p => {
                let what =
                    format!("joint {joint} has the parent {p}, and there are {count}; -1 is for roots");
                return Err(bad_input(py, what));
            }
        };
        loose.push(LooseJoint {
            name,
            parent,
            bind_from_joint,
            in_skin: true,
        });
    }
    Skeleton::from_loose_joints(loose).map_err(|e| bad_input(py, e))
}

/// Weights from arrays of joints and shares, so many for each vertex. Joints are in the caller's order.
pub fn weights(
    indices: &Bound<'_, PyAny>,
    values: &Bound<'_, PyAny>,
    vertices: usize,
    order: &[JointIndex],
) -> PyResult<Weights> {
    let py = indices.py();
    let (indices, values) = (integers(indices)?, floats(values, |n| n as f32)?);
    if indices.len() != values.len() || vertices == 0 || indices.len() % vertices != 0 {
        return Err(bad_input(py, "indices and weights do not match the vertices"));
    }
    let each = indices.len() / vertices;
    let mut builder = WeightsBuilder::with_capacity(vertices, each);
    let mut row = Vec::new();
    for vertex in 0..vertices {
        row.clear();
        for slot in each * vertex..each * (vertex + 1) {
            let index = usize::try_from(indices[slot]).ok();
            let joint = index.and_then(|i| order.get(i)).copied();
            match joint {
                Some(joint) => row.push(Influence {
                    joint,
                    weight: values[slot],
                }),
                None if values[slot] == 0.0 => {}
                None => {
                    let what = format!(
                        "vertex {vertex} follows joint {}, which is not there",
                        indices[slot]
                    );
                    return Err(bad_input(py, what));
                }
            }
        }
        builder.push(&row).map_err(|e| bad_input(py, e))?;
    }
    Ok(builder.finish())
}

/// Weights as two arrays of `width` columns, joints as `number` has them; unused slots are joint 0 at weight 0.
pub fn columns(weights: &Weights, width: usize, number: impl Fn(JointIndex) -> u16) -> (Vec<u16>, Vec<f32>) {
    let count = weights.vertex_count() * width;
    let (mut joints, mut shares) = (vec![0; count], vec![0.0; count]);
    for (vertex, row) in weights.iter().enumerate() {
        for (slot, influence) in row.iter().take(width).enumerate() {
            joints[vertex * width + slot] = number(influence.joint);
            shares[vertex * width + slot] = influence.weight;
        }
    }
    (joints, shares)
}

/// Numbers as bytes that NumPy looks at in place.
pub fn bytes<'py, T: Copy, const N: usize>(
    py: Python<'py>,
    numbers: &[T],
    to_bytes: impl Fn(T) -> [u8; N],
) -> PyResult<Bound<'py, PyBytes>> {
    PyBytes::new_with(py, numbers.len() * N, |out| {
        for (bytes, &number) in out.chunks_exact_mut(N).zip(numbers) {
            bytes.copy_from_slice(&to_bytes(number));
        }
        Ok(())
    })
}

/// Positions or directions as bytes of 32-bit floats.
pub fn vector_bytes<'py>(py: Python<'py>, vectors: &[Vec3]) -> PyResult<Bound<'py, PyBytes>> {
    bytes(py, vectors, |v| {
        let mut out = [0; 12];
        for (bytes, number) in out.chunks_exact_mut(4).zip(v.to_array()) {
            bytes.copy_from_slice(&number.to_le_bytes());
        }
        out
    })
}

/// Joints and weights as bytes, and how many columns they have.
pub type WeightArrays<'py> = (Bound<'py, PyBytes>, Bound<'py, PyBytes>, usize);

/// Weights as arrays.
pub fn weight_arrays<'py>(
    py: Python<'py>,
    weights: &Weights,
    width: usize,
    number: impl Fn(JointIndex) -> u16,
) -> PyResult<WeightArrays<'py>> {
    let (joints, shares) = columns(weights, width, number);
    Ok((
        bytes(py, &joints, u16::to_le_bytes)?,
        bytes(py, &shares, f32::to_le_bytes)?,
        width,
    ))
}
