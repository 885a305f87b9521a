//! Motion of blend shapes, as the writers of clips need it.

use ligament::character::{BlendShape, Clip, Interpolation, ShapeMotion};
use ligament::{Character, Mesh};

/// Frames in a second where a motion is sampled.
pub(crate) const FRAMES_PER_SECOND: f64 = 30.0;
/// Seconds that a spline may last to be sampled: beyond this its keys alone are kept.
const LONGEST_BAKED: f32 = 3600.0;

/// A clip with everything that it moves.
pub(crate) struct WholeClip<'a> {
    pub name: &'a str,
    /// What it does to joints, if anything.
    pub joints: Option<&'a Clip>,
    /// What it does to blend shapes: which one, and how.
    pub shapes: Vec<(usize, &'a ShapeMotion)>,
}

/// All clips of a character that move anything: first those of joints, then those that move shapes alone.
pub(crate) fn whole_clips(character: &Character) -> Vec<WholeClip<'_>> {
    let mut clips: Vec<WholeClip<'_>> = Vec::new();
    for clip in &character.clips {
        clips.push(WholeClip {
            name: &clip.name,
            joints: Some(clip).filter(|c| !c.tracks.is_empty()),
            shapes: Vec::new(),
        });
    }
    for (shape, motion) in motions(&character.mesh) {
        // The first of several clips of one name.
        match clips.iter_mut().find(|c| c.name == motion.clip) {
            Some(clip) => clip.shapes.push((shape, motion)),
            None => clips.push(WholeClip {
                name: &motion.clip,
                joints: None,
                shapes: vec![(shape, motion)],
            }),
        }
    }
    clips.retain(|c| c.joints.is_some() || !c.shapes.is_empty());
    clips
}

fn motions(mesh: &Mesh) -> impl Iterator<Item = (usize, &ShapeMotion)> {
    let shapes = mesh.blend_shapes.iter().enumerate();
    shapes.flat_map(|(i, shape)| shape.motions.iter().map(move |m| (i, m)))
}

impl WholeClip<'_> {
    /// First and last key time over all that it moves, in seconds.
    pub fn span_secs(&self) -> (f32, f32) {
        let of_joints = self.joints.map(Clip::span_secs);
        let of_shapes = self.shapes.iter().filter_map(|(_, m)| {
            let (&first, &last) = m.times.first().zip(m.times.last())?;
            Some((first, last))
        });
        let spans = of_joints.into_iter().chain(of_shapes);
        spans
            .reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)))
            .unwrap_or_default()
    }

    /// What it does to one shape.
    pub fn of_shape(&self, shape: usize) -> Option<&ShapeMotion> {
        let found = self.shapes.iter().find(|(s, _)| *s == shape);
        found.map(|(_, motion)| *motion)
    }
}

/// When something that goes straight from sample to sample must be sampled to follow these keys, in seconds,
/// increasing: at all keys, for steps also right before each, for splines at every frame.
pub(crate) fn sample_times<'a>(keys: impl IntoIterator<Item = (Interpolation, &'a [f32])>) -> Vec<f32> {
    let mut times: Vec<f32> = Vec::new();
    for (interpolation, own) in keys {
        times.extend_from_slice(own);
        let (Some(&first), Some(&last)) = (own.first(), own.last()) else {
            continue;
        };
        match interpolation {
            Interpolation::Linear => {}
            Interpolation::Step => {
                let before = own.iter().skip(1).map(|t| t.next_down());
                times.extend(before.filter(|t| *t > first));
            }
            Interpolation::CubicSpline if last - first < LONGEST_BAKED => {
                let frame = |t: f32| f64::from(t) * FRAMES_PER_SECOND;
                let frames = (frame(first).ceil() as i64)..(frame(last).floor() as i64 + 1);
                times.extend(frames.map(|f| (f as f64 / FRAMES_PER_SECOND) as f32));
            }
            Interpolation::CubicSpline => {}
        }
    }
    times.retain(|t| t.is_finite());
    times.sort_by(f32::total_cmp);
    times.dedup();
    times
}

/// What a clip does to shapes that share their keys, as the formats want that have one list of numbers for all of them.
pub(crate) struct SharedKeys {
    pub interpolation: Interpolation,
    pub times: Vec<f32>,
    /// For each key a number for each shape; for splines three times that, in-tangents first, out-tangents last.
    pub values: Vec<f32>,
}

