//! Skeletons: bringing one to a mesh, finding one in it, and editing it there.

mod carried;
mod extract;
mod fit;
mod template;
#[cfg(test)]
mod tests;

pub use carried::without_carried;
pub use extract::{BodyPlan, ExtractError, ExtractOptions, Extracted, extract};
pub use fit::{Fit, UpAxisRotation, apply_fit, find_fit};
pub use template::{
    Face, Source, Template, TemplateError, TemplateJoint, TemplateOptions, Templated, extract_and_fit,
    fit_template,
};
