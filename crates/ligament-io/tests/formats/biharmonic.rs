//! Biharmonic weights on voxels against libigl's reference weights on tetrahedra.

use std::path::Path;

use glam::DVec3;
use ligament::bind::biharmonic::BiharmonicField;
use ligament::character::BoneShape;
use ligament::geometry::WeldedMesh;
use ligament::solid::{Grid, Solid, SolidOptions};
use ligament::task::Task;
use ligament_io::open::{Opened, open};
use ligament_io::weights::dmat;
use ligament_testkit::corpus;

/// The bone edges of a TGF in the file's order: a column of the reference each.
fn bones(path: &Path) -> Vec<Vec<BoneShape>> {
    let text = String::from_utf8_lossy(&std::fs::read(path).unwrap()).into_owned();
    let mut sections = text.split('#');
    let mut rows = || -> Vec<Vec<f64>> {
        let lines = sections.next().unwrap().lines();
        let row = |l: &str| l.split_whitespace().map(|n| n.parse().unwrap()).collect();
        lines.map(row).filter(|r: &Vec<f64>| !r.is_empty()).collect()
    };
    let points: Vec<DVec3> = rows().iter().map(|r| DVec3::from_slice(&r[1..])).collect();
    let bone = |edge: &Vec<f64>| BoneShape::Segment {
        head: points[edge[0] as usize - 1],
        tail: points[edge[1] as usize - 1],
    };
    rows().iter().map(|edge| vec![bone(edge)]).collect()
}

/// The mean of ½Σ|w − w*| over the vertices.
fn disagreement(folder: &Path, name: &str, resolution: u32, sparse: bool) -> f64 {
    let file = |end: &str| folder.join(format!("meshes/libigl_{name}{end}"));
    let Opened::Imported(opened) = open(&file(".obj")).unwrap() else {
        panic!("an OBJ is imported")
    };
    let mesh = opened.character.mesh;
    let reference = dmat::read_matrix(&std::fs::read(file("-weights.dmat")).unwrap()).unwrap();
    let bones = bones(&file(".tgf"));
    assert_eq!(
        (reference.rows, reference.columns),
        (mesh.positions.len(), bones.len())
    );
    let task = Task::unattended();
    // So coarse that the elephant's legs share voxels where one lies between them.
    let surface = WeldedMesh::of(&mesh);
    let grid = Grid::in_pairs(&surface.points, resolution);
    let solid = Solid::within(&surface, grid, &SolidOptions::default(), &task).unwrap();
    let field = BiharmonicField::of(&solid, &bones, sparse, &task).unwrap();
    let of_vertex = |(vertex, p): (usize, &glam::Vec3)| {
        let difference =
            |(bone, w): (usize, &f64)| (w - reference.values[bone * reference.rows + vertex].max(0.0)).abs();
        field
            .at(p.as_dvec3())
            .iter()
            .enumerate()
            .map(difference)
            .sum::<f64>()
            / 2.0
    };
    mesh.positions.iter().enumerate().map(of_vertex).sum::<f64>() / mesh.positions.len() as f64
}

/// The arm's reference is met. The elephant's is 0.043 at least from anything symmetric, as
/// the character nearly is, and libigl itself does not meet it again: docs/lab/biharmonic.md.
#[test]
fn weights_agree_with_reference_solutions_on_tetrahedra() {
    let Some(folder) = corpus() else { return };
    for (name, resolution, most) in [("arm", 64, 0.035), ("elephant", 40, 0.12)] {
        let mean = disagreement(&folder, name, resolution, true);
        assert!(mean < most, "{name} at {resolution}: {mean}");
    }
}
