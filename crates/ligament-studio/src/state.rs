//! What a person has made of a character so far, as data.
//!
//! A state is small and complete: weights are not in it, because the same settings give the same bytes. Undo, the history,
//! the project file and recovery are lists of states; the weights that were found for them are kept beside, as many as
//! there is memory for, and are found again where they are not.

use ligament::bind::{Locks, Region, VertexSet};
use ligament::character::{Channel, Interpolation, Track};
use ligament::{Clip, JointIndex, Skeleton};
use ligament_app::AppError;
use ligament_app::bind::BindRequest;
use ligament_app::method_options::MethodOptions;
use serde::{Deserialize, Serialize};

use crate::hands::Hands;
use crate::rigging::Rigged;

/// How weights are found: a request to bind, without any path.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct BindSettings {
    /// The method's name.
    pub method: String,
    /// Its options.
    pub options: MethodOptions,
    /// The most joints that a vertex follows, 1 to 8: what the page can show.
    pub influences: usize,
    /// Joints that take part: names or globs, `!` in front takes out; none leaves it to their names.
    pub deform: Vec<String>,
    /// Weights under this share are dropped.
    pub prune: f32,
    /// Parts of the mesh with rules of their own.
    pub regions: Vec<Region>,
    /// What keeps the weights that the file has.
    pub locks: Locks,
}

impl Default for BindSettings {
    fn default() -> Self {
        let usual = BindRequest::default();
        Self {
            method: "best".to_owned(),
            options: usual.options,
            influences: usual.influences,
            deform: usual.deform,
            prune: usual.prune,
            regions: usual.regions,
            locks: usual.locks,
        }
    }
}

/// Influences that a vertex has on the page at most.
pub const MOST_INFLUENCES: usize = 8;

/// Refuses `@FILE` among joints that take part: it would read a file that the page names.
pub fn refuse_files(deform: &[String]) -> Result<(), AppError> {
    match deform.iter().find(|d| d.trim_start().starts_with('@')) {
        None => Ok(()),
        Some(file) => Err(AppError::BadValue {
            option: "joints that take part",
            rule: "are names or patterns".to_owned(),
            found: file.clone(),
        }),
    }
}

impl BindSettings {
    /// The request that `ligament bind` would make of the same settings.
    pub fn request(&self) -> Result<BindRequest, AppError> {
        if !(1..=MOST_INFLUENCES).contains(&self.influences) {
            return Err(AppError::BadValue {
                option: "influences",
                rule: format!("are 1 to {MOST_INFLUENCES} in the studio"),
                found: self.influences.to_string(),
            });
        }
        // A table of a prior would be another.
        if let Some(file) = self.options.prior.as_ref().filter(|p| p.as_os_str() != "none") {
            return Err(AppError::BadValue {
                option: "the prior",
                rule: "is the one that comes along, or none".to_owned(),
                found: file.display().to_string(),
            });
        }
        refuse_files(&self.deform)?;
        Ok(BindRequest {
            method: Some(self.method.clone()),
            options: self.options.clone(),
            influences: self.influences,
            deform: self.deform.clone(),
            prune: self.prune,
            regions: self.regions.clone(),
            locks: self.locks.clone(),
            ..BindRequest::default()
        })
    }

    /// The part of the settings that the slow half of a bind depends on.
    pub fn prepared_by(&self) -> Self {
        if self.method == "cells" {
            return self.clone(); // a fit sees all of it
        }
        Self {
            options: MethodOptions {
                falloff: None,
                ..self.options.clone()
            },
            // The published forms keep as many joints as were asked for.
            influences: if self.options.preset.is_some() {
                self.influences
            } else {
                0
            },
            prune: 0.0,
            regions: self.prepared_regions(),
            locks: Locks::default(),
            ..self.clone()
        }
    }

