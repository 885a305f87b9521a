//! Verbs on characters that are open: the same requests as the command line's, and results in memory. Files are written only
//! where an output is named.

use std::ffi::OsString;
use std::path::Path;

use glam::Vec3;
use ligament::Weights;
use ligament::bind::BindWarning;
use ligament::task::Task;
use ligament_app::AppError;
use ligament_app::animate::animated;
use ligament_app::asset::Asset as OpenAsset;
use ligament_app::bind::{BoundAsset, bound};
use ligament_app::edit::{Edited, edited};
use ligament_app::pose::posed;
use ligament_app::render::drawn;
use ligament_app::rig::{Rigged, rigged};
use ligament_app::save::{JsonHolds, WeightFormat, save, wanted};
use ligament_app::transfer::Worn;
use ligament_app::{check, compare, convert, field, inspect, lods, pose, transfer, weights};
use ligament_cli::Request;
use ligament_io::atomic::write_file;
use ligament_io::cells;
use ligament_io::import::FileWarning;
use pyo3::prelude::*;
use serde::Serialize;
use serde_json::Value;

use crate::character::Asset;
use crate::failure::{of_error, raised};
use crate::field::Field;

/// Words of a command line, without the program's name, as a request.
pub fn parsed(py: Python<'_>, words: Vec<String>) -> PyResult<Request> {
    let program = OsString::from("ligament");
    let words = std::iter::once(program).chain(words.into_iter().map(OsString::from));
    ligament_cli::request(words).map_err(|error| match error.downcast_ref::<AppError>() {
        Some(error) => of_error(py, error),
        // The first paragraph says what is wrong, the rest how to call a program.
        None => {
            let text = error.to_string();
            let first = text.split("\n\n").next().unwrap_or(&text);
            raised(py, "OptionError", first.trim_start_matches("error: "))
        }
    })
}

/// Codes and messages.
pub fn bind_warnings(warnings: &[BindWarning]) -> Vec<(String, String)> {
    warnings.iter().map(|w| (code(w), w.to_string())).collect()
}

/// Codes and messages.
pub fn file_warnings(warnings: &[FileWarning]) -> Vec<(String, String)> {
    warnings.iter().map(|w| (code(w), w.to_string())).collect()
}

/// The stable name of a warning, which its JSON has.
fn code(warning: &impl Serialize) -> String {
    let value = serde_json::to_value(warning).unwrap_or_default();
    value
        .get("code")
        .and_then(Value::as_str)
        .unwrap_or("other")
        .to_owned()
}

/// What a verb gives back.
#[derive(Default)]
pub struct Done {
    pub report: String,
    warnings: Vec<(String, String)>,
    characters: Vec<Asset>,
    field: Option<Field>,
    picture: Option<(u32, u32, Vec<u8>)>,
    skin: Option<(Vec<u8>, Vec<u8>)>,
}

/// The same for Python.
pub type Outcome = (
    String,
    Vec<(String, String)>,
    Vec<Asset>,
    Option<Field>,
    Option<(u32, u32, Vec<u8>)>,
    Option<(Vec<u8>, Vec<u8>)>,
);

impl From<Done> for Outcome {
    fn from(done: Done) -> Self {
        (
            done.report,
            done.warnings,
            done.characters,
            done.field,
            done.picture,
            done.skin,
        )
    }
}

impl Done {
    fn of(report: &impl Serialize) -> Self {
        Self {
            report: serde_json::to_string(report).unwrap_or_default(),
            ..Self::default()
        }
    }

    fn warning(mut self, warnings: &[BindWarning]) -> Self {
        self.warnings.extend(bind_warnings(warnings));
        self
    }

    fn character(mut self, asset: &OpenAsset, weights: Weights) -> Self {
        self.characters.push(Asset::holding(asset, weights));
        self
    }
}

/// Writes a character where an output is named.
struct Writing<'a> {
    output: Option<&'a Path>,
    store: WeightFormat,
    json: JsonHolds,
}

impl Writing<'_> {
    /// Fails before the work where the output cannot be written after it.
    fn check(&self, assets: &[&OpenAsset]) -> Result<(), AppError> {
        if let Some(output) = self.output {
            wanted(output, self.json)?;
            for asset in assets {
                asset.refuse_as_output(output)?;
            }
        }
        Ok(())
    }

    fn write(&self, asset: &OpenAsset, weights: &Weights) -> Result<(), AppError> {
        match self.output {
            Some(output) => save(asset, Some(weights), self.store, output, self.json),
            None => Ok(()),
        }
    }
}

