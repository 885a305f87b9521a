//! One character bound in several ways, side by side.

mod conclusion;
mod contender;
mod page;
mod pictures;
mod worst_regions;

use std::path::{Path, PathBuf};

use ligament::bind::{BindError, BindOptions, Method};
use ligament::measure::{MeasureOptions, SolidDistance};
use ligament::skin::Skin;
use ligament::task::Task;
use ligament_io::atomic::write_file;
use ligament_io::import::FileWarning;
use ligament_io::registry::ending;
use serde::{Deserialize, Serialize};

use crate::AppError;
use crate::asset::{Asset, AssetRequest};
use crate::bind_request::{deform_choice, influence_count};
use crate::measure_request::{MeasureRequest, number_source_vertices};
use crate::method_spec::MethodSpec;
pub use conclusion::{Basis, Conclusion};
pub use contender::{Contender, Failed, Origin, OtherFile, StageTime};
pub use worst_regions::{WorstRegion, worst_regions};

/// Whether a method takes so long that it is only used when it is asked for.
fn is_slow(method: &Method) -> bool {
    matches!(method, Method::Cells(_) | Method::Biharmonic(_))
}

/// What to compare.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct CompareRequest {
    /// What to open; it has a skeleton.
    pub asset: AssetRequest,
    /// Which methods, each as `METHOD[:PRESET][@RESOLUTION]`; all but the slow ones if none
    /// is said, and none for an empty list.
    pub methods: Option<Vec<String>>,
    /// Take the weights that the file has as a further column, and hold the others against
    /// them.
    pub reference: bool,
    /// The same character bound by other programs, as further columns.
    pub with: Vec<OtherFile>,
    /// Where to write the page, which ends in `.html`; none is written without.
    pub output: Option<PathBuf>,
    /// Joints that take part, as for binding.
    pub deform: Vec<String>,
    /// The most joints that a vertex follows, 1 to 64.
    pub influences: usize,
    /// Poses, frames and limits.
    pub measure: MeasureRequest,
    /// How many regions to show.
    pub worst: usize,
}

impl Default for CompareRequest {
    fn default() -> Self {
        Self {
            asset: AssetRequest::default(),
            methods: None,
            reference: false,
            with: Vec::new(),
            output: None,
            deform: Vec::new(),
            influences: 4,
            measure: MeasureRequest::default(),
            worst: 5,
        }
    }
}

/// What the comparison came to.
#[derive(Debug, Clone, Serialize)]
pub struct CompareReport {
    /// What the user calls the input.
    pub input: String,
    /// Vertices of skin.
    pub vertices: usize,
    /// Joints that skin can follow.
    pub joints: usize,
    /// How many frames were measured.
    pub frames: usize,
    /// Whether they are from the file's clips; else they are a range of motion.
    pub from_clips: bool,
    /// Which bind is best, and why.
    pub conclusion: Conclusion,
    /// The columns, the best first. Vertices in their reports are the source's own.
    pub contenders: Vec<Contender>,
    /// Methods that gave no weights.
    pub failed: Vec<Failed>,
    /// The page that was written.
    pub page: Option<PathBuf>,
    /// What was found in the files.
    pub file_warnings: Vec<FileWarning>,
}

/// Opens and compares.
pub fn run(request: &CompareRequest, task: &Task<'_>) -> Result<CompareReport, AppError> {
    run_on(&Asset::open(&request.asset, task)?, request, task)
}

/// Compares what is open.
pub fn run_on(asset: &Asset, request: &CompareRequest, task: &Task<'_>) -> Result<CompareReport, AppError> {
    let chosen = chosen_methods(request.methods.as_deref())?;
    let options = request.measure.options()?;
    let bind_options = BindOptions {
        influences: influence_count(request.influences)?,
        deform: deform_choice(&request.deform)?,
        ..BindOptions::default()
    };
    if let Some(output) = &request.output {
        check_page_name(output)?;
        asset.refuse_as_output(output)?;
    }
    asset.refuse_without_skeleton()?;
    let character = asset.character();
    let reference = request.reference.then(|| asset.weights()).transpose()?;
    let others = contender::open_others(&request.with, character, task)?;

    let body = SolidDistance::of(character, task)?;
    let skin = Skin::new(character.clone()).map_err(BindError::from)?;
    let judge = contender::Judge {
        skin: &skin,
        reference,
        body: &body,
        options: &options,
        task,
    };
    let (mut contenders, failed) = judge.all(&chosen, &bind_options, others)?;
    let Some(first) = contenders.first() else {
        return Err(match failed.into_iter().next() {
            Some(Failed { name, why }) => AppError::NothingBound { name, why },
            None => AppError::NothingToCompare,
        });
    };
    request.measure.refuse_without_pose(character, &first.report)?;
    conclusion::put_in_order(&mut contenders, reference.is_some());
    let conclusion = Conclusion::of(character, &contenders, &failed, reference.is_some());
    let mut report = CompareReport {
        input: asset.input().to_owned(),
        vertices: contenders[0].report.vertices,
        joints: asset.joint_count(),
        frames: contenders[0].report.frames,
        from_clips: contenders[0].report.from_clips,
        conclusion,
        contenders,
        failed,
        page: request.output.clone(),
        file_warnings: asset.warnings(),
    };
    if let Some(output) = &request.output {
        write_page(asset, &report, &options, request.worst, output, task)?;
    }
    for contender in &mut report.contenders {
        number_source_vertices(&mut contender.report, asset);
    }
    Ok(report)
}

fn check_page_name(output: &Path) -> Result<(), AppError> {
    match ending(output).as_str() {
        "html" | "htm" => Ok(()),
        _ => Err(AppError::bad_value(
            "the page",
            "is HTML; name it .html",
            output.display(),
        )),
    }
}

fn write_page(
    asset: &Asset,
    report: &CompareReport,
    options: &MeasureOptions,
    worst: usize,
    output: &Path,
    task: &Task<'_>,
) -> Result<(), AppError> {
    let gallery = pictures::Gallery::draw(
        asset.character(),
        &report.contenders,
        &report.conclusion,
        options,
        worst,
        task,
    )?;
    let page = page::page(&page::Contents {
        character: asset.character(),
        report,
        gallery: &gallery,
        options,
    });
    task.check()?;
    write_file(output, page.into_string().as_bytes())?;
    Ok(())
}

fn chosen_methods(names: Option<&[String]>) -> Result<Vec<MethodSpec>, AppError> {
    let Some(names) = names else {
        let usual = Method::all().into_iter().filter(|m| !is_slow(m));
        return Ok(usual.map(MethodSpec::from).collect());
    };
    let mut chosen: Vec<MethodSpec> = Vec::new();
    for name in names {
        let found = MethodSpec::parse(name.trim())?;
        if !chosen.iter().any(|m| m.name == found.name) {
            chosen.push(found);
        }
    }
    Ok(chosen)
}
