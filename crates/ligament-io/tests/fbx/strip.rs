//! A small FBX file as text: a strip of two bones in centimetres with Z up.
//!
//! It stands on the ground, 2.2 m high, and faces the file's front (-Y). The upper bone
//! has a pre-rotation, so that its curve turns it about another axis than its own name
//! says. A helmet with a geometric translation hangs on the upper bone.

use glam::{DAffine3, DVec3};

/// One second in FBX's ticks.
const SECOND: i64 = 46_186_158_000;

/// What can be different from file to file.
pub struct Strip {
    /// The upper bone's rotation when nothing is animated, in degrees about its own X.
    pub rest_degrees: f64,
    /// Where the file says that the bones were at bind time; nonsense if false.
    pub sound_links: bool,
    /// `(vertex, weight)` of the lower and the upper bone.
    pub weights: [Vec<(usize, f64)>; 2],
    /// Whether the meshes are there.
    pub meshes: bool,
    /// Whether the bones say that they are bones, and a skin names them.
    pub bones: bool,
    /// The scale of the lower bone, and whether the upper one inherits it.
    pub scale: ([f64; 3], bool),
    /// `UpAxis`, `FrontAxis` and its sign, `CoordAxis` sign.
    pub axes: [i32; 4],
    /// Centimetres in a unit.
    pub unit: f64,
}

impl Default for Strip {
    fn default() -> Self {
        Self {
            rest_degrees: 0.0,
            sound_links: true,
            weights: [
                vec![(0, 1.0), (1, 1.0), (2, 0.75), (3, 0.5)],
                vec![(2, 0.25), (3, 0.5), (4, 1.0), (5, 1.0), (6, 1.0)],
            ],
            meshes: true,
            bones: true,
            scale: ([1.0; 3], true),
            axes: [2, 1, -1, 1],
            unit: 1.0,
        }
    }
}

/// The strip's vertices as the file has them.
pub const VERTICES: [[f64; 3]; 7] = [
    [-10.0, 0.0, 0.0],
    [10.0, 0.0, 0.0],
    [-10.0, 0.0, 100.0],
    [10.0, 0.0, 100.0],
    [-10.0, 0.0, 200.0],
    [10.0, 0.0, 200.0],
    [0.0, 0.0, 220.0],
];

fn numbers<T: ToString>(values: impl IntoIterator<Item = T>) -> String {
    let all: Vec<String> = values.into_iter().map(|v| v.to_string()).collect();
    format!("*{} {{ a: {} }}", all.len(), all.join(","))
}

fn matrix(m: DAffine3) -> String {
    numbers(glam::DMat4::from(m).to_cols_array())
}

fn vector(name: &str, v: [f64; 3]) -> String {
    format!(
        "P: \"{name}\", \"Vector3D\", \"Vector\", \"\",{},{},{}\n",
        v[0], v[1], v[2]
    )
}

fn model(id: u32, name: &str, kind: &str, properties: &str) -> String {
    format!(
        "Model: {id}, \"Model::{name}\", \"{kind}\" {{\nVersion: 232\nProperties70: {{\n{properties}}}\nShading: Y\nCulling: \"CullingOff\"\n}}\n"
    )
}

impl Strip {
    pub fn text(&self) -> String {
        let [up, front, front_sign, coord_sign] = self.axes;
        format!(
            "; FBX 7.4.0 project file\nFBXHeaderExtension: {{\nFBXHeaderVersion: 1003\nFBXVersion: 7400\n}}\n\
             GlobalSettings: {{\nVersion: 1000\nProperties70: {{\n\
             P: \"UpAxis\", \"int\", \"Integer\", \"\",{up}\nP: \"UpAxisSign\", \"int\", \"Integer\", \"\",1\n\
             P: \"FrontAxis\", \"int\", \"Integer\", \"\",{front}\nP: \"FrontAxisSign\", \"int\", \"Integer\", \"\",{front_sign}\n\
             P: \"CoordAxis\", \"int\", \"Integer\", \"\",0\nP: \"CoordAxisSign\", \"int\", \"Integer\", \"\",{coord_sign}\n\
             P: \"UnitScaleFactor\", \"double\", \"Number\", \"\",{}\nP: \"TimeMode\", \"enum\", \"\", \"\",6\n}}\n}}\n\
             Objects: {{\n{}{}{}}}\nConnections: {{\n{}}}\n",
            self.unit,
            self.bones(),
            if self.meshes { self.meshes() } else { String::new() },
            animation(),
            self.connections()
        )
    }