    /// Heat and the solid's Laplacian see which joints a region may follow while they are prepared; distances do not. A
    /// skin of very many points is prepared by fewer of them, unless there are regions.
    fn prepared_regions(&self) -> Vec<Region> {
        let sees_drivers = !["voxel", "closest", "hierarchy"].contains(&self.method.as_str());
        let any = self.regions.first().map(|_| Region {
            of: VertexSet::Vertices(Vec::new()),
            falloff: None,
            drivers: None,
        });
        let driven = self
            .regions
            .iter()
            .filter(|r| sees_drivers && r.drivers.is_some());
        let without_falloff = |r: &Region| Region {
            falloff: None,
            ..r.clone()
        };
        driven.map(without_falloff).chain(any).collect()
    }

    /// What the settings are called in the history.
    pub fn title(&self) -> String {
        let mut title = self.method.clone();
        if let Some(preset) = &self.options.preset {
            title.push_str(&format!(" {preset}"));
        }
        if let Some(falloff) = self.options.falloff {
            title.push_str(&format!(", falloff {falloff:.2}"));
        }
        title
    }
}

/// What the weights shown are compared with.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Other {
    /// The file's own weights.
    File {},
    /// Another bind of the same character.
    Bind(Box<BindSettings>),
    /// The weights of another file with the same character, by its id.
    Item(String),
}

/// A joint's transform in a pose, seen from its parent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Turn {
    /// The joint's number.
    pub joint: u16,
    /// A unit quaternion: x, y, z, w.
    pub rotation: [f32; 4],
    /// Where it is.
    pub translation: [f32; 3],
}

/// A pose of a clip that a person makes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Key {
    /// When.
    pub seconds: f32,
    /// Joints that are not at rest.
    pub turns: Vec<Turn>,
}

/// Everything that undo takes back.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct State {
    /// How weights are found; the file's own if none.
    pub bind: Option<BindSettings>,
    /// What they are compared with.
    pub other: Option<Other>,
    /// Joints that are posed by hand.
    pub pose: Vec<Turn>,
    /// Poses kept for a clip, in the order of their times.
    pub keys: Vec<Key>,
    /// The rig under hands, if it is; weights then follow its edits.
    pub rig: Option<Rigged>,
    /// Weights changed by hand, over whatever the rest gives.
    pub hands: Hands,
}

impl State {
    /// The poses kept, as a clip: joints that a pose leaves out are at rest in it.
    pub fn clip(&self, skeleton: &Skeleton) -> Option<Clip> {
        if self.keys.len() < 2 {
            return None;
        }
        let mut joints: Vec<u16> = self.keys.iter().flat_map(|k| &k.turns).map(|t| t.joint).collect();
        joints.sort_unstable();
        joints.dedup();
        let times: Vec<f32> = self.keys.iter().map(|k| k.seconds).collect();
        let mut tracks = Vec::new();
        for joint in joints.into_iter().map(JointIndex) {
            let rest = skeleton.joint(joint).rest;
            let (mut positions, mut turns) = (Vec::new(), Vec::new());
            for key in &self.keys {
                let turn = key.turns.iter().find(|t| t.joint == joint.0);
                let position = turn.map_or(rest.translation.as_vec3().to_array(), |t| t.translation);
                let rotation = turn.map_or(rest.rotation.as_quat().to_array(), |t| t.rotation);
                positions.extend(position);
                turns.extend(rotation);
            }
            for (channel, values) in [(Channel::Translation, positions), (Channel::Rotation, turns)] {
                tracks.push(Track {
                    joint,
                    channel,
                    interpolation: Interpolation::Linear,
                    times: times.clone(),
                    values,
                });
            }
        }
        let name = "poses".to_owned();
        Some(Clip { name, tracks }).filter(|c| !c.tracks.is_empty())
    }
}

/// Poses that a clip may have.
const MOST_KEYS: usize = 1000;

