//! libigl's dense matrix `.dmat` as weights: a row a vertex, a column a handle.
//!
//! Layout: the numbers of columns and rows, then all numbers column by column as text;
//! or `0 0`, the numbers again, a line end, and little-endian doubles. Which joint a
//! column belongs to stands in another file: give [`crate::tgf::Tgf::joint_of_column`]
//! (a bone's weight goes to the joint at its upper end; several bones of one joint are
//! summed), or one joint a column.
//!
//! Lost: which of several bones of a joint a weight was for. Negative weights, which
//! solvers leave by rounding, count as zero.

use ligament::character::{JointIndex, Skeleton, Weights};

use super::gather::Gathered;
use crate::import::ImportError;
use crate::text::Words;

/// A matrix, column by column.
#[derive(Debug, Clone, PartialEq)]
pub struct Matrix {
    /// How many rows there are.
    pub rows: usize,
    /// How many columns there are.
    pub columns: usize,
    /// `values[column * rows + row]`.
    pub values: Vec<f64>,
}

/// Reads any matrix.
pub fn read_matrix(bytes: &[u8]) -> Result<Matrix, ImportError> {
    let mut words = Words::new(bytes, None);
    let mut columns = words.count("the number of columns")?;
    let mut rows = words.count("the number of rows")?;
    let is_binary = columns == 0 && rows == 0 && words.clone().next().is_some();
    if is_binary {
        columns = words.count("the number of columns")?;
        rows = words.count("the number of rows")?;
    }
    let too_large = || {
        words.error(format!(
            "{columns} columns of {rows} rows are more than a file can hold"
        ))
    };
    let count = rows.checked_mul(columns).ok_or_else(too_large)?;
    let values = if is_binary {
        let start = words.at() + 1; // after the line end
        let data = bytes.get(start..).unwrap_or_default();
        if data.len() / 8 < count {
            let problem = format!("the file ends after {} of {count} numbers", data.len() / 8);
            return Err(ImportError::malformed(format!("byte {}", bytes.len()), problem));
        }
        let number = |b: &[u8]| f64::from_le_bytes([b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7]]);
        let values: Vec<f64> = data.chunks_exact(8).take(count).map(number).collect();
        if let Some(bad) = values.iter().position(|v| !v.is_finite()) {
            let location = format!("byte {}", start + 8 * bad);
            return Err(ImportError::malformed(location, "a number is not finite"));
        }
        values
    } else {
        let mut values = Vec::new();
        for _ in 0..count {
            values.push(words.f64("a number")?);
        }
        values
    };
    Ok(Matrix {
        rows,
        columns,
        values,
    })
}

/// Reads the weights of a mesh of so many vertices. `joint_of_column` names a joint of
/// the skeleton for each column.
pub fn read(
    bytes: &[u8],
    skeleton: &Skeleton,
    joint_of_column: &[JointIndex],
    vertices: usize,
) -> Result<Weights, ImportError> {
    let matrix = read_matrix(bytes)?;
    let location = "the matrix";
    if matrix.rows != vertices {
        let problem = format!("it has {} rows for {vertices} vertices", matrix.rows);
        return Err(ImportError::malformed(location, problem));
    }
    let joints = skeleton.joints.len();
    if matrix.columns != joint_of_column.len() || joint_of_column.iter().any(|j| j.at() >= joints) {
        let problem = format!(
            "it has {} columns; {} handles and {joints} joints are known",
            matrix.columns,
            joint_of_column.len()
        );
        return Err(ImportError::malformed(location, problem));
    }
    let mut gathered = Gathered::new(vertices);
    for (column, &joint) in joint_of_column.iter().enumerate() {
        let of_column = &matrix.values[column * vertices..(column + 1) * vertices];
        for (vertex, &weight) in of_column.iter().enumerate() {
            gathered
                .add(vertex, joint, weight.max(0.0) as f32)
                .map_err(|problem| ImportError::malformed(location, problem))?;
        }
    }
    gathered.finish()
}
