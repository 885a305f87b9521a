//! Weights as NumPy arrays: an `.npz` of three.
//!
//! `indices` (vertices, k) `uint16`, `values` (vertices, k) `float32`, `joints` (joints,)
//! text. A row lists a vertex's joints, as indices into `joints`, and their weights; unused
//! slots have weight zero.
//!
//! ```python
//! rig = numpy.load("weights.npz")
//! rig["joints"][rig["indices"][0]], rig["values"][0]   # the first vertex
//! ```
//!
//! Read: what `numpy.savez` and `numpy.savez_compressed` write, with integers and floats
//! of any width. Nothing is lost, but arrays of 4 GiB and more are not for this format.

use std::io::{Cursor, Read};

use ligament::character::{JointIndex, Skeleton, Weights};
use zip::ZipArchive;
use zip::result::ZipError;

use super::gather::Gathered;
use super::labels::Labels;
use super::npy::{self, Array};
use crate::import::ImportError;
use crate::stored_zip::stored;

/// Deflate cannot shrink more than this, so a larger promise is a lie.
const MOST_DEFLATE_GAIN: u64 = 1032;

/// The file of an array, unpacked.
fn unpack(
    archive: &mut ZipArchive<Cursor<&[u8]>>,
    name: &str,
    packed: usize,
) -> Result<Vec<u8>, ImportError> {
    let fail = |problem: String| ImportError::malformed(format!("array '{name}'"), problem);
    let mut file = match archive.by_name(&format!("{name}.npy")) {
        Ok(file) => file,
        Err(ZipError::FileNotFound) => {
            let problem = format!("it has no array '{name}'");
            return Err(ImportError::malformed("the archive", problem));
        }
        Err(ZipError::CompressionMethodNotSupported(method)) => {
            return Err(ImportError::Unsupported {
                what: format!("ZIP compression {method}"),
                way_out: "save it with numpy.savez or numpy.savez_compressed".to_owned(),
            });
        }
        Err(error) => return Err(fail(error.to_string())),
    };
    let size = file.size();
    if size / MOST_DEFLATE_GAIN > packed as u64 {
        return Err(fail("it promises more than it can hold".to_owned()));
    }
    // Memory is taken as bytes come; more than promised is an error, as is another checksum.
    let mut bytes = Vec::new();
    match file.read_to_end(&mut bytes) {
        Ok(_) if bytes.len() as u64 == size => Ok(bytes),
        Ok(_) => Err(fail("it is shorter than it promises".to_owned())),
        Err(error) => Err(fail(format!("it cannot be unpacked ({error})"))),
    }
}

/// Reads the weights of a mesh of so many vertices.
pub fn read(bytes: &[u8], skeleton: &Skeleton, vertices: usize) -> Result<Weights, ImportError> {
    let mut archive = ZipArchive::new(Cursor::new(bytes))
        .map_err(|e| ImportError::malformed("the archive", format!("this is no ZIP archive ({e})")))?;
    let mut unpack = |name: &str| unpack(&mut archive, name, bytes.len());
    let (indices, values, joints) = (unpack("indices")?, unpack("values")?, unpack("joints")?);
    let indices = Array::read(&indices, "indices")?;
    let values = Array::read(&values, "values")?;
    let names = Array::read(&joints, "joints")?;
    let fail = |array: &str, problem: String| ImportError::malformed(format!("array '{array}'"), problem);
    let [rows, columns] = indices.shape[..] else {
        return Err(fail("indices", "it should have two dimensions".to_owned()));
    };
    if rows != vertices || values.shape != [rows, columns] {
        let problem = format!("it and 'indices' should have {vertices} rows and equally many columns");
        return Err(fail("values", problem));
    }
    if names.shape.len() != 1 {
        return Err(fail("joints", "it should be a list of names".to_owned()));
    }
    let labels = Labels::new(skeleton);
    let mut known: Vec<(String, Option<JointIndex>)> = Vec::new();
    for row in 0..names.shape[0].min(joints.len()) {
        let name = names
            .text(row)
            .ok_or_else(|| fail("joints", "it should be a list of names".to_owned()))?;
        let joint = labels.find(&name);
        known.push((name, joint));
    }
    let mut gathered = Gathered::new(vertices);
    for row in 0..rows {
        for column in 0..columns {
            let (Some(index), Some(weight)) = (indices.number(row, column), values.number(row, column))
            else {
                return Err(fail("values", "it and 'indices' should hold numbers".to_owned()));
            };
            if weight == 0.0 {
                continue;
            }
            let joint = match known.get(index as usize).filter(|_| index >= 0.0) {
                Some((_, Some(joint))) => *joint,
                Some((name, None)) => return Err(fail("joints", format!("there is no joint '{name}'"))),
                None => {
                    return Err(fail(
                        "indices",
                        format!("row {row} names joint {index}, which is not listed"),
                    ));
                }
            };
            gathered
                .add(row, joint, weight as f32)
                .map_err(|problem| fail("values", format!("row {row}: {problem}")))?;
        }
    }
    gathered.finish()
}

/// The weights as an archive.
pub fn write(weights: &Weights, skeleton: &Skeleton) -> Vec<u8> {
    let (rows, columns) = (weights.vertex_count(), weights.max_influences());
    let mut indices = Vec::with_capacity(2 * rows * columns);
    let mut values = Vec::with_capacity(4 * rows * columns);
    for influences in weights.iter() {
        for slot in 0..columns {
            let (joint, weight) = influences.get(slot).map_or((0, 0.0), |i| (i.joint.0, i.weight));
            indices.extend(joint.to_le_bytes());
            values.extend(weight.to_le_bytes());
        }
    }
    let labels = Labels::new(skeleton);
    let longest = skeleton
        .indices()
        .map(|j| labels.of(j).chars().count())
        .max()
        .unwrap_or(0)
        .max(1);
    let mut names = Vec::new();
    for joint in skeleton.indices() {
        let padded = labels
            .of(joint)
            .chars()
            .chain(std::iter::repeat('\0'))
            .take(longest);
        names.extend(padded.flat_map(|c| (c as u32).to_le_bytes()));
    }
    let indices = npy::write("<u2", &[rows, columns], &indices);
    let values = npy::write("<f4", &[rows, columns], &values);
    let joints = npy::write(&format!("<U{longest}"), &[skeleton.joints.len()], &names);
    let files = [
        ("indices.npy", indices.as_slice()),
        ("values.npy", values.as_slice()),
        ("joints.npy", joints.as_slice()),
    ];
    stored(&files, 1)
}
