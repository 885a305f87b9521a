//! What a reader asks of a layer: every prim with its path and its transform to the world.

use std::collections::HashMap;

use glam::{DAffine3, DMat3, DMat4, DQuat, DVec3};

use crate::import::{ImportError, ImportWarning};

use super::layer::{Attribute, Layer, Prim, Value, entry, join};

/// No path that anyone made is longer, and every prim keeps its own.
const LONGEST_PATH: usize = 2048;

/// A prim that is there, with what is above it.
pub(super) struct StagePrim<'a> {
    pub prim: &'a Prim,
    pub path: String,
    /// The index of the prim above it in [`Stage::prims`].
    pub parent: Option<usize>,
    /// `stage_from_prim`.
    pub world: DAffine3,
}

/// All prims that are drawn or bind, parents first.
pub(super) struct Stage<'a> {
    pub prims: Vec<StagePrim<'a>>,
    by_path: HashMap<String, usize>,
    /// From the file's axes and units to metres, +Y up.
    pub inner_from_stage: DAffine3,
    pub time_codes_per_second: f64,
    pub warnings: Vec<ImportWarning>,
    /// Whether the file points to others, or holds variants, that were not followed.
    pub has_arcs: bool,
}

impl<'a> Stage<'a> {
    pub fn new(layer: &'a Layer) -> Result<Self, ImportError> {
        let number = |key: &str| entry(&layer.metadata, key).and_then(Value::number);
        let positive = |n: &f64| n.is_finite() && *n > 0.0;
        let meters = number("metersPerUnit").filter(positive).unwrap_or(0.01);
        let is_z_up = entry(&layer.metadata, "upAxis").and_then(Value::text) == Some("Z");
        let rotation = if is_z_up {
            DAffine3::from_rotation_x(-std::f64::consts::FRAC_PI_2)
        } else {
            DAffine3::IDENTITY
        };
        let codes = number("timeCodesPerSecond").or_else(|| number("framesPerSecond"));
        let mut stage = Self {
            prims: Vec::new(),
            by_path: HashMap::new(),
            inner_from_stage: DAffine3::from_scale(DVec3::splat(meters)) * exact(rotation),
            time_codes_per_second: codes.filter(positive).unwrap_or(24.0),
            warnings: Vec::new(),
            has_arcs: entry(&layer.metadata, "subLayers").is_some(),
        };
        for prim in &layer.prims {
            stage.add(prim, "", None)?;
        }
        if stage.has_arcs {
            stage.warn(
                "left_out_references",
                "the file refers to other files or holds variants; only what stands in it directly was read",
            );
        }
        Ok(stage)
    }

    fn add(&mut self, prim: &'a Prim, above: &str, parent: Option<usize>) -> Result<(), ImportError> {
        let is_active = entry(&prim.metadata, "active") != Some(&Value::Bool(false));
        if !prim.is_defined || !is_active {
            return Ok(());
        }
        let arcs = [
            "references",
            "payload",
            "variantSets",
            "variantSetNames",
            "inherits",
            "specializes",
        ];
        self.has_arcs |= arcs.iter().any(|a| entry(&prim.metadata, a).is_some());
        let path = join(above, &prim.name);
        if path.len() > LONGEST_PATH {
            let start: String = path.chars().take(80).collect();
            return Err(ImportError::malformed(
                format!("{start}…"),
                format!("a path is longer than {LONGEST_PATH} bytes"),
            ));
        }
        let (local, resets) = self.local(prim, &path)?;
        let above_world = parent.filter(|_| !resets).map(|p| self.prims[p].world);
        let world = above_world.map_or(local, |w| w * local);
        let index = self.prims.len();
        self.by_path.insert(path.clone(), index);
        self.prims.push(StagePrim {
            prim,
            path: path.clone(),
            parent,
            world,
        });
        for child in &prim.children {
            self.add(child, &path, Some(index))?;
        }
        Ok(())
    }

    pub fn find(&self, path: &str) -> Option<usize> {
        self.by_path.get(path).copied()
    }

