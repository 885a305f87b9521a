//! Files that belong to a model, such as its material library, and nothing else.

use std::path::{Component, Path};

/// A loader of files beside `model`: names in its folder or in folders below. Absolute
/// names, names that climb out with `..` and links that lead out are not followed, so
/// that a model from a stranger cannot read other files.
pub fn beside(model: &Path) -> impl Fn(&str) -> Option<Vec<u8>> + use<> {
    let folder = match model.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent.to_owned(),
        _ => Path::new(".").to_owned(),
    };
    move |name| {
        let name = name.replace('\\', "/");
        let relative = Path::new(&name);
        let stays = relative
            .components()
            .all(|c| matches!(c, Component::Normal(_) | Component::CurDir));
        if !stays {
            return None;
        }
        let path = folder.join(relative).canonicalize().ok()?;
        let inside = path.starts_with(folder.canonicalize().ok()?) && path.is_file();
        if !inside {
            return None;
        }
        std::fs::read(path).ok()
    }
}

/// For models that stand alone.
pub fn none(_: &str) -> Option<Vec<u8>> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_models_own_folder_is_read() {
        let dir = tempfile::tempdir().unwrap();
        let home = dir.path().join("model");
        std::fs::create_dir_all(home.join("sub")).unwrap();
        std::fs::write(dir.path().join("secret.mtl"), b"secret").unwrap();
        std::fs::write(home.join("a b.mtl"), b"a").unwrap();
        std::fs::write(home.join("sub/c.mtl"), b"c").unwrap();
        let load = beside(&home.join("x.obj"));
        assert_eq!(load("a b.mtl").as_deref(), Some(&b"a"[..]));
        assert_eq!(load("./sub\\c.mtl").as_deref(), Some(&b"c"[..]));
        assert_eq!(load("../secret.mtl"), None);
        assert_eq!(load(dir.path().join("secret.mtl").to_str().unwrap()), None);
        assert_eq!(load("sub"), None);
        assert_eq!(load(""), None);
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(dir.path().join("secret.mtl"), home.join("link.mtl")).unwrap();
            assert_eq!(load("link.mtl"), None);
        }
    }
}