impl SharedKeys {
    /// The keys of these shapes, each with its motion if it moves; `None` if none does. As they are where all have
    /// the same times; else what [`sample_times`] asks for.
    pub fn of(shapes: &[(&BlendShape, Option<&ShapeMotion>)]) -> Option<Self> {
        let moving = || shapes.iter().filter_map(|(_, motion)| *motion);
        let first = moving().next()?;
        let alike = |m: &ShapeMotion| m.interpolation == first.interpolation && m.times == first.times;
        if !moving().all(alike) {
            let times = sample_times(moving().map(|m| (m.interpolation, m.times.as_slice())));
            let at = |t: f32, (shape, motion): &(&BlendShape, Option<&ShapeMotion>)| {
                motion.map_or(shape.weight, |m| m.sample(t) as f32)
            };
            return Some(Self {
                interpolation: Interpolation::Linear,
                values: times
                    .iter()
                    .flat_map(|&t| shapes.iter().map(move |s| at(t, s)))
                    .collect(),
                times,
            });
        }
        let width = match first.interpolation {
            Interpolation::CubicSpline => 3,
            _ => 1,
        };
        let mut values = Vec::with_capacity(first.values.len() * shapes.len());
        for key in 0..first.values.len() {
            for (shape, motion) in shapes {
                let is_value = key % width == width / 2;
                let still = if is_value { shape.weight } else { 0.0 };
                values.push(motion.map_or(still, |m| m.values[key]));
            }
        }
        Some(Self {
            interpolation: first.interpolation,
            times: first.times.clone(),
            values,
        })
    }
}

/// Names of clips as their motions of shapes know them: a second clip of one name gets another, so
/// that they do not become one.
#[derive(Default)]
pub(crate) struct ClipNames(Vec<String>);

impl ClipNames {
    pub fn unique(&mut self, name: &str) -> String {
        let mut unique = name.to_owned();
        let mut next = 2;
        while self.0.contains(&unique) {
            unique = format!("{name} ({next})");
            next += 1;
        }
        self.0.push(unique.clone());
        unique
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn motion(interpolation: Interpolation, times: &[f32], values: &[f32]) -> ShapeMotion {
        ShapeMotion {
            clip: "talk".to_owned(),
            interpolation,
            times: times.to_vec(),
            values: values.to_vec(),
        }
    }

    fn shape(weight: f32) -> BlendShape {
        BlendShape {
            weight,
            ..BlendShape::default()
        }
    }

    #[test]
    fn keys_at_the_same_times_stay_as_they_are() {
        let (a, b) = (shape(0.0), shape(0.25));
        let spline = motion(Interpolation::CubicSpline, &[0.0, 1.0], &[1., 2., 3., 4., 5., 6.]);
        let shared = SharedKeys::of(&[(&a, Some(&spline)), (&b, None)]).unwrap();
        assert_eq!(shared.interpolation, Interpolation::CubicSpline);
        assert_eq!(
            shared.values,
            [1.0, 0.0, 2.0, 0.25, 3.0, 0.0, 4.0, 0.0, 5.0, 0.25, 6.0, 0.0]
        );
        assert!(SharedKeys::of(&[(&a, None), (&b, None)]).is_none());
    }

    #[test]
    fn other_times_are_sampled_together() {
        let (a, b) = (shape(0.0), shape(0.0));
        let straight = motion(Interpolation::Linear, &[0.0, 2.0], &[0.0, 1.0]);
        let steps = motion(Interpolation::Step, &[0.5, 1.0], &[0.25, 0.75]);
        let shared = SharedKeys::of(&[(&a, Some(&straight)), (&b, Some(&steps))]).unwrap();
        assert_eq!(shared.times, [0.0, 0.5, 1.0f32.next_down(), 1.0, 2.0]);
        for (k, &t) in shared.times.iter().enumerate() {
            assert_eq!(shared.values[2 * k], straight.sample(t) as f32);
            assert_eq!(shared.values[2 * k + 1], steps.sample(t) as f32);
        }
    }

    #[test]
    fn clips_of_shapes_alone_come_after_those_of_joints() {
        let mut c = ligament::sample::make("tube@200").unwrap();
        let names: Vec<String> = c.clips.iter().map(|c| c.name.clone()).collect();
        let mut own = motion(Interpolation::Linear, &[0.5, 9.0], &[0.0, 1.0]);
        let mut shared = own.clone();
        shared.clip = names[0].clone();
        own.clip = "face".to_owned();
        let mut smile = shape(0.0);
        smile.motions = vec![own, shared];
        c.mesh.blend_shapes = vec![shape(0.0), smile];
        let clips = whole_clips(&c);
        assert_eq!(clips.len(), names.len() + 1);
        assert!(clips[0].joints.is_some() && clips[0].of_shape(1).is_some());
        assert!(clips[0].of_shape(0).is_none());
        assert_eq!(clips[0].span_secs(), (0.0, 9.0));
        let last = &clips[names.len()];
        assert_eq!(
            (last.name, last.joints.is_none(), last.span_secs()),
            ("face", true, (0.5, 9.0))
        );
    }

    #[test]
    fn a_second_clip_of_one_name_is_another() {
        let mut names = ClipNames::default();
        assert_eq!(
            ["a", "a", "b", "a"].map(|n| names.unique(n)),
            ["a", "a (2)", "b", "a (3)"]
        );
    }
}
