//! Whatever textures do to vertices on the way to glTF, numbers of vertices are the source's.

use serde_json::Value;

use crate::run;

/// Rings of four vertices along Y, each with its position, and the quads between them.
struct Tube {
    positions: Vec<[f64; 3]>,
    quads: Vec<[usize; 4]>,
    /// For each corner of each quad, on a texture whose seam runs along one edge.
    uvs: Vec<[[f64; 2]; 4]>,
}

const RINGS: usize = 5;

fn tube() -> Tube {
    let (mut positions, mut quads, mut uvs) = (Vec::new(), Vec::new(), Vec::new());
    for ring in 0..=RINGS {
        for [x, z] in [[-0.1, -0.1], [0.1, -0.1], [0.1, 0.1], [-0.1, 0.1]] {
            positions.push([x, 0.2 * ring as f64, z]);
        }
    }
    for ring in 0..RINGS {
        for side in 0..4 {
            let (a, b) = (4 * ring + side, 4 * ring + (side + 1) % 4);
            quads.push([a, a + 4, b + 4, b]);
            let (u, v) = (side as f64 / 4.0, ring as f64 / RINGS as f64);
            let (s, t) = (u + 0.25, v + 0.2);
            uvs.push([[u, v], [u, t], [s, t], [s, v]]);
        }
    }
    Tube {
        positions,
        quads,
        uvs,
    }
}

fn joined<T: ToString>(values: impl IntoIterator<Item = T>) -> String {
    let words: Vec<String> = values.into_iter().map(|v| v.to_string()).collect();
    words.join(",")
}

impl Tube {
    fn triangles(&self) -> Vec<[usize; 3]> {
        let halves = |&[a, b, c, d]: &[usize; 4]| [[a, b, c], [a, c, d]];
        self.quads.iter().flat_map(halves).collect()
    }

    fn lines(&self) -> String {
        let line = |p: &[f64; 3]| format!("{} {} {}\n", p[0], p[1], p[2]);
        self.positions.iter().map(line).collect()
    }

    fn faces(&self) -> String {
        let line = |t: &[usize; 3]| format!("3 {} {} {}\n", t[0], t[1], t[2]);
        self.triangles().iter().map(line).collect()
    }

    fn obj(&self) -> String {
        let mut text: String = self
            .positions
            .iter()
            .map(|p| format!("v {} {} {}\n", p[0], p[1], p[2]))
            .collect();
        let mut corner = 0;
        for (quad, uvs) in self.quads.iter().zip(&self.uvs) {
            let mut face = String::from("f");
            for (vertex, uv) in quad.iter().zip(uvs) {
                corner += 1;
                text.push_str(&format!("vt {} {}\n", uv[0], uv[1]));
                face.push_str(&format!(" {}/{corner}", vertex + 1));
            }
            text.push_str(&format!("{face}\n"));
        }
        text
    }

    fn off(&self) -> String {
        let (vertices, faces) = (self.positions.len(), 2 * self.quads.len());
        format!("OFF\n{vertices} {faces} 0\n{}{}", self.lines(), self.faces())
    }

    fn ply(&self) -> String {
        format!(
            "ply\nformat ascii 1.0\nelement vertex {}\nproperty float x\nproperty float y\nproperty float z\n\
             element face {}\nproperty list uchar int vertex_indices\nend_header\n{}{}",
            self.positions.len(),
            2 * self.quads.len(),
            self.lines(),
            self.faces()
        )
    }

    fn medit(&self) -> String {
        let vertex = |p: &[f64; 3]| format!("{} {} {} 0\n", p[0], p[1], p[2]);
        let face = |t: &[usize; 3]| format!("{} {} {} 0\n", t[0] + 1, t[1] + 1, t[2] + 1);
        format!(
            "MeshVersionFormatted 1\nDimension 3\nVertices\n{}\n{}Triangles\n{}\n{}End\n",
            self.positions.len(),
            self.positions.iter().map(vertex).collect::<String>(),
            2 * self.quads.len(),
            self.triangles().iter().map(face).collect::<String>()
        )
    }

    /// STL has corners only; its vertices are its different positions, in their first order.
    fn stl(&self) -> (String, Vec<[f64; 3]>) {
        let mut text = String::from("solid tube\n");
        let mut order: Vec<[f64; 3]> = Vec::new();
        for triangle in self.triangles() {
            text.push_str("facet normal 0 0 0\nouter loop\n");
            for vertex in triangle {
                let p = self.positions[vertex];
                if !order.contains(&p) {
                    order.push(p);
                }
                text.push_str(&format!("vertex {} {} {}\n", p[0], p[1], p[2]));
            }
            text.push_str("endloop\nendfacet\n");
        }
        (format!("{text}endsolid tube\n"), order)
    }

