//! Ways to spoil an artist's weights, each the same on every run.

use ligament::character::{Character, Influence, JointIndex, Skeleton, Weights};
use ligament::geometry::Weld;
use ligament::measure::Measure;
use ligament_testkit::Random;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Corruption {
    /// A limb follows the limb on the other side, and that one follows it.
    LimbSwapped,
    /// Every position gets up to half of its weight on a neighbour of its joint, by chance.
    Noise,
    /// Copies along seams of a limb get other weights than their originals.
    SeamTorn,
    /// A leg gets a third of its weight on the other leg.
    BleedToOtherLeg,
    /// Every vertex follows its strongest joint alone.
    AllRigid,
}

impl Corruption {
    pub const ALL: [Self; 5] = [
        Self::LimbSwapped,
        Self::Noise,
        Self::SeamTorn,
        Self::BleedToOtherLeg,
        Self::AllRigid,
    ];

    /// The measure that must find it.
    pub fn meant_for(self) -> Measure {
        match self {
            Self::LimbSwapped | Self::BleedToOtherLeg => Measure::Bleed,
            Self::Noise => Measure::Roughness,
            Self::SeamTorn => Measure::Tearing,
            Self::AllRigid => Measure::HardEdges,
        }
    }

    /// The corrupted weights; `None` where a character has nothing to corrupt that way (no
    /// pair of limbs, no seam, no vertex of two joints).
    pub fn of(self, character: &Character, weights: &Weights, seed: u64) -> Option<Weights> {
        let skeleton = &character.skeleton;
        match self {
            Self::LimbSwapped => {
                let limbs = limbs(character, weights, 0.0)?;
                Some(changed(weights, |_, influences| {
                    for i in influences.iter_mut() {
                        i.joint = limbs.across(i.joint).unwrap_or(i.joint);
                    }
                }))
            }
            Self::BleedToOtherLeg => {
                let limbs = limbs(character, weights, -1.0).filter(|l| l.mirrored)?;
                Some(changed(weights, |_, influences| {
                    let bled: Vec<Influence> = influences
                        .iter()
                        .filter(|i| limbs.one.contains(&i.joint))
                        .filter_map(|i| {
                            Some(Influence {
                                joint: limbs.across(i.joint)?,
                                weight: i.weight / 2.0,
                            })
                        })
                        .collect();
                    influences.extend(bled);
                }))
            }
            Self::Noise => {
                let weld = Weld::of(&character.mesh);
                let neighbours = neighbours(skeleton, weights);
                let mut random = Random(seed);
                let chances: Vec<(f32, u64)> = (0..weld.point_count())
                    .map(|_| (random.below(1000) as f32 / 1000.0, random.next()))
                    .collect();
                Some(changed(weights, |v, influences| {
                    let (amount, pick) = chances[weld.point_of_vertex[v] as usize];
                    let near = &neighbours[influences[0].joint.at()];
                    if !near.is_empty() {
                        mix(influences, near[pick as usize % near.len()], 0.5 * amount);
                    }
                }))
            }
            Self::SeamTorn => {
                let weld = Weld::of(&character.mesh);
                let limbs = limbs(character, weights, 1.0);
                let mut torn = 0;
                let neighbours = neighbours(skeleton, weights);
                let spoiled = changed(weights, |v, influences| {
                    let copy = weld.first_vertex[weld.point_of_vertex[v] as usize] as usize != v;
                    let in_limb = limbs
                        .as_ref()
                        .is_none_or(|l| l.one.contains(&influences[0].joint));
                    if copy
                        && in_limb
                        && let Some(&near) = neighbours[influences[0].joint.at()].first()
                    {
                        mix(influences, near, 0.4);
                        torn += 1;
                    }
                });
                (torn > 0).then_some(spoiled)
            }
            Self::AllRigid => Some(weights.limited(1)),
        }
    }
}

fn changed(weights: &Weights, mut change: impl FnMut(usize, &mut Vec<Influence>)) -> Weights {
    let lists: Vec<Vec<Influence>> = weights
        .iter()
        .enumerate()
        .map(|(v, influences)| {
            let mut list = influences.to_vec();
            change(v, &mut list);
            list
        })
        .collect();
    Weights::new(lists.iter().map(Vec::as_slice)).unwrap()
}

