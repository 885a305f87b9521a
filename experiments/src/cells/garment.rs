//! Garments over a body, with and without the collision term (section 4.1): how often
//! cloth is inside the body while it walks.

use std::fmt::Write as _;

use anyhow::Context;
use glam::{DAffine3, DVec3, Vec3};
use ligament::bind::cells::FitOptions;
use ligament::bind::{Method, ProximityOptions};
use ligament::character::{Influence, Material, Part, PartAttachment};
use ligament::deform::{Deformed, SkinnedMesh};
use ligament::geometry::WindingTree;
use ligament::task::Task;
use ligament::{Character, Mesh, Weights};
use ligament_io::gltf::GltfFile;
use ligament_render::View;
use ligament_testkit::corpus;

use super::judge::{Judge, sample, short};
use super::picture::{Look, Shot, posed, save};

/// Moments of a walk that cloth is measured in.
const MOMENTS: usize = 64;
/// Of these, the ones in the picture.
const PICTURED: [usize; 4] = [0, 16, 32, 48];

/// A garment, the body under it and a walk.
pub struct Dressed {
    pub character: Character,
    /// The parts of the garment, and the parts under it.
    pub garment: Vec<String>,
    pub body: Vec<String>,
    pub walk: Vec<Vec<DAffine3>>,
}

/// What happens to cloth in the walk.
#[derive(Debug, Clone, Copy)]
pub struct Cloth {
    /// The share of the garment's vertices inside the body that were not at rest, on the
    /// mean over the moments and in the worst.
    pub inside: f64,
    pub worst_inside: f64,
    /// The share of the body's vertices that the garment covers at rest and that stick out of it,
    /// on the mean over the moments.
    pub bare: f64,
    /// The 99th percentile over edges and moments of |ln(posed length / rest length)|.
    pub stretch: f64,
}

impl Dressed {
    /// A sample's garment over its body, with joints of its own.
    pub fn sample(name: &str) -> anyhow::Result<Self> {
        let character = sample(name)?;
        let (garment, rest) = (["skirt", "coat"], "hair");
        let parts = || character.mesh.parts.iter().map(|p| p.name.clone());
        Ok(Self {
            walk: walk(&character, "walk")?,
            garment: parts().filter(|p| garment.contains(&p.as_str())).collect(),
            body: parts()
                .filter(|p| !garment.contains(&p.as_str()) && p != rest)
                .collect(),
            character,
        })
    }

    fn faces(&self, parts: &[String]) -> Vec<[u32; 3]> {
        let mesh = &self.character.mesh;
        let chosen = mesh.parts.iter().filter(|p| parts.contains(&p.name));
        chosen
            .flat_map(|p| mesh.triangles[p.triangles.clone()].iter().copied())
            .collect()
    }