    fn usda(&self) -> String {
        let tuple = |v: &[f64]| format!("({})", joined(v));
        let points: Vec<String> = self.positions.iter().map(|p| tuple(p)).collect();
        let uvs: Vec<String> = self.uvs.iter().flatten().map(|uv| tuple(uv)).collect();
        format!(
            "#usda 1.0\n(\n upAxis = \"Y\"\n metersPerUnit = 1\n)\ndef Mesh \"tube\"\n{{\n\
             int[] faceVertexCounts = [{}]\nint[] faceVertexIndices = [{}]\npoint3f[] points = [{}]\n\
             texCoord2f[] primvars:st = [{}] (\n interpolation = \"faceVarying\"\n)\n}}\n",
            joined(self.quads.iter().map(|_| 4)),
            joined(self.quads.iter().flatten()),
            points.join(","),
            uvs.join(",")
        )
    }

    /// Metres, Y up, and texture coordinates at corners.
    fn fbx(&self) -> String {
        let list = |n: usize, values: String| format!("*{n} {{ a: {values} }}");
        let corners: Vec<i64> = self
            .quads
            .iter()
            .flat_map(|q| [q[0] as i64, q[1] as i64, q[2] as i64, -(q[3] as i64) - 1])
            .collect();
        let uvs: Vec<f64> = self.uvs.iter().flatten().flatten().copied().collect();
        let integer = |name: &str, value: i32| format!("P: \"{name}\", \"int\", \"Integer\", \"\",{value}\n");
        format!(
            "; FBX 7.4.0 project file\nFBXHeaderExtension: {{\nFBXHeaderVersion: 1003\nFBXVersion: 7400\n}}\n\
             GlobalSettings: {{\nVersion: 1000\nProperties70: {{\n{}{}{}{}{}{}P: \"UnitScaleFactor\", \"double\", \"Number\", \"\",100\n}}\n}}\n\
             Objects: {{\nGeometry: 10, \"Geometry::tube\", \"Mesh\" {{\nVertices: {}\nPolygonVertexIndex: {}\nGeometryVersion: 124\n\
             LayerElementUV: 0 {{\nVersion: 101\nName: \"map\"\nMappingInformationType: \"ByPolygonVertex\"\n\
             ReferenceInformationType: \"Direct\"\nUV: {}\n}}\n\
             Layer: 0 {{\nVersion: 100\nLayerElement: {{\nType: \"LayerElementUV\"\nTypedIndex: 0\n}}\n}}\n}}\n\
             Model: 11, \"Model::tube\", \"Mesh\" {{\nVersion: 232\n}}\n}}\n\
             Connections: {{\nC: \"OO\",11,0\nC: \"OO\",10,11\n}}\n",
            integer("UpAxis", 1),
            integer("UpAxisSign", 1),
            integer("FrontAxis", 2),
            integer("FrontAxisSign", 1),
            integer("CoordAxis", 0),
            integer("CoordAxisSign", 1),
            list(3 * self.positions.len(), joined(self.positions.iter().flatten())),
            list(corners.len(), joined(&corners)),
            list(uvs.len(), joined(&uvs)),
        )
    }
}

fn ok(args: &[&str]) -> Vec<u8> {
    let output = run(args);
    assert!(
        output.status.success(),
        "{args:?}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    output.stdout
}

fn points(positions: &[[f64; 3]]) -> String {
    let line = |p: &[f64; 3]| format!("{} {} {}\n", p[0], p[1], p[2]);
    positions.iter().map(line).collect()
}

#[test]
fn a_field_gives_a_row_for_each_vertex_of_the_source_in_every_format() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let field = path("tube.cells");
    ok(&[
        "field",
        "fit",
        "sample:tube@200",
        "--steps",
        "5",
        "-o",
        &field,
        "--quiet",
    ]);
    let tube = tube();
    let (stl, stl_order) = tube.stl();
    for (name, text) in [
        ("t.obj", tube.obj()),
        ("t.off", tube.off()),
        ("t.ply", tube.ply()),
        ("t.mesh", tube.medit()),
        ("t.stl", stl),
        ("t.usda", tube.usda()),
        ("t.fbx", tube.fbx()),
    ] {
        std::fs::write(path(name), text).unwrap();
    }
    std::fs::write(path("own.xyz"), points(&tube.positions)).unwrap();
    std::fs::write(path("stl.xyz"), points(&stl_order)).unwrap();
    // What is glTF keeps its own vertices: those of the OBJ without texture.
    for name in ["t.glb", "t.gltf"] {
        ok(&["convert", &path("t.ply"), "-o", &path(name), "--quiet"]);
    }
    ok(&["convert", &path("t.usda"), "-o", &path("t.usdc"), "--quiet"]);
    let rows = |input: &str| {
        let output = path("rows.csv");
        ok(&["field", "eval", &field, &path(input), "-o", &output, "--quiet"]);
        std::fs::read_to_string(output).unwrap()
    };
    let own = rows("own.xyz");
    for name in [
        "t.obj", "t.off", "t.ply", "t.mesh", "t.usda", "t.fbx", "t.glb", "t.gltf",
    ] {
        assert_eq!(rows(name), own, "{name}");
    }
    assert_eq!(rows("t.stl"), rows("stl.xyz"));
    // Written here, a layer has the document's vertices, which are then its own.
    let usdc: Value = serde_json::from_slice(&ok(&["inspect", &path("t.usdc"), "--json"])).unwrap();
    let split = usdc["mesh"]["vertices"].as_u64().unwrap();
    assert!(
        split > tube.positions.len() as u64,
        "the seam splits vertices: {split}"
    );
}