fn mix(influences: &mut Vec<Influence>, joint: JointIndex, amount: f32) {
    for i in influences.iter_mut() {
        i.weight *= 1.0 - amount;
    }
    influences.push(Influence {
        joint,
        weight: amount,
    });
}

/// For each joint with weight its parent and children with weight.
fn neighbours(skeleton: &Skeleton, weights: &Weights) -> Vec<Vec<JointIndex>> {
    let mut used = vec![false; skeleton.joints.len()];
    for i in weights.influences() {
        used[i.joint.at()] = true;
    }
    let children = skeleton.skin_children();
    skeleton
        .indices()
        .map(|j| {
            let around = skeleton
                .skin_parent(j)
                .into_iter()
                .chain(children[j.at()].iter().copied());
            around.filter(|n| used[n.at()]).collect()
        })
        .collect()
}

/// Two limbs that answer to each other.
pub struct Limbs {
    pub one: Vec<JointIndex>,
    pub other: Vec<JointIndex>,
    /// Whether they are left and right.
    pub mirrored: bool,
}

impl Limbs {
    /// The joint on the other side.
    pub fn across(&self, joint: JointIndex) -> Option<JointIndex> {
        let over = |from: &[JointIndex], to: &[JointIndex]| {
            let k = from.iter().position(|&j| j == joint)?;
            Some(to[k.min(to.len() - 1)])
        };
        over(&self.one, &self.other).or_else(|| over(&self.other, &self.one))
    }
}

/// A joint and all below it, parents first.
fn subtree(skeleton: &Skeleton, top: JointIndex) -> Vec<JointIndex> {
    let mut inside = vec![false; skeleton.joints.len()];
    inside[top.at()] = true;
    for j in skeleton.indices() {
        if let Some(p) = skeleton.joint(j).parent {
            inside[j.at()] |= inside[p.at()];
        }
    }
    skeleton.indices().filter(|j| inside[j.at()]).collect()
}

/// The pair of mirrored limbs with most weight, those that are high preferred with a
/// positive `height`, low with a negative one; where nothing is mirrored, two branches of
/// one joint.
pub fn limbs(character: &Character, weights: &Weights, height: f64) -> Option<Limbs> {
    let skeleton = &character.skeleton;
    let mut mass = vec![0.0; skeleton.joints.len()];
    let carried = character.mesh.rigid_joint_of_vertices();
    for (influences, _) in weights.iter().zip(&carried).filter(|(_, c)| c.is_none()) {
        for i in influences {
            mass[i.joint.at()] += f64::from(i.weight);
        }
    }
    let total: f64 = mass.iter().sum();
    let joints: Vec<JointIndex> = skeleton
        .indices()
        .filter(|&j| skeleton.joint(j).in_skin)
        .collect();
    let place = |j: JointIndex| skeleton.bind_position(j);
    let middle = place(*joints.first()?).x;
    let reach = 0.02 * f64::from(character.mesh.diagonal());
    let (low, high) = character.mesh.bounds();
    let mut best: Option<(f64, Limbs)> = None;
    for (k, &a) in joints.iter().enumerate() {
        for &b in &joints[k + 1..] {
            let mut image = place(a);
            image.x = 2.0 * middle - image.x;
            let mirrored = place(b).distance(image) < reach && place(a).distance(place(b)) > 2.0 * reach;
            let siblings = skeleton.skin_parent(a) == skeleton.skin_parent(b);
            if !mirrored && !siblings {
                continue;
            }
            let (one, other) = (subtree(skeleton, a), subtree(skeleton, b));
            if one.iter().any(|j| other.contains(j)) {
                continue;
            }
            let held = |limb: &[JointIndex]| limb.iter().map(|j| mass[j.at()]).sum::<f64>() / total;
            let (least, most) = (held(&one).min(held(&other)), held(&one).max(held(&other)));
            if !(0.02..=0.4).contains(&most) || least < 0.02 {
                continue;
            }
            let up = (place(a).y - f64::from(low.y)) / f64::from(high.y - low.y).max(1e-9);
            let score = least + if mirrored { 10.0 } else { 0.0 } + 0.3 * height * up;
            if best.as_ref().is_none_or(|(s, _)| score > *s) {
                best = Some((score, Limbs { one, other, mirrored }));
            }
        }
    }
    best.map(|(_, limbs)| limbs)
}