    pub fn bytes(&self) -> Vec<u8> {
        self.text().into_bytes()
    }

    fn bones(&self) -> String {
        let kind = if self.bones { "LimbNode" } else { "Null" };
        let inherit = |mode: u8| format!("P: \"InheritType\", \"enum\", \"\", \"\",{mode}\n");
        let lower = inherit(1) + &vector("Lcl Scaling", self.scale.0);
        let upper = [
            "P: \"RotationActive\", \"bool\", \"\", \"\",1\n".to_owned(),
            inherit(if self.scale.1 { 1 } else { 2 }),
            vector("PreRotation", [0.0, 0.0, 90.0]),
            vector("Lcl Translation", [0.0, 0.0, 100.0]),
            vector("Lcl Rotation", [self.rest_degrees, 0.0, 0.0]),
        ]
        .concat();
        let attribute = |id: u32| {
            format!("NodeAttribute: {id}, \"NodeAttribute::\", \"{kind}\" {{\nTypeFlags: \"Skeleton\"\n}}\n")
        };
        [
            model(10, "Armature", "Null", ""),
            model(20, "Lower", kind, &lower),
            model(21, "Upper", kind, &upper),
            if self.bones {
                attribute(30) + &attribute(31)
            } else {
                String::new()
            },
        ]
        .concat()
    }

    fn meshes(&self) -> String {
        let scale = DVec3::from(self.scale.0);
        let turned = DAffine3::from_rotation_z(90f64.to_radians());
        let passed_on = if self.scale.1 { scale } else { DVec3::ONE };
        let links = [
            DAffine3::from_scale(scale),
            DAffine3::from_translation(scale * DVec3::new(0.0, 0.0, 100.0))
                * DAffine3::from_scale(passed_on)
                * turned,
        ];
        let cluster = |i: usize| {
            let stored = if self.sound_links {
                links[i]
            } else {
                DAffine3::from_translation(DVec3::splat(7.0 + i as f64))
            };
            format!(
                "Deformer: {}, \"SubDeformer::\", \"Cluster\" {{\nVersion: 100\nUserData: \"\", \"\"\n\
                 Indexes: {}\nWeights: {}\nTransform: {}\nTransformLink: {}\n}}\n",
                51 + i,
                numbers(self.weights[i].iter().map(|w| w.0)),
                numbers(self.weights[i].iter().map(|w| w.1)),
                matrix(links[i].inverse()),
                matrix(stored)
            )
        };
        let corners = [0, 1, 3, -3, 2, 3, 5, 6, -5];
        let normals = corners.iter().flat_map(|_| [0.0, -1.0, 0.0]);
        let material = |id: u32, name: &str, color: [f64; 3]| {
            let color = format!(
                "P: \"DiffuseColor\", \"Color\", \"\", \"A\",{},{},{}\n",
                color[0], color[1], color[2]
            );
            format!(
                "Material: {id}, \"Material::{name}\", \"\" {{\nVersion: 102\nShadingModel: \"lambert\"\nProperties70: {{\n{color}}}\n}}\n"
            )
        };
        [
            format!(
                "Geometry: 40, \"Geometry::\", \"Mesh\" {{\nVertices: {}\nPolygonVertexIndex: {}\nGeometryVersion: 124\n\
                 LayerElementNormal: 0 {{\nVersion: 101\nName: \"\"\nMappingInformationType: \"ByPolygonVertex\"\n\
                 ReferenceInformationType: \"Direct\"\nNormals: {}\n}}\n\
                 LayerElementMaterial: 0 {{\nVersion: 101\nName: \"\"\nMappingInformationType: \"ByPolygon\"\n\
                 ReferenceInformationType: \"IndexToDirect\"\nMaterials: {}\n}}\n\
                 Layer: 0 {{\nVersion: 100\nLayerElement: {{\nType: \"LayerElementNormal\"\nTypedIndex: 0\n}}\n\
                 LayerElement: {{\nType: \"LayerElementMaterial\"\nTypedIndex: 0\n}}\n}}\n}}\n",
                numbers(VERTICES.iter().flatten()),
                numbers(corners),
                numbers(normals),
                numbers([0, 1])
            ),
            format!(
                "Geometry: 41, \"Geometry::\", \"Mesh\" {{\nVertices: {}\nPolygonVertexIndex: {}\nGeometryVersion: 124\n}}\n",
                numbers([-5, 0, 0, 5, 0, 0, 0, 0, 5]),
                numbers([0, 1, -3])
            ),
            model(42, "Strip", "Mesh", ""),
            model(43, "Helmet", "Mesh", &vector("GeometricTranslation", [0.0, 0.0, 130.0])),
            material(45, "Skin", [0.5, 0.25, 0.125]),
            material(46, "Cloth", [0.0, 0.0, 1.0]),
            if self.bones {
                format!(
                    "Deformer: 50, \"Deformer::\", \"Skin\" {{\nVersion: 101\nLink_DeformAcuracy: 50\n}}\n{}{}",
                    cluster(0),
                    cluster(1)
                )
            } else {
                String::new()
            },
        ]
        .concat()
    }

