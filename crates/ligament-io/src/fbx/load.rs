//! Loading: options, limits, errors and `ufbx`'s own warnings.

use glam::DVec3;
use ufbx::{
    AllocatorOpts, CoordinateAxes, CoordinateAxis, ErrorType, FileFormat, InheritModeHandling, LoadOpts,
    MirrorAxis, SceneRoot, SpaceConversion, WarningType,
};

use super::convert::vector;
use crate::import::{ImportError, ImportWarning};

/// Deeper trees than this are no characters.
const DEEPEST_NODE: u32 = 4096;

/// How many bytes a file of this size may take while it is read. Real characters take
/// three to eight times their size; a bomb of compressed zeros takes a thousand times.
pub(super) fn memory_limit(bytes: &[u8]) -> usize {
    bytes.len().saturating_mul(64).saturating_add(32 << 20)
}

/// How many vertices, triangles and track numbers a file of this size may give. Instances
/// and clips can multiply what the file holds once.
pub(super) fn item_limit(bytes: &[u8]) -> usize {
    bytes.len().saturating_mul(4).saturating_add(1 << 20)
}

/// Half of the memory for what is kept, half for what is not.
pub(super) fn allocator(bytes: &[u8]) -> AllocatorOpts {
    AllocatorOpts {
        memory_limit: memory_limit(bytes) / 2,
        ..AllocatorOpts::default()
    }
}

/// Scales that are not passed on and differ from one by less than this are rounding, not
/// intent: hair bones of real files have 0.9986, while a squashed limb has 0.9 or less.
const NEARLY_ONE: f64 = 0.01;

pub(super) fn load(bytes: &[u8], warnings: &mut Vec<ImportWarning>) -> Result<SceneRoot, ImportError> {
    // Nodes that do not pass their scale on are split in two where nothing simpler does.
    let mut scene = load_with(bytes, InheritModeHandling::Compensate)?;
    if splits_for_nothing(&scene) {
        drop(scene);
        scene = load_with(bytes, InheritModeHandling::CompensateNoFallback)?;
    }
    if scene.metadata.file_format != FileFormat::Fbx {
        return Err(ImportError::malformed("the file", "this is not FBX"));
    }
    warnings.extend(scene.metadata.warnings.iter().map(|w| {
        let times = match w.count {
            0 | 1 => String::new(),
            n => format!(" ({n} times)"),
        };
        ImportWarning {
            code: code_of(w.type_),
            message: format!("{}{times}", w.description),
        }
    }));
    let axes = &scene.settings.axes;
    if [axes.right, axes.up, axes.front].contains(&CoordinateAxis::Unknown) {
        warnings.push(ImportWarning {
            code: "unknown_axes",
            message: "the file does not say which way is up; +Y was taken".to_owned(),
        });
    }
    Ok(scene)
}

/// A stable name for each of `ufbx`'s warnings that can concern a character.
fn code_of(warning: WarningType) -> &'static str {
    match warning {
        WarningType::TruncatedArray => "truncated_array",
        WarningType::MissingGeometryData | WarningType::MissingPolygonMapping => "missing_geometry",
        WarningType::DuplicateConnection | WarningType::DuplicateObjectId => "duplicates",
        WarningType::UnsupportedVersion => "unsupported_version",
        WarningType::IndexClamped => "index_out_of_range",
        WarningType::BadUnicode => "bad_names",
        WarningType::BadElementConnectedToRoot => "bad_connection",
        WarningType::EmptyFaceRemoved => "empty_faces",
        _ => "other",
    }
}

fn load_with(bytes: &[u8], inherit_mode_handling: InheritModeHandling) -> Result<SceneRoot, ImportError> {
    let options = LoadOpts {
        temp_allocator: allocator(bytes),
        result_allocator: allocator(bytes),
        clean_skin_weights: true,
        node_depth_limit: DEEPEST_NODE,
        inherit_mode_handling,
        space_conversion: SpaceConversion::ModifyGeometry,
        handedness_conversion_axis: MirrorAxis::X,
        target_axes: CoordinateAxes::right_handed_y_up(),
        target_unit_meters: 1.0,
        normalize_normals: true,
        ..LoadOpts::default()
    };
    ufbx::load_memory(bytes, options).map_err(|e| refusal(&e, bytes))
}

/// Whether nodes were split and none of them has a scale that matters.
fn splits_for_nothing(scene: &ufbx::Scene) -> bool {
    let mut halves = scene.nodes.into_iter().filter(|n| n.is_scale_helper).peekable();
    let matters = |half: &ufbx::Node| {
        let scale = vector(half.local_transform.scale);
        let mut layers = scene.anim_layers.into_iter();
        (scale - DVec3::ONE).abs().max_element() > NEARLY_ONE
            || layers.any(|layer| !ufbx::find_anim_props(layer, &half.element).is_empty())
    };
    halves.peek().is_some() && !halves.any(matters)
}

fn refusal(error: &ufbx::Error, bytes: &[u8]) -> ImportError {
    let described = match error.info() {
        "" => error.description.to_string(),
        info => format!("{} ({info})", error.description),
    };
    match error.type_ {
        ErrorType::MemoryLimit | ErrorType::AllocationLimit | ErrorType::OutOfMemory => {
            ImportError::Unsupported {
                what: format!(
                    "a file of {} bytes that unpacks to more than {} MB",
                    bytes.len(),
                    memory_limit(bytes) >> 20
                ),
                way_out: "export the character alone, without compression".to_owned(),
            }
        }
        ErrorType::UnsupportedVersion => ImportError::Unsupported {
            what: format!("this version of FBX ({described})"),
            way_out: "export as FBX 7.4 or 7.5, binary".to_owned(),
        },
        ErrorType::NodeDepthLimit => ImportError::Unsupported {
            what: format!("a tree of more than {DEEPEST_NODE} levels"),
            way_out: "flatten the scene and export again".to_owned(),
        },
        _ => ImportError::malformed("the file", described),
    }
}
