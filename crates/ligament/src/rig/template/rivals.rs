//! Which of two fits is the better, by what both can be asked: how much of the body is near a bone, how much of the bones is inside, how
//! usual the proportions are.

use glam::DVec3;

use super::TemplateError;
use super::humanoid::Humanoid;
use super::upright::{self, Half};
use super::usual;
use super::{legs, nape};
use crate::character::{Side, StandardBone};
use crate::rig::extract::{Axes, Whole};

/// A fit by landmarks alone, where extraction knows no humanoid, is one if two legs were seen and no more than this is wrong with it. Most animals
/// have 3.8 and more, and those that have less stand on no two legs.
const MOST_WRONG: f64 = 3.65;
/// Nor is one that goes by extracted limbs if both have more than this.
const NO_HUMANOID: f64 = 4.5;
/// By so much a fit by landmarks must be better than one along extracted limbs, which bend where the body does and end in fingers.
const PREFERRED: f64 = 0.25;
/// Where two fits are no further apart than this share of the height, both see the same joint, and the middle errs less than either.
const SAME: f64 = 0.12;

/// The better of the humanoid that extraction found and the one that the solid shows, with hip joints where they usually are.
pub(super) fn chosen(
    extracted: Result<Humanoid, TemplateError>,
    body: &Whole,
) -> Result<(Humanoid, Source), TemplateError> {
    let (mut fit, source, half) = better(extracted, body)?;
    let half = half.or_else(|| {
        let stands = body.stands.iter().copied();
        stands
            .filter(|axes| along_axes(&fit, axes))
            .find_map(|axes| Half::of(&body.voxels, axes))
    });
    if let Some(half) = half {
        nape::lift(&mut fit, &half);
        usual::settle(&mut fit, &half);
        legs::set(&mut fit, &half);
    }
    Ok((fit, source))
}

/// Whether a fit stands and has its sides along the axes of a way to stand.
fn along_axes(fit: &Humanoid, axes: &Axes) -> bool {
    let (up, left) = (fit.frame.up[axes.up], fit.frame.left[axes.mirror.axis]);
    up > 0.5 && left.abs() > 0.5
}

/// The better fit, and the half of the body that it was judged in.
fn better(
    extracted: Result<Humanoid, TemplateError>,
    body: &Whole,
) -> Result<(Humanoid, Source, Option<Half>), TemplateError> {
    let shown = body.stands.iter().find_map(|&axes| {
        let half = Half::of(&body.voxels, axes)?;
        let shown = upright::humanoid(&half)?;
        let wrong = wrong(&half, &shown.body)?;
        let humanoid = shown.two_legs && (wrong <= MOST_WRONG || extracted.is_ok());
        humanoid.then_some((half, shown.body, wrong))
    });
    let Some((half, shown, shown_wrong)) = shown else {
        return extracted.map(|found| (found, Source::Limbs, None));
    };
    let (fit, source) = match extracted {
        Ok(found) => {
            let found_wrong = wrong(&half, &found).unwrap_or(f64::INFINITY);
            if shown_wrong.min(found_wrong) > NO_HUMANOID {
                return Err(TemplateError::OtherBody {
                    wanted: "humanoid",
                    found: "too much of it is where a humanoid has nothing".to_owned(),
                });
            }
            let reach = SAME * half.tall();
            if shown_wrong + PREFERRED < found_wrong {
                (in_the_middle(shown, &found, reach), Source::Landmarks)
            } else {
                (in_the_middle(found, &shown, reach), Source::Limbs)
            }
        }
        Err(_) => (shown, Source::Landmarks),
    };
    Ok((fit, source, Some(half)))
}

/// A fit whose joints are drawn half the way to another's that are near.
fn in_the_middle(mut body: Humanoid, other: &Humanoid, reach: f64) -> Humanoid {
    for (bone, placed) in &mut body.bones {
        if let Some(other) = other.bones.get(bone).filter(|o| o.at.distance(placed.at) < reach) {
            placed.at = placed.at.midpoint(other.at);
        }
    }
    body
}

/// What a fit goes by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// The limbs of the extracted skeleton, whose names hold.
    Limbs,
    /// Landmarks of the solid; extracted joints may be called anything.
    Landmarks,
}

