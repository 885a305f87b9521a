//! What all fuzz targets do: any bytes go to a reader, which must return, and whatever it read
//! must be sound. Readers, checks and seeds are those of the tests over broken files.

#[path = "../../crates/ligament-io/tests/formats/readers.rs"]
mod readers;
#[path = "../../crates/ligament-io/tests/formats/seeds.rs"]
mod seeds;
#[path = "../../crates/ligament-io/tests/formats/written.rs"]
mod written;

use std::path::Path;

use readers::{Reader, readers};

thread_local! {
    static READERS: Vec<Reader> = readers();
}

/// Gives the bytes to a reader.
pub fn read(name: &str, bytes: &[u8]) {
    READERS.with(|readers| {
        let reader = readers.iter().find(|reader| reader.name == name);
        (reader.expect("a target has the name of a reader").read)(bytes);
    });
}

/// Writes the seeds of all readers into a folder for each.
pub fn write_seeds(folder: &Path) -> std::io::Result<()> {
    for reader in readers() {
        let own = folder.join(reader.name);
        std::fs::create_dir_all(&own)?;
        for (i, seed) in reader.seeds.iter().enumerate() {
            std::fs::write(own.join(format!("made_{i}")), seed)?;
        }
    }
    Ok(())
}