    fn connections(&self) -> String {
        let mut pairs = vec![(10, 0), (20, 10), (21, 20)];
        if self.bones {
            pairs.extend([(30, 20), (31, 21)]);
        }
        if self.meshes {
            pairs.extend([(40, 42), (41, 43), (42, 0), (43, 21), (45, 42), (46, 42)]);
        }
        if self.meshes && self.bones {
            pairs.extend([(50, 40), (51, 50), (52, 50), (20, 51), (21, 52)]);
        }
        pairs.push((61, 60));
        pairs.push((62, 61));
        let mut text: String = pairs
            .iter()
            .map(|(a, b)| format!("C: \"OO\",{a},{b}\n"))
            .collect();
        text += "C: \"OP\",62,21,\"Lcl Rotation\"\nC: \"OP\",63,62,\"d|X\"\n";
        text
    }
}

/// The upper bone turns by 90 degrees from second 1 to second 2.
fn animation() -> String {
    format!(
        "AnimationStack: 60, \"AnimStack::Bend\", \"\" {{\nProperties70: {{\nP: \"LocalStop\", \"KTime\", \"Time\", \"\",{}\n}}\n}}\n\
         AnimationLayer: 61, \"AnimLayer::Base\", \"\" {{\n}}\n\
         AnimationCurveNode: 62, \"AnimCurveNode::R\", \"\" {{\nProperties70: {{\nP: \"d|X\", \"Number\", \"\", \"A\",0\nP: \"d|Y\", \"Number\", \"\", \"A\",0\nP: \"d|Z\", \"Number\", \"\", \"A\",0\n}}\n}}\n\
         AnimationCurve: 63, \"AnimCurve::\", \"\" {{\nDefault: 0\nKeyVer: 4008\nKeyTime: {}\nKeyValueFloat: {}\nKeyAttrFlags: {}\nKeyAttrDataFloat: {}\nKeyAttrRefCount: {}\n}}\n",
        2 * SECOND,
        numbers([SECOND, 2 * SECOND]),
        numbers([0, 90]),
        numbers([4]),
        numbers([0, 0, 0, 0]),
        numbers([2])
    )
}