    /// How the garment fares by some weights.
    pub fn fares(&self, weights: &Weights) -> anyhow::Result<Cloth> {
        let mesh = &self.character.mesh;
        let (body, cloth) = (self.faces(&self.body), self.faces(&self.garment));
        let mut vertices: Vec<u32> = cloth.iter().flatten().copied().collect();
        vertices.sort_unstable();
        vertices.dedup();
        let inside = |at: &[Vec3]| -> Vec<bool> {
            let corners: Vec<[DVec3; 3]> = (body.iter())
                .map(|f| f.map(|v| at[v as usize].as_dvec3()))
                .collect();
            let tree = WindingTree::new(&corners);
            let is_inside = |&v: &u32| tree.around(at[v as usize].as_dvec3()) > 0.5;
            vertices.iter().map(is_inside).collect()
        };
        let at_rest = inside(&mesh.positions);
        let cover = Cover::new(mesh, &cloth);
        let covered: Vec<u32> = {
            let mut all: Vec<u32> = body.iter().flatten().copied().collect();
            all.sort_unstable();
            all.dedup();
            let under = cover.covers(&mesh.positions, &all);
            all.into_iter()
                .zip(under)
                .filter_map(|(v, u)| u.then_some(v))
                .collect()
        };
        let mut edges: Vec<[u32; 2]> = cloth
            .iter()
            .flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]])
            .map(|[a, b]| [a.min(b), a.max(b)])
            .collect();
        edges.sort_unstable();
        edges.dedup();
        let length = |at: &[Vec3], [a, b]: [u32; 2]| f64::from(at[a as usize].distance(at[b as usize]));
        let (mut shares, mut bare, mut stretches) = (Vec::new(), Vec::new(), Vec::new());
        for pose in &self.walk {
            let at = posed(&self.character, weights, pose)?.positions;
            let sunk = inside(&at)
                .iter()
                .zip(&at_rest)
                .filter(|(now, rest)| **now && !**rest)
                .count();
            shares.push(sunk as f64 / vertices.len().max(1) as f64);
            let out = cover.covers(&at, &covered).iter().filter(|c| !**c).count();
            bare.push(out as f64 / covered.len().max(1) as f64);
            for &edge in &edges {
                let rest = length(&mesh.positions, edge);
                if rest > 0.0 {
                    stretches.push((length(&at, edge).max(1e-9) / rest).ln().abs());
                }
            }
        }
        stretches.sort_by(f64::total_cmp);
        Ok(Cloth {
            inside: shares.iter().sum::<f64>() / shares.len().max(1) as f64,
            worst_inside: shares.iter().copied().fold(0.0, f64::max),
            bare: bare.iter().sum::<f64>() / bare.len().max(1) as f64,
            stretch: stretches.get(stretches.len() * 99 / 100).copied().unwrap_or(0.0),
        })
    }
}

/// A garment whose openings are closed, each by a fan around its middle.
struct Cover {
    faces: Vec<[u32; 3]>,
    /// Edges around each opening, as faces beyond them would have them.
    openings: Vec<Vec<[u32; 2]>>,
}

impl Cover {
    fn new(mesh: &Mesh, faces: &[[u32; 3]]) -> Self {
        // Vertices at one place are one.
        let mut order: Vec<u32> = faces.iter().flatten().copied().collect();
        let key = |v: u32| mesh.positions[v as usize].to_array().map(f32::to_bits);
        order.sort_unstable_by_key(|&v| (key(v), v));
        order.dedup();
        let mut first: Vec<u32> = (0..mesh.positions.len() as u32).collect();
        for pair in order.windows(2) {
            if key(pair[0]) == key(pair[1]) {
                first[pair[1] as usize] = first[pair[0] as usize];
            }
        }
        let mut edges: Vec<[u32; 2]> = faces
            .iter()
            .map(|f| f.map(|v| first[v as usize]))
            .flat_map(|[a, b, c]| [[a, b], [b, c], [c, a]])
            .collect();
        edges.sort_unstable();
        let open: Vec<[u32; 2]> = (edges.iter())
            .map(|&[a, b]| [b, a])
            .filter(|back| edges.binary_search(back).is_err())
            .collect();
        // Edges that meet are around the same opening.
        let mut openings: Vec<Vec<[u32; 2]>> = Vec::new();
        for edge in open {
            let (meeting, mut apart): (Vec<_>, Vec<_>) = std::mem::take(&mut openings)
                .into_iter()
                .partition(|o| o.iter().flatten().any(|v| edge.contains(v)));
            let mut joined: Vec<[u32; 2]> = meeting.into_iter().flatten().collect();
            joined.push(edge);
            apart.push(joined);
            openings = apart;
        }
        Self {
            faces: faces.to_vec(),
            openings,
        }
    }

    /// Which vertices are under it.
    fn covers(&self, at: &[Vec3], vertices: &[u32]) -> Vec<bool> {
        let place = |v: u32| at[v as usize].as_dvec3();
        let mut corners: Vec<[DVec3; 3]> = self.faces.iter().map(|f| f.map(place)).collect();
        for opening in &self.openings {
            let middle = opening.iter().map(|e| place(e[0])).sum::<DVec3>() / opening.len() as f64;
            corners.extend(opening.iter().map(|&[a, b]| [place(a), place(b), middle]));
        }
        let tree = WindingTree::new(&corners);
        let winding = vertices.iter().map(|&v| tree.around(place(v)));
        winding.map(|w| w.abs() > 0.5).collect()
    }
}