/// How much is wrong with a humanoid in a body; `None` if a bone is missing that every humanoid has.
fn wrong(half: &Half, body: &Humanoid) -> Option<f64> {
    use StandardBone as B;
    let at = |bone: StandardBone| body.bones.get(&bone).map(|p| half.of_mesh(p.at));
    let pair = |bone: StandardBone| Some([at(bone.on(Side::Left))?, at(bone.on(Side::Right))?]);
    let (shoulders, elbows, wrists) = (pair(B::LeftUpperArm)?, pair(B::LeftLowerArm)?, pair(B::LeftHand)?);
    let (thighs, knees, ankles) = (pair(B::LeftUpperLeg)?, pair(B::LeftLowerLeg)?, pair(B::LeftFoot)?);
    let (hips, neck, head) = (at(B::Hips)?, at(B::Neck)?, at(B::Head)?);
    let (ground, tall) = (half.ground(), half.tall());
    let mut bones = vec![(hips, neck), (neck, head)];
    for s in 0..2 {
        bones.extend([
            (hips, thighs[s]),
            (thighs[s], knees[s]),
            (knees[s], ankles[s]),
            (neck, shoulders[s]),
            (shoulders[s], elbows[s]),
            (elbows[s], wrists[s]),
        ]);
    }
    // Bones that have no joint at their end.
    let mut more = bones.clone();
    more.push((head, DVec3::new(0.0, ground + 0.95 * tall, head.z)));
    for s in 0..2 {
        more.push((ankles[s], ankles[s].with_y(ground)));
        more.push((wrists[s], wrists[s] + 0.6 * (wrists[s] - elbows[s])));
    }
    let (mut all, mut far) = (0u32, 0u32);
    for voxel in half.solid().step_by(7) {
        let centre = half.centre(voxel);
        for x in [centre.x, -centre.x] {
            let p = centre.with_x(x);
            let near = more.iter().any(|&(a, b)| {
                let on = nearest(a, b, p);
                p.distance(on) - 1.6 * half.depth_at(on) <= 0.04 * tall
            });
            all += 1;
            far += u32::from(!near);
        }
    }
    let (mut whole, mut outside) = (0.0, 0.0);
    for &(a, b) in &bones {
        for k in 0..=8 {
            whole += a.distance(b);
            if half.depth_at(a.lerp(b, f64::from(k) / 8.0)) <= 0.0 {
                outside += a.distance(b);
            }
        }
    }
    let arm = |s: usize| shoulders[s].distance(elbows[s]) + elbows[s].distance(wrists[s]);
    let arms = 0.5 * (arm(0) + arm(1)).max(1e-9 * tall);
    let ankle = 0.5 * (ankles[0].y + ankles[1].y);
    let up = (neck.y - ankle).max(1e-3 * tall);
    let leg = 0.5 * (thighs[0].y + thighs[1].y) - ankle;
    let pairs = [shoulders, elbows, wrists, thighs, knees, ankles];
    let uneven = pairs.iter().map(|[l, r]| l.distance(r.with_x(-r.x))).sum::<f64>();
    let uneven = uneven / (pairs.len() as f64 * tall);
    Some(
        10.0 * f64::from(far) / f64::from(all.max(1))
            + 6.0 * outside / f64::max(whole, 1e-9 * tall)
            + 2.0 * (arms / up - 0.62).abs()
            + 4.0 * (0.5 * (shoulders[0].x - shoulders[1].x).abs() / arms - 0.34).abs()
            + 2.0 * (leg / up - 0.58).abs()
            + 2.0 * uneven.max(0.02),
    )
}

fn nearest(a: DVec3, b: DVec3, p: DVec3) -> DVec3 {
    let along = b - a;
    let share = (p - a).dot(along) / along.length_squared().max(f64::MIN_POSITIVE);
    a + along * share.clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use glam::IVec3;

    use super::*;
    use crate::rig::extract::Voxels;

    /// A body of blocks that stands on two legs, with a fin of a length behind and before it.
    fn body(fin: i32) -> Whole {
        let size = IVec3::new(40, 58, 84);
        let mut voxels = Voxels {
            origin: DVec3::new(-20.0, 0.0, -42.0),
            cell: 1.0,
            size,
            solid: vec![false; (size.x * size.y * size.z) as usize],
        };
        for at in 0..voxels.solid.len() {
            let v = voxels.voxel(at);
            let (x, y, z) = ((f64::from(v.x) - 19.5).abs(), v.y, v.z - 42);
            let leg = (1.0..5.0).contains(&x) && (2..26).contains(&y) && (-2..3).contains(&z);
            let foot = (1.0..5.0).contains(&x) && (2..5).contains(&y) && (-2..7).contains(&z);
            let trunk = x < 5.0 && (26..46).contains(&y) && (-3..4).contains(&z);
            let neck = x < 2.0 && (46..48).contains(&y) && (-2..3).contains(&z);
            let head = x < 4.0 && (48..56).contains(&y) && (-3..4).contains(&z);
            let arm = x < 17.0 && (40..44).contains(&y) && (-1..2).contains(&z);
            let finned = x < 3.0 && (30..56).contains(&y) && (-fin..fin - 3).contains(&z);
            voxels.solid[at] = leg || foot || trunk || neck || head || arm || finned;
        }
        let stands = vec![Axes::candidates(&voxels)[0]];
        Whole { voxels, stands }
    }

    /// What extraction takes for a humanoid is none if most of the body is where a humanoid has nothing.
    #[test]
    fn what_is_too_unlike_a_humanoid_is_refused() {
        let plain = body(0);
        let half = Half::of(&plain.voxels, plain.stands[0]).unwrap();
        let found = upright::humanoid(&half).unwrap().body;
        assert!(chosen(Ok(found.clone()), &plain).is_ok());
        let finned = body(38);
        let half = Half::of(&finned.voxels, finned.stands[0]).unwrap();
        let shown = upright::humanoid(&half).unwrap();
        assert!(shown.two_legs, "the rule is asked");
        let refused = chosen(Ok(found), &finned).unwrap_err();
        assert!(refused.to_string().contains("too much of it"), "{refused}");
        let none = TemplateError::OtherBody {
            wanted: "humanoid",
            found: "no pair of arms was found".to_owned(),
        };
        assert_eq!(chosen(Err(none.clone()), &finned).unwrap_err(), none);
    }
}