/// For each vertex its joints and their weights, from a CSV of weights.
fn rows_of(csv: &str) -> Vec<Vec<(String, f64)>> {
    let mut rows = Vec::new();
    for line in csv.lines().skip(1) {
        let words: Vec<&str> = line.split(',').collect();
        let vertex: usize = words[0].parse().unwrap();
        rows.resize(rows.len().max(vertex + 1), Vec::new());
        rows[vertex].push((words[1].to_owned(), words[2].parse().unwrap()));
    }
    rows
}

#[test]
fn vertex_sets_and_edits_count_the_sources_vertices() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let tube = tube();
    std::fs::write(path("t.obj"), tube.obj()).unwrap();
    std::fs::write(path("t.tgf"), "1 0 0 0\n2 0 0.5 0\n3 0 1 0\n#\n1 2\n2 3\n").unwrap();
    let (mesh, skeleton, regions) = (path("t.obj"), path("t.tgf"), path("regions.json"));
    let csv = path("w.csv");
    let bind = |vertices: &[usize]| {
        let region = serde_json::json!([{"of": {"vertices": vertices}, "drivers": ["joint1"]}]);
        std::fs::write(&regions, region.to_string()).unwrap();
        run(&[
            "bind",
            &mesh,
            "--skeleton",
            &skeleton,
            "--method",
            "closest",
            "--regions",
            &regions,
            "-o",
            &csv,
            "--quiet",
        ])
    };
    // The top ring's first vertex, which the seam splits, and the last one.
    let last = tube.positions.len() - 1;
    let output = bind(&[last - 3, last]);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{said}");
    let rows = rows_of(&std::fs::read_to_string(&csv).unwrap());
    assert_eq!(rows.len(), tube.positions.len());
    let lowest = |vertex: usize| rows[vertex] == [("joint1".to_owned(), 1.0)];
    assert!(lowest(last - 3) && lowest(last) && !lowest(last - 1), "{rows:?}");

    let output = bind(&[last + 1]);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains(&format!("the last one is {last}")), "{said}");

    let script = path("script.json");
    std::fs::write(
        &script,
        r#"[{"command": "move_joint", "joint": "joint2", "by": [0, 0.2, 0]}]"#,
    )
    .unwrap();
    let report = ok(&[
        "edit",
        &mesh,
        &script,
        "--skeleton",
        &skeleton,
        "-o",
        &path("e.glb"),
        "--json",
    ]);
    let report: Value = serde_json::from_slice(&report).unwrap();
    let changed = report["steps"][0]["changed_vertices"].as_array().unwrap();
    assert!(!changed.is_empty() && changed.iter().all(|v| v.as_u64().unwrap() <= last as u64));
    assert!(report["vertices"].as_u64().unwrap() > tube.positions.len() as u64);
}

/// A glTF file whose joints are bare nodes: that they were guessed is told, also where the
/// file is only asked for its skeleton.
#[test]
fn what_is_found_in_a_skeletons_file_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    std::fs::write(path("t.obj"), tube().obj()).unwrap();
    let nodes = serde_json::json!({
        "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}],
        "nodes": [
            {"name": "low", "children": [1]},
            {"name": "middle", "translation": [0, 0.5, 0], "children": [2]},
            {"name": "high", "translation": [0, 0.5, 0]},
        ],
    });
    std::fs::write(path("bare.gltf"), nodes.to_string()).unwrap();
    let args = [
        "inspect",
        &path("t.obj"),
        "--skeleton",
        &path("bare.gltf"),
        "--json",
    ];
    let report: Value = serde_json::from_slice(&ok(&args)).unwrap();
    let codes: Vec<&str> = report["file_warnings"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|w| w["code"].as_str())
        .collect();
    assert!(codes.contains(&"guessed_skeleton"), "{codes:?}");
}
