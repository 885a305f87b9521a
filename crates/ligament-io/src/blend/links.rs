//! What a `.blend` file links to, as far as its bytes show it: pictures and libraries that are not packed.
//!
//! Paths lie in the file as text that ends in a zero; those that are relative to it begin with two slashes. Only Blender
//! knows which of them matter, so all that look like files are named. Files that Blender compressed by Zstandard (an option
//! when saving) show none.

use std::io::Read;

use flate2::read::GzDecoder;

/// The longest path that Blender keeps.
const LONGEST: usize = 1024;
/// Older versions compress by gzip; more than so many bytes of it are not looked through.
const MOST_UNPACKED: u64 = 1 << 30;

/// The files that a `.blend` names relative to itself, each once, in order.
pub(crate) fn links(bytes: &[u8]) -> Vec<String> {
    let mut unpacked = Vec::new();
    let bytes = if bytes.starts_with(&[0x1f, 0x8b]) {
        // What is cut off has named what came before.
        let _ = GzDecoder::new(bytes)
            .take(MOST_UNPACKED)
            .read_to_end(&mut unpacked);
        &unpacked
    } else {
        bytes
    };
    if !bytes.starts_with(b"BLENDER") {
        return Vec::new();
    }
    let mut names: Vec<String> = Vec::new();
    for at in memchr::memmem::find_iter(bytes, b"//") {
        let rest = &bytes[at + 2..];
        let rest = &rest[..rest.len().min(LONGEST)];
        let Some(name) = memchr::memchr(0, rest).and_then(|end| file_name(&rest[..end])) else {
            continue;
        };
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// The path, if it looks like that of a file.
fn file_name(bytes: &[u8]) -> Option<String> {
    let text = std::str::from_utf8(bytes).ok()?;
    let text = text.replace('\\', "/");
    let (stem, ending) = text.rsplit('/').next()?.rsplit_once('.')?;
    let is_file = !stem.is_empty() && !ending.is_empty() && ending.chars().all(|c| c.is_ascii_alphanumeric());
    (is_file && !text.chars().any(char::is_control)).then_some(text)
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    #[test]
    fn paths_are_found_in_plain_and_packed_files() {
        let mut blend = b"BLENDER-v300\x00\x01//textures\\skin.png\0\0\0x".to_vec();
        blend.extend(b"//../lib/hero.blend\0//textures/skin.png\0//\0//no ending\0");
        blend.extend(b"# // a comment. Or two\n\0//caf\xff.png\0");
        let found = ["textures/skin.png", "../lib/hero.blend"];
        assert_eq!(links(&blend), found);
        let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        packer.write_all(&blend).unwrap();
        let packed = packer.finish().unwrap();
        assert_eq!(links(&packed), found);
        for cut in 0..packed.len() {
            let _ = links(&packed[..cut]);
        }
        assert_eq!(links(b"//a.png\0"), [""; 0]);
    }
}
