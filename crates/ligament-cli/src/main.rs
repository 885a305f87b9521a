//! The `ligament` command; everything is in the library beside it, which Python starts too.

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(ligament_cli::main(std::env::args_os(), None))
}
