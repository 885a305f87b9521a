//! What the command line calls the ways out that the library's messages name in words.

use ligament::bind::BindWarning;
use ligament::motion::builtin::BuiltinError;
use ligament_app::AppError;
use ligament_app::asset::{AssetRequest, SKELETON_MISFIT};
use ligament_io::gltf::GltfWarning;
use ligament_io::import::FileWarning;
use ligament_io::open::OpenError;

/// The options or commands that help after this error.
pub fn for_error(error: &AppError) -> Option<&'static str> {
    match error {
        AppError::NoSkeleton { .. } => Some("--skeleton FILE, or ligament rig"),
        AppError::HasSkeleton { .. } => Some("leave out --skeleton"),
        AppError::StatesUnits { .. } => Some("leave out --up, --unit and --scale"),
        AppError::MotionAlone => Some("--skeleton FILE beside --motion"),
        AppError::NoWeights { .. } | AppError::NothingToWrite { .. } => Some("ligament bind"),
        AppError::NoPose { .. } => Some("--poses, --joint-limits"),
        AppError::SameName { .. } => Some("--with NAME=FILE"),
        AppError::Misfit { .. } => Some("--fit"),
        AppError::NoJointInCommon { .. } => Some("--map FILE, --strip TEXT"),
        AppError::Unmatched { .. } => Some("--map FILE; ligament inspect shows what joints are"),
        AppError::Builtin(BuiltinError::Match(_)) => Some("ligament animate with --map FILE"),
        AppError::NothingToKeep { .. } => Some("leave out --only and --mix"),
        AppError::NothingToCompare => Some("--methods, --with or --reference"),
        AppError::Open { source, .. } => match source {
            OpenError::SkeletonAlone => Some("--skeleton FILE beside the mesh"),
            OpenError::MotionAlone => Some("--motion FILE beside the mesh"),
            _ => None,
        },
        _ => None,
    }
}

/// The option that helps after this warning of a bind.
pub fn for_bind_warning(warning: &BindWarning) -> Option<&'static str> {
    match warning {
        BindWarning::JointsLeftOut { .. } => Some("--deform all keeps them"),
        BindWarning::NoBoneSeen => Some("--fit brings it there"),
        _ => None,
    }
}

/// The option that helps after this warning about a file.
pub fn for_warning(warning: &FileWarning, request: &AssetRequest) -> Option<&'static str> {
    match warning {
        FileWarning::Import(warning) if warning.code == SKELETON_MISFIT && !request.fit => Some("--fit"),
        FileWarning::Gltf(GltfWarning::SeveralScenes { .. }) => Some("--scene NAME takes another"),
        _ => None,
    }
}
