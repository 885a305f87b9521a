//! Texture coordinates of a `Mesh`.

use glam::Vec2;

use super::layer::{Prim, Value};

/// Coordinates as the file has them.
pub(super) struct Uvs<'a> {
    values: &'a [[f64; 2]],
    indices: Option<&'a [f64]>,
    interpolation: &'a str,
}

impl<'a> Uvs<'a> {
    /// Those of a name, or else `st`, or else the first that are texture coordinates.
    pub fn of(prim: &'a Prim, name: Option<&str>) -> Option<Self> {
        let named = name.and_then(|n| prim.attribute(&format!("primvars:{n}")));
        let attribute = named.or_else(|| prim.attribute("primvars:st")).or_else(|| {
            let mut all = prim.attributes.iter();
            all.find(|a| a.name.starts_with("primvars:") && a.type_name.starts_with("texCoord2"))
        })?;
        let values = attribute.still()?.numbers()?.as_chunks::<2>().0;
        let indices = prim.value(&format!("{}:indices", attribute.name));
        Some(Self {
            values,
            indices: indices.and_then(Value::numbers),
            interpolation: attribute.interpolation(),
        })
    }

    /// The coordinates at a corner of the file's faces, where a vertex is. USD counts from
    /// the picture's lower edge.
    pub fn at(&self, corner: u32, vertex: u32) -> Option<Vec2> {
        let index = match self.interpolation {
            "faceVarying" => corner as usize,
            "vertex" | "varying" => vertex as usize,
            "constant" => 0,
            _ => return None,
        };
        let index = match self.indices {
            Some(indices) => indices.get(index).filter(|&&i| i >= 0.0).map(|&i| i as usize)?,
            None => index,
        };
        let [s, t] = *self.values.get(index)?;
        let uv = Vec2::new(s as f32, (1.0 - t) as f32);
        uv.is_finite().then_some(uv)
    }
}
