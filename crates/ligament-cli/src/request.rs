//! What a command line asks for, as the application's own requests: for shells that are no terminal.

use std::ffi::OsString;

use clap::Parser;
use ligament_app::animate::AnimateRequest;
use ligament_app::bind::BindRequest;
use ligament_app::check::CheckRequest;
use ligament_app::compare::CompareRequest;
use ligament_app::convert::ConvertRequest;
use ligament_app::edit::EditRequest;
use ligament_app::field::evaluate::EvaluateRequest;
use ligament_app::field::fit::FitRequest;
use ligament_app::field::info::InfoRequest;
use ligament_app::inspect::InspectRequest;
use ligament_app::lods::LodsRequest;
use ligament_app::pose::PoseRequest;
use ligament_app::render::RenderRequest;
use ligament_app::rig::RigRequest;
use ligament_app::transfer::TransferRequest;
use ligament_app::weights::WeightsRequest;

use crate::{Cli, Command};

/// One command with its options.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
#[allow(missing_docs, reason = "each is called as its command")]
pub enum Request {
    Bind(Box<BindRequest>),
    Rig(RigRequest),
    Animate(AnimateRequest),
    Inspect(InspectRequest),
    Check(CheckRequest),
    Compare(CompareRequest),
    Convert(ConvertRequest),
    Render(RenderRequest),
    Pose(PoseRequest),
    Edit(EditRequest),
    Transfer(TransferRequest),
    Weights(WeightsRequest),
    Lods(LodsRequest),
    FieldFit(Box<FitRequest>),
    FieldEval(EvaluateRequest),
    FieldInfo(InfoRequest),
}

/// Reads words, the program's own name first. Commands that talk to a person or start processes (`sample`, `studio`, `bench`, `batch`)
/// have no request.
pub fn request(words: impl IntoIterator<Item = OsString>) -> anyhow::Result<Request> {
    let cli = Cli::try_parse_from(words)?;
    Ok(match cli.command {
        Command::Bind(args) => Request::Bind(Box::new(args.request()?)),
        Command::Rig(args) => Request::Rig(args.request()),
        Command::Animate(args) => Request::Animate(args.request()),
        Command::Inspect(args) => Request::Inspect(args.request()),
        Command::Check(args) => Request::Check(args.request()?),
        Command::Compare(args) => Request::Compare(args.request()?),
        Command::Convert(args) => Request::Convert(args.request()),
        Command::Render(args) => Request::Render(args.request()),
        Command::Pose(args) => Request::Pose(args.request()),
        Command::Field(args) => args.request()?,
        Command::Edit(args) => Request::Edit(args.request()?),
        Command::Transfer(args) => Request::Transfer(args.request()),
        Command::Weights(args) => Request::Weights(args.request()?),
        Command::Lods(args) => Request::Lods(args.request()),
        Command::Sample(_)
        | Command::Studio(_)
        | Command::Bench(_)
        | Command::Batch(_)
        | Command::BatchAsset(_) => anyhow::bail!("this command is for the command line alone"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(words: &[&str]) -> anyhow::Result<Request> {
        request(words.iter().map(OsString::from))
    }

    #[test]
    fn words_become_requests_and_bad_words_are_named() {
        let Request::Bind(bind) = of(&["ligament", "bind", "a.glb", "--falloff=0.3"]).unwrap() else {
            panic!("bind was asked for")
        };
        assert_eq!(
            (bind.asset.input.as_str(), bind.options.falloff),
            ("a.glb", Some(0.3))
        );
        let bare = of(&["ligament", "bind", "a.glb"]).unwrap();
        let asset = bind.asset.clone();
        let usual = BindRequest {
            asset,
            ..BindRequest::default()
        };
        assert_eq!(bare, Request::Bind(Box::new(usual))); // one set of defaults, not two
        let refused = of(&["ligament", "bind", "a.glb", "--influences=0"]).unwrap_err();
        assert!(refused.to_string().contains("1 to 64"), "{refused}");
        assert!(of(&["ligament", "studio"]).is_err());
    }
}
