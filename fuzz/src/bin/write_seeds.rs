//! Writes the seeds of all targets into a folder, each into one of its own.

fn main() -> std::io::Result<()> {
    let folder = std::env::args_os().nth(1).unwrap_or_else(|| "corpus".into());
    ligament_fuzz::write_seeds(folder.as_ref())
}
