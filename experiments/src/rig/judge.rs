//! A template fitted into a mesh, beside the artist's skeleton.

use std::collections::BTreeMap;

use glam::DVec3;
use ligament::Character;
use ligament::character::{HumanoidMap, Mesh, NameScheme, PartAttachment, StandardBone};
use ligament::rig::{ExtractOptions, Source, Template, TemplateOptions, extract_and_fit};
use ligament::task::Task;

/// A joint is near the artist's within this share of the mesh's height.
pub const NEAR: f64 = 0.05;

/// A bone, and where artist and fit have its joint, from the ground up, in shares of the height.
#[derive(Clone)]
pub struct Judgement {
    pub bone: StandardBone,
    artist: DVec3,
    fit: Option<DVec3>,
}

impl Judgement {
    /// How far; what was not found is as far away as the body is tall.
    fn distance(&self) -> f64 {
        self.fit.map_or(1.0, |fit| fit.distance(self.artist).min(1.0))
    }

    /// In hundredths of the height: outward, upward and along +Z.
    fn off(&self) -> DVec3 {
        let off = 100.0 * (self.fit.unwrap_or(DVec3::NAN) - self.artist);
        DVec3::new(if self.artist.x < 0.0 { -off.x } else { off.x }, off.y, off.z)
    }
}

/// A fit, judged.
#[derive(Clone)]
pub struct Judged {
    /// What it goes by; none where nothing was fitted.
    pub by: Option<&'static str>,
    pub joints: Vec<Judgement>,
}

impl Judged {
    pub fn near(&self) -> usize {
        self.joints.iter().filter(|j| j.distance() < NEAR).count()
    }

    pub fn mean(&self) -> f64 {
        self.joints.iter().map(Judgement::distance).sum::<f64>() / self.joints.len().max(1) as f64
    }

    /// How far a bone is from the artist's, where both have it.
    pub fn off(&self, bone: StandardBone) -> Option<f64> {
        self.by?;
        let found = self.joints.iter().find(|j| j.bone == bone)?;
        Some(found.distance())
    }

    /// The joints that are missed, in hundredths of the height: outward, upward, along +Z.
    pub fn missed(&self) -> String {
        if self.by.is_none() {
            return String::new();
        }
        let far = self.joints.iter().filter(|j| j.distance() >= NEAR);
        let words = far.map(|j| {
            let off = j.off();
            format!("{:?} {:.0},{:.0},{:.0}", j.bone, off.x, off.y, off.z)
        });
        words.collect::<Vec<_>>().join("; ")
    }
}

impl Judged {
    /// Where artist and fit have the joints, a line each.
    pub fn places<'a>(&'a self, name: &'a str) -> impl Iterator<Item = String> + 'a {
        self.joints.iter().filter_map(move |j| {
            let (a, f) = (j.artist, j.fit?);
            let numbers = [a.x, a.y, a.z, f.x, f.y, f.z].map(|n| format!("{n:.5}"));
            Some(format!("{name},{:?},{}\n", j.bone, numbers.join(",")))
        })
    }
}

/// The bones that every humanoid has in VRM.
pub fn main_bones() -> impl Iterator<Item = StandardBone> {
    StandardBone::ALL.iter().copied().filter(|b| b.is_required())
}

/// The mesh without what only hangs on a joint, weapons and the like; `None` if nothing does or nothing else is there.
pub fn skin_alone(mesh: &Mesh) -> Option<Mesh> {
    let skin: Vec<_> = mesh
        .parts
        .iter()
        .filter(|p| p.attachment == PartAttachment::Skin)
        .collect();
    if skin.is_empty() || skin.len() == mesh.parts.len() {
        return None;
    }
    let mut new_of_old = vec![None; mesh.positions.len()];
    let (mut positions, mut kept) = (Vec::new(), Vec::new());
    for part in skin {
        for triangle in &mesh.triangles[part.triangles.clone()] {
            kept.push(triangle.map(|v| {
                *new_of_old[v as usize].get_or_insert_with(|| {
                    positions.push(mesh.positions[v as usize]);
                    positions.len() as u32 - 1
                })
            }));
        }
    }
    Some(Mesh::single_part("skin", positions, kept))
}

/// Fits a humanoid into a mesh, as `ligament rig --template humanoid` does.
pub fn judge(artist: &Character, own: &HumanoidMap, mesh: &Mesh) -> anyhow::Result<Judged> {
    let (low, high) = mesh.bounds();
    let tall = f64::from((high - low).y);
    let options = TemplateOptions {
        template: Template::Humanoid,
        names: NameScheme::Vrm,
        markers: BTreeMap::new(),
        face: None,
    };
    let (_, fitted) = extract_and_fit(mesh, &ExtractOptions::default(), &options, &Task::unattended())?;
    let fitted = fitted.ok();
    let place = |bone: StandardBone| {
        let fitted = fitted.as_ref()?;
        let at = fitted.joints.iter().position(|j| j.bone == Some(bone))?;
        Some(fitted.skeleton.joints[at].bind_from_joint.translation)
    };
    let share = |p: DVec3| (p - DVec3::Y * f64::from(low.y)) / tall;
    let main = own.bones().iter().filter(|m| m.bone.is_required());
    let joints = main.map(|mapped| Judgement {
        // Where names of sides contradict the feet, a fit can only be right by the feet.
        bone: if own.sides_swapped() {
            mapped.bone.mirrored()
        } else {
            mapped.bone
        },
        artist: share(artist.skeleton.bind_position(mapped.joint)),
        fit: place(if own.sides_swapped() {
            mapped.bone.mirrored()
        } else {
            mapped.bone
        })
        .map(share),
    });
    Ok(Judged {
        by: fitted.as_ref().map(|f| match f.source {
            Source::Limbs => "limbs",
            Source::Landmarks => "landmarks",
        }),
        joints: joints.collect(),
    })
}