/// Moments of the clip whose name has a word in it.
fn walk(character: &Character, word: &str) -> anyhow::Result<Vec<Vec<DAffine3>>> {
    let clip = character
        .clips
        .iter()
        .find(|c| c.name.contains(word))
        .with_context(|| format!("{} has no clip called {word}", character.name))?;
    let (start, end) = clip.span_secs();
    let at = |i: usize| start + (end - start) * i as f32 / MOMENTS as f32;
    Ok((0..MOMENTS)
        .map(|i| {
            clip.pose_at(&character.skeleton, at(i))
                .world_from_bind(&character.skeleton)
        })
        .collect())
}

/// The corpus's long skirt. Its legs were never modelled under it: those of another
/// character of the same makers, whose joints have the same names, are put in place by
/// its own weights.
pub fn long_skirt() -> anyhow::Result<Option<Dressed>> {
    let Some(folder) = corpus() else { return Ok(None) };
    let open =
        |name: &str| GltfFile::open(&folder.join("open").join(name)).map(|f| f.character().as_ref().clone());
    let mut lady = open("rocketbox_female_longskirt_10.glb")?;
    let lender = open("rocketbox_male_adult_01.glb")?;
    let weights = lender.weights.as_ref().context("the lender has weights")?;
    let joint_of: Vec<_> = lender
        .skeleton
        .joints
        .iter()
        .map(|j| lady.skeleton.find(&j.name))
        .collect();
    // From his bind pose to hers.
    let moves: Vec<DAffine3> = lender
        .skeleton
        .joints
        .iter()
        .zip(&joint_of)
        .map(|(his, hers)| {
            hers.map_or(DAffine3::IDENTITY, |hers| {
                lady.skeleton.joint(hers).bind_from_joint * his.bind_from_joint.inverse()
            })
        })
        .collect();
    let Deformed { positions, .. } = SkinnedMesh::new(&lender.mesh, weights)?.linear_blend(&moves)?;
    let is_leg = |v: u32| {
        let strongest = weights.of_vertex(v as usize)[0].joint;
        let name = &lender.skeleton.joint(strongest).name;
        ["Thigh", "Calf"].iter().any(|leg| name.contains(leg))
    };
    let legs: Vec<[u32; 3]> = (lender.mesh.triangles.iter().copied())
        .filter(|f| f.iter().all(|&v| is_leg(v)))
        .collect();
    let mut rows: Vec<Vec<Influence>> = lady
        .weights
        .as_ref()
        .context("the lady has weights")?
        .iter()
        .map(<[Influence]>::to_vec)
        .collect();
    let mut numbers = vec![None; positions.len()];
    let (first_vertex, first_face) = (lady.mesh.positions.len(), lady.mesh.triangles.len());
    for face in &legs {
        let corners = face.map(|v| {
            *numbers[v as usize].get_or_insert_with(|| {
                lady.mesh.positions.push(positions[v as usize]);
                let of = weights.of_vertex(v as usize).iter();
                rows.push(
                    of.filter_map(|i| {
                        joint_of[i.joint.at()].map(|joint| Influence {
                            joint,
                            weight: i.weight,
                        })
                    })
                    .collect(),
                );
                (lady.mesh.positions.len() - 1) as u32
            })
        });
        lady.mesh.triangles.push(corners);
    }
    lady.mesh.parts.push(Part {
        name: "legs".to_owned(),
        vertices: first_vertex..lady.mesh.positions.len(),
        triangles: first_face..lady.mesh.triangles.len(),
        material: Material {
            base_color: [0.75, 0.52, 0.40, 1.0],
            ..lady.mesh.parts[0].material.clone()
        },
        attachment: PartAttachment::Skin,
        joints: None,
    });
    lady.mesh = Mesh {
        normals: None,
        colors: None,
        corner_uvs: None,
        ..lady.mesh
    };
    lady.mesh.check()?;
    lady.weights = Some(Weights::new(rows.iter().map(Vec::as_slice))?);
    let garment = vec![lady.mesh.parts[0].name.clone()];
    Ok(Some(Dressed {
        walk: walk(&lady, "walk")?,
        garment,
        body: vec!["legs".to_owned()],
        character: lady,
    }))
}