impl State {
    /// Fails where a state does not belong to a skeleton of so many joints.
    pub fn check(&self, joints: usize) -> Result<(), String> {
        let joints = joints + self.rig.as_ref().map_or(0, Rigged::inserts);
        if let Some(rig) = &self.rig {
            rig.check()?;
            if self.bind.is_some() {
                return Err("the weights of a rig under hands follow its edits; go back before them to bind otherwise".to_owned());
            }
        }
        self.hands.check(joints)?;
        let sound = |turn: &Turn| {
            let length: f32 = turn.rotation.iter().map(|r| r * r).sum();
            usize::from(turn.joint) < joints
                && (length - 1.0).abs() < 1e-2
                && turn.translation.iter().all(|t| t.is_finite())
        };
        if self.keys.len() > MOST_KEYS {
            return Err(format!("a clip has at most {MOST_KEYS} poses"));
        }
        let turns = self.keys.iter().flat_map(|k| &k.turns).chain(&self.pose);
        if !turns.clone().all(sound) {
            return Err("a pose does not belong to this skeleton".to_owned());
        }
        let ordered = self.keys.is_sorted_by(|a, b| a.seconds < b.seconds);
        if !ordered || self.keys.iter().any(|k| !(0.0..=3600.0).contains(&k.seconds)) {
            return Err("the times of a clip's poses go from 0 upwards".to_owned());
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_names_no_file() {
        let settings = BindSettings {
            deform: vec!["hips".to_owned(), " @/etc/passwd".to_owned()],
            ..BindSettings::default()
        };
        assert!(settings.request().is_err());
        let mut settings = BindSettings::default();
        settings.options.prior = Some("/etc/passwd".into());
        assert!(settings.request().is_err());
        settings.options.prior = Some("none".into());
        assert!(settings.request().is_ok());
    }

    #[test]
    fn what_is_prepared_does_not_depend_on_the_slider() {
        let at = |falloff, preset: Option<&str>, influences| {
            let mut settings = BindSettings {
                method: "voxel".to_owned(),
                influences,
                ..BindSettings::default()
            };
            settings.options.falloff = falloff;
            settings.options.preset = preset.map(str::to_owned);
            settings.prepared_by()
        };
        assert_eq!(at(Some(0.1), None, 4), at(Some(0.9), None, 8));
        assert_ne!(at(None, Some("2014"), 4), at(None, Some("2014"), 8));
    }

    #[test]
    fn kept_poses_are_a_clip_that_plays_them() {
        let hound = ligament::sample::make("hound@800").unwrap();
        let turn = |angle: f32| Turn {
            joint: 3,
            rotation: [0.0, 0.0, (0.5 * angle).sin(), (0.5 * angle).cos()],
            translation: hound.skeleton.joints[3].rest.translation.as_vec3().to_array(),
        };
        let keys = vec![
            Key {
                seconds: 0.0,
                turns: vec![],
            },
            Key {
                seconds: 0.5,
                turns: vec![turn(1.0)],
            },
        ];
        let state = State {
            keys,
            ..State::default()
        };
        let clip = state.clip(&hound.skeleton).unwrap();
        assert!(clip.tracks.iter().all(|t| t.check().is_ok()));
        let (first, last) = (
            clip.pose_at(&hound.skeleton, 0.0),
            clip.pose_at(&hound.skeleton, 0.5),
        );
        let rest = hound.skeleton.joints[3].rest.rotation;
        assert!(first.locals[3].rotation.angle_between(rest) < 1e-3);
        let expected = glam::DQuat::from_rotation_z(1.0);
        assert!(last.locals[3].rotation.angle_between(expected) < 1e-3);
        assert_eq!(first.locals[2], hound.skeleton.joints[2].rest);
        assert!(State::default().clip(&hound.skeleton).is_none());
    }

    #[test]
    fn poses_of_another_skeleton_are_refused() {
        let turn = |joint, w| Turn {
            joint,
            rotation: [0.0, 0.0, 0.0, w],
            translation: [0.0; 3],
        };
        let state = |turn| State {
            pose: vec![turn],
            ..State::default()
        };
        assert!(state(turn(2, 1.0)).check(3).is_ok());
        assert!(state(turn(3, 1.0)).check(3).is_err());
        assert!(state(turn(0, 0.0)).check(3).is_err());
        assert!(state(turn(0, f32::NAN)).check(3).is_err());
    }
}
