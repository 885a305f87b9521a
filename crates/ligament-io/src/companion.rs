//! Files that belong to a model, such as its material library, and nothing else.

use std::cell::RefCell;
use std::path::{Component, Path};

use crate::registry::{Format, ending, format_of};
use crate::{blend, collada, fbx, iqm, md5, obj, usd};

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

/// The names of files that a model reads besides itself, as it names them: buffers and images of a glTF, what a `.blend` links
/// to, what the readers of other formats look for beside it. What cannot be read names none.
pub fn named_files(model: &Path) -> Vec<String> {
    let Ok(bytes) = std::fs::read(model) else {
        return Vec::new();
    };
    match ending(model).as_str() {
        "gltf" | "vrm" | "glb" => uris(&bytes),
        "blend" => blend::links(&bytes),
        _ => looked_for(model, &bytes),
    }
}

/// The files that a reader looks for beside a model, in any of the ways in which it may be named.
fn looked_for(model: &Path, bytes: &[u8]) -> Vec<String> {
    let load = beside(model);
    let names = RefCell::new(Vec::new());
    let noted = |name: &str| {
        let plain = name.replace('\\', "/");
        if !names.borrow().contains(&plain) {
            names.borrow_mut().push(plain);
        }
        load(name)
    };
    // What is broken has named what was looked for before that was noticed.
    let _ = match format_of(model) {
        Ok(Format::Obj) => obj::read(bytes, "", &noted),
        Ok(Format::Fbx) => fbx::read_beside(bytes, "", &noted),
        Ok(Format::Usd) => usd::read_beside(bytes, "", &noted),
        Ok(Format::Collada) => collada::read(bytes, "", &noted),
        Ok(Format::Iqm) => iqm::read(bytes, "", &noted),
        Ok(Format::Md5Mesh) => md5::read_mesh(bytes, "", &noted),
        _ => return Vec::new(),
    };
    names.into_inner()
}

/// The files that a glTF's JSON names; a binary one holds all but what its JSON names too.
fn uris(bytes: &[u8]) -> Vec<String> {
    // A binary file's JSON comes first, after a header of twelve bytes and one of eight.
    let json = match bytes.strip_prefix(b"glTF") {
        Some(rest) => {
            let length = rest
                .get(8..12)
                .and_then(|l| l.try_into().ok())
                .map(u32::from_le_bytes);
            let length = length.unwrap_or(0) as usize;
            rest.get(16..16 + length.min(rest.len().saturating_sub(16)))
                .unwrap_or_default()
        }
        None => bytes,
    };
    let Ok(document) = serde_json::from_slice::<serde_json::Value>(json) else {
        return Vec::new();
    };
    ["buffers", "images"]
        .iter()
        .filter_map(|list| document[*list].as_array())
        .flatten()
        .filter_map(|entry| entry["uri"].as_str())
        .filter(|uri| !uri.starts_with("data:"))
        .map(|uri| {
            percent_encoding::percent_decode_str(uri)
                .decode_utf8_lossy()
                .into_owned()
        })
        .collect()
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

    #[test]
    fn files_that_a_model_names_are_found() {
        let dir = tempfile::tempdir().unwrap();
        let obj = dir.path().join("a.obj");
        std::fs::write(&obj, "mtllib a b.mtl\nv 0 0 0\n").unwrap();
        std::fs::write(
            dir.path().join("a b.mtl"),
            "newmtl x\n map_Kd -s 2 2 1 skin.png\n",
        )
        .unwrap();
        assert_eq!(named_files(&obj), ["a b.mtl", "skin.png"]);
        let json = br#"{"buffers":[{"uri":"a%20b.bin"},{}],"images":[{"uri":"data:,x"},{"uri":"i.png"}]}"#;
        let gltf = dir.path().join("a.gltf");
        std::fs::write(&gltf, json).unwrap();
        assert_eq!(named_files(&gltf), ["a b.bin", "i.png"]);
        let mut glb = b"glTF\x02\0\0\0\0\0\0\0".to_vec();
        glb.extend((json.len() as u32).to_le_bytes());
        glb.extend(b"JSON");
        glb.extend(json);
        let path = dir.path().join("a.glb");
        std::fs::write(&path, &glb).unwrap();
        assert_eq!(named_files(&path), ["a b.bin", "i.png"]);
        for cut in 0..glb.len() {
            std::fs::write(&path, &glb[..cut]).unwrap();
            assert_eq!(named_files(&path), [""; 0]);
        }
        assert_eq!(named_files(&dir.path().join("missing.glb")), [""; 0]);
    }

    #[test]
    fn files_that_other_readers_look_for_are_found() {
        let dir = tempfile::tempdir().unwrap();
        let named = |file: &str, text: &str| {
            let path = dir.path().join(file);
            std::fs::write(&path, text).unwrap();
            named_files(&path)
        };
        let dae = r##"<COLLADA><library_images><image id="i"><init_from>maps\skin.png</init_from></image></library_images>
            <library_effects><effect id="e"><profile_COMMON><technique><lambert><diffuse><texture texture="i"/></diffuse></lambert>
            </technique></profile_COMMON></effect></library_effects>
            <library_materials><material id="m"><instance_effect url="#e"/></material></library_materials>
            <library_geometries><geometry id="g"><mesh><source id="p"><float_array id="a" count="9">0 0 0 1 0 0 0 1 0</float_array>
            <technique_common><accessor source="#a" count="3" stride="3"/></technique_common></source>
            <vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
            <triangles count="1" material="s"><input semantic="VERTEX" source="#v" offset="0"/><p>0 1 2</p></triangles></mesh></geometry>
            </library_geometries><library_visual_scenes><visual_scene id="w"><node><instance_geometry url="#g"><bind_material>
            <technique_common><instance_material symbol="s" target="#m"/></technique_common></bind_material></instance_geometry></node>
            </visual_scene></library_visual_scenes><scene><instance_visual_scene url="#w"/></scene></COLLADA>"##;
        assert_eq!(named("a.dae", dae), ["maps/skin.png"]);
        assert_eq!(named("b.dae", "<COLLADA>"), [""; 0]);
        let md5 = "MD5Version 10\nnumJoints 1\nnumMeshes 1\njoints {\n\"a\" -1 ( 0 0 0 ) ( 0 0 0 )\n}\n\
            mesh {\nshader \"cloth\"\nnumverts 3\nvert 0 ( 0 0 ) 0 1\nvert 1 ( 1 0 ) 0 1\nvert 2 ( 0 1 ) 0 1\n\
            numtris 1\ntri 0 0 1 2\nnumweights 1\nweight 0 0 1 ( 1 2 3 )\n}\n";
        let names = named("a.md5mesh", md5);
        assert!(names.iter().any(|n| n == "cloth.png"), "{names:?}");
    }
}