/// Carries a request out on a character, with others beside it where the verb takes several.
pub fn run(
    own: &Asset,
    others: Vec<&OpenAsset>,
    request: Request,
    task: &Task<'_>,
) -> Result<Done, AppError> {
    let asset = &own.inner;
    match request {
        Request::Bind(request) => {
            let writing = Writing {
                output: request.output.as_deref(),
                store: request.store,
                json: JsonHolds::Weights,
            };
            writing.check(&[asset])?;
            let BoundAsset { weights, report } = bound(asset, &request, task)?;
            writing.write(asset, &weights)?;
            let done = Done::of(&report).warning(&report.bind_warnings);
            Ok(done.character(asset, weights))
        }
        Request::Rig(request) => {
            let writing = Writing {
                output: request.output.as_deref(),
                store: WeightFormat::Keep,
                json: JsonHolds::Skeleton,
            };
            writing.check(&[asset])?;
            let Rigged {
                asset,
                weights,
                report,
            } = rigged(asset.clone(), &request, task)?;
            writing.write(&asset, &weights)?;
            let done = Done::of(&report).warning(&report.bind_warnings);
            Ok(done.character(&asset, weights))
        }
        Request::Animate(request) => {
            let writing = Writing {
                output: request.output.as_deref(),
                store: WeightFormat::Keep,
                json: JsonHolds::Skeleton,
            };
            writing.check(&[asset])?;
            let (moving, report) = animated(asset, &request, task)?;
            let weights = own
                .new_weights()
                .cloned()
                .or_else(|| moving.character().weights.clone());
            let done = Done::of(&report);
            match weights {
                Some(weights) => {
                    writing.write(&moving, &weights)?;
                    Ok(done.character(&moving, weights))
                }
                None => Err(AppError::NoWeights {
                    name: moving.character().name.clone(),
                }),
            }
        }
        Request::Edit(request) => {
            let writing = Writing {
                output: request.output.as_deref(),
                store: request.store,
                json: JsonHolds::Weights,
            };
            writing.check(&[asset])?;
            let Edited {
                asset,
                weights,
                report,
            } = edited(asset.clone(), &request, task)?;
            writing.write(&asset, &weights)?;
            Ok(Done::of(&report).character(&asset, weights))
        }
        Request::Weights(request) => {
            let writing = Writing {
                output: request.output.as_deref(),
                store: request.store,
                json: JsonHolds::Weights,
            };
            writing.check(&[asset])?;
            let (after, steps) = weights::changed(asset, &request, task)?;
            writing.write(asset, &after)?;
            Ok(Done::of(&steps).character(asset, after))
        }
        Request::Inspect(_) => Ok(Done::of(&inspect::run_on(asset, task)?)),
        Request::Check(request) => Ok(Done::of(&check::run_on(asset, &request, task)?)),
        Request::Compare(request) => Ok(Done::of(&compare::run_on(asset, &request, task)?)),
        Request::Convert(request) => {
            // Weights that were found since it was opened are in no document yet.
            match own.new_weights().filter(|_| request.weights.is_none()) {
                Some(weights) => {
                    let writing = Writing {
                        output: Some(&request.output),
                        store: WeightFormat::Keep,
                        json: JsonHolds::Skeleton,
                    };
                    writing.check(&[asset])?;
                    writing.write(asset, weights)?;
                    Ok(Done::of(&Value::Null))
                }
                None => Ok(Done::of(&convert::run_on(asset, &request, task)?)),
            }
        }
        Request::Render(request) => {
            let mut assets = vec![asset];
            assets.extend(others);
            if let Some(output) = &request.output {
                assets
                    .iter()
                    .try_for_each(|asset| asset.refuse_as_output(output))?;
            }
            let (image, legends) = drawn(&assets, &request, task)?;
            if let Some(output) = &request.output {
                write_file(output, &ligament_app::render::encode_png(&image)?)?;
            }
            let pixels = image.pixels.into_iter().flatten().collect();
            Ok(Done {
                picture: Some((image.width, image.height, pixels)),
                ..Done::of(&legends)
            })
        }
        Request::Pose(request) => {
            if request.output.is_some() {
                pose::run_on(asset, &request, task)?;
            }
            let skin = posed(asset, &request, task)?;
            Ok(Done {
                skin: Some((
                    in_source_order(asset, &skin.positions),
                    in_source_order(asset, &skin.normals),
                )),
                ..Done::of(&Value::Null)
            })
        }
        Request::Transfer(request) => {
            let targets: Vec<OpenAsset> = others.into_iter().cloned().collect();
            let writing = Writing {
                output: request.output.as_deref(),
                store: request.store,
                json: JsonHolds::Weights,
            };
            writing.check(&[asset])?;
            let (worn, report) = transfer::run_on(asset.clone(), targets, &request, task)?;
            given(&report, worn, &writing)
        }
        Request::Lods(request) => {
            let levels: Vec<OpenAsset> = others.into_iter().cloned().collect();
            let writing = Writing {
                output: request.output.as_deref(),
                store: request.store,
                json: JsonHolds::Weights,
            };
            writing.check(&[asset])?;
            let (worn, report) = lods::run_on(asset.clone(), levels, &request, task)?;
            given(&report, worn, &writing)
        }
        Request::FieldFit(request) => {
            let fitted = field::fit::fitted(asset, &request, task)?;
            if let Some(output) = &request.output {
                asset.refuse_as_output(output)?;
                write_file(output, &cells::write(&fitted.field))?;
            }
            Ok(Done {
                field: Some(Field { field: fitted.field }),
                ..Done::of(&fitted.report)
            })
        }
        _ => Ok(Done::default()),
    }
}

/// Characters that got weights from another. Several are written by the caller, each under a name of its own.
fn given(report: &impl Serialize, worn: Vec<Worn>, writing: &Writing<'_>) -> Result<Done, AppError> {
    let mut done = Done::of(report);
    if let [only] = worn.as_slice() {
        writing.write(&only.asset, &only.weights)?;
    }
    for Worn {
        asset,
        weights,
        report,
    } in worn
    {
        done = done.warning(&report.bind_warnings).character(&asset, weights);
    }
    Ok(done)
}

/// Vectors of the document's vertices as bytes, in the number and order of the source's.
fn in_source_order(asset: &OpenAsset, of_vertices: &[Vec3]) -> Vec<u8> {
    let mut ordered = vec![Vec3::ZERO; asset.source_positions().len()];
    for (vertex, &vector) in of_vertices.iter().enumerate().rev() {
        ordered[asset.source_vertex(vertex as u32) as usize] = vector;
    }
    let numbers = ordered.into_iter().flat_map(|v| v.to_array());
    numbers.flat_map(f32::to_le_bytes).collect()
}