    /// A relationship's first target, from the prim itself or the nearest above it.
    pub fn inherited(&self, index: usize, relationship: &str) -> Option<&'a str> {
        let mut next = Some(index);
        while let Some(i) = next {
            if let Some(target) = self.prims[i].prim.target(relationship) {
                return Some(target);
            }
            next = self.prims[i].parent;
        }
        None
    }

    pub fn warn(&mut self, code: &'static str, message: impl Into<String>) {
        self.warnings.push(ImportWarning {
            code,
            message: message.into(),
        });
    }

    /// `parent_from_prim`, and whether it ignores what is above it.
    fn local(&mut self, prim: &Prim, path: &str) -> Result<(DAffine3, bool), ImportError> {
        let mut local = DAffine3::IDENTITY;
        let mut resets = false;
        let order = prim.value("xformOpOrder").and_then(Value::texts).unwrap_or(&[]);
        for op in order {
            if op == "!resetXformStack!" {
                local = DAffine3::IDENTITY;
                resets = true;
                continue;
            }
            let (name, inverts) = match op.strip_prefix("!invert!") {
                Some(name) => (name, true),
                None => (op.as_str(), false),
            };
            let Some(attribute) = prim.attribute(name) else {
                continue;
            };
            let step = transform_op(attribute).ok_or_else(|| {
                ImportError::malformed(path, format!("'{name}' has not the numbers that its kind needs"))
            })?;
            if attribute.samples.len() > 1 {
                self.warn(
                    "still_transform",
                    format!("{path}: the motion of '{name}' is left out; it stands as at first"),
                );
            }
            local *= if inverts { step.inverse() } else { step };
        }
        if !local.is_finite() {
            return Err(ImportError::malformed(path, "its transform is not finite"));
        }
        Ok((local, resets))
    }
}

/// Quarter turns without the rounding of sines.
fn exact(mut rotation: DAffine3) -> DAffine3 {
    rotation.matrix3 = DMat3::from_cols_array(&rotation.matrix3.to_cols_array().map(f64::round));
    rotation
}

fn transform_op(attribute: &Attribute) -> Option<DAffine3> {
    let numbers = attribute.still()?.numbers()?;
    let kind = attribute.name.split(':').nth(1)?;
    let vector = || <[f64; 3]>::try_from(numbers).ok().map(DVec3::from_array);
    let angle = || numbers.first().map(|a| a.to_radians());
    Some(match kind {
        "translate" => DAffine3::from_translation(vector()?),
        "scale" => DAffine3::from_scale(vector()?),
        "transform" => affine(numbers.as_chunks::<16>().0.first()?),
        "orient" => {
            let &[w, x, y, z] = numbers.as_chunks::<4>().0.first()?;
            DAffine3::from_quat(unit(DQuat::from_xyzw(x, y, z, w)))
        }
        "rotateX" => DAffine3::from_rotation_x(angle()?),
        "rotateY" => DAffine3::from_rotation_y(angle()?),
        "rotateZ" => DAffine3::from_rotation_z(angle()?),
        axes if axes.starts_with("rotate") && axes.len() == 9 => {
            let angles = vector()?;
            // The first axis turns first, so it stands last in the product.
            let mut rotation = DAffine3::IDENTITY;
            for axis in axes.bytes().skip(6) {
                let step = match axis {
                    b'X' => DAffine3::from_rotation_x(angles.x.to_radians()),
                    b'Y' => DAffine3::from_rotation_y(angles.y.to_radians()),
                    b'Z' => DAffine3::from_rotation_z(angles.z.to_radians()),
                    _ => return None,
                };
                rotation = step * rotation;
            }
            rotation
        }
        _ => return None,
    })
}

/// The turn of a quaternion of any length; none for one that is nothing.
pub(super) fn unit(q: DQuat) -> DQuat {
    let length = q.length();
    if length > 1e-12 && length.is_finite() {
        q / length
    } else {
        DQuat::IDENTITY
    }
}

/// A matrix as USD stores it: axes are rows.
pub(super) fn affine(rows: &[f64; 16]) -> DAffine3 {
    DAffine3::from_mat4(DMat4::from_cols_array(rows))
}