pub fn run() -> anyhow::Result<String> {
    let mut text = String::from(
        "*Inside*: the share of the garment's vertices that are inside the body, and were not at rest, over 64 moments of a walk: \
         the mean, and the worst moment. Fits do not see the walk, but where the row says so. *Bare*: the share of the body's vertices \
         that the garment covers at rest, its openings closed, and that stick out of it in the walk. *Stretch*: the 99th percentile \
         over its edges of |ln(length / length at rest)|. The samples' garments have joints of their own, which the walk drives by the \
         legs. The long skirt of the corpus has no joints of its own and no legs under it: those of `rocketbox_male_adult_01` are put \
         there by his weights.\n\n\
         | garment | weights | inside | worst | bare | stretch | seconds |\n|---|---|---|---|---|---|---|\n",
    );
    let mut subjects = vec![
        ("sample:skirt", "sample", Dressed::sample("skirt@3000")?),
        ("sample:coat", "coat", Dressed::sample("coat@3000")?),
    ];
    match long_skirt()? {
        Some(dressed) => subjects.push(("rocketbox_female_longskirt_10", "corpus", dressed)),
        None => eprintln!("the corpus's long skirt is left out"),
    }
    for (name, file, dressed) in &subjects {
        let without_clips = Character {
            clips: Vec::new(),
            ..dressed.character.clone()
        };
        let judge = Judge::new(&without_clips)?;
        let with_clips = Judge::new(&dressed.character)?;
        let cells = FitOptions::default();
        let with_body = FitOptions {
            body: dressed.body.clone(),
            ..cells.clone()
        };
        let mut rows: Vec<(&str, Weights, f64)> = Vec::new();
        if let Some(artist) = &dressed.character.weights {
            rows.push(("artist", artist.clone(), 0.0));
        }
        let voxel = judge.bound("voxel", super::judge::INFLUENCES)?;
        rows.push(("voxel", voxel.value, voxel.seconds));
        let proximity = Method::Closest(ProximityOptions { power: 3.5 });
        let proximity = proximity.bind(&judge.domain.skin, &judge.options, &Task::unattended())?;
        rows.push(("proximity", proximity.weights, 0.0));
        for (label, judge, options) in [
            ("cells", &judge, &cells),
            ("cells, collision", &judge, &with_body),
            (
                "cells, collision, every second pose of the clips",
                &with_clips,
                &with_body,
            ),
        ] {
            eprintln!("{name}: {label}");
            let fitted = judge.fitted(options)?;
            rows.push((label, judge.weights_of(&fitted.value)?, fitted.seconds));
        }
        for (label, weights, seconds) in &rows {
            let cloth = dressed.fares(weights)?;
            writeln!(
                text,
                "| {name} | {label} | {:.2} % | {:.2} % | {:.1} % | {} | {seconds:.1} |",
                100.0 * cloth.inside,
                100.0 * cloth.worst_inside,
                100.0 * cloth.bare,
                short(cloth.stretch)
            )?;
        }
        let mut shots = Vec::new();
        let pictured = ["artist", "cells", "cells, collision"];
        for (label, weights, _) in rows.iter().filter(|r| pictured.contains(&r.0)) {
            for moment in PICTURED {
                shots.push(Shot {
                    character: &dressed.character,
                    weights,
                    world_from_bind: &dressed.walk[moment],
                    caption: (*label).to_owned(),
                    painted: false,
                });
            }
        }
        let look = Look {
            view: View::Angles { yaw: 0.6, pitch: 0.1 },
            size: (180, 245),
            columns: PICTURED.len(),
            framed: 0.0..0.62,
        };
        save(&shots, &look, &format!("cells-garment-{file}.png"))?;
        writeln!(text)?;
    }
    // A blank line between rows would end the table.
    let mut text = text.replace("|\n\n|", "|\n|");
    for (name, file, dressed) in &subjects {
        let artist = match dressed.character.weights {
            Some(_) => "the artist's weights, ",
            None => "",
        };
        writeln!(
            text,
            "\n![{name} walking, from above: {artist}cells without and with the collision term](../images/cells-garment-{file}.png)"
        )?;
    }
    Ok(text)
}
