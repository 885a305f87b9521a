//! The binary form (`.usdc`) read into a [`Layer`].

use crate::import::ImportError;

use super::crate_file::{CrateFile, CrateSpec};
use super::layer::{Attribute, Layer, Prim, Relationship, Value, is_wanted};
use super::parse_text::MOST_DEPTH;

/// Reads a whole file.
pub(super) fn parse_crate(bytes: &[u8]) -> Result<Layer, ImportError> {
    let file = CrateFile::open(bytes)?;
    let mut spec_of_path: Vec<Option<CrateSpec>> = vec![None; file.paths.len()];
    for spec in &file.specs {
        if let Some(slot) = spec_of_path.get_mut(spec.path as usize) {
            *slot = Some(*spec);
        }
    }
    let mut children: Vec<Vec<u32>> = vec![Vec::new(); file.paths.len()];
    let mut root = None;
    for (i, path) in file.paths.iter().enumerate() {
        match path.parent {
            Some(parent) => children[parent as usize].push(i as u32),
            None if path.is_there => root = Some(i as u32),
            None => {}
        }
    }
    let tree = Tree {
        file: &file,
        spec_of_path,
        children,
    };
    let Some(root) = root else {
        return Ok(Layer::default());
    };
    let top = tree.prim(root, 0)?;
    Ok(Layer {
        metadata: top.metadata,
        prims: top.children,
    })
}

struct Tree<'a> {
    file: &'a CrateFile<'a>,
    spec_of_path: Vec<Option<CrateSpec>>,
    children: Vec<Vec<u32>>,
}

impl Tree<'_> {
    /// An error with the path at fault in front.
    fn at<T>(&self, path: u32, result: Result<T, ImportError>) -> Result<T, ImportError> {
        result.map_err(|error| match error {
            ImportError::Malformed { location, problem } => {
                let prim = self.file.path_text(path).unwrap_or_default();
                ImportError::malformed(format!("{prim}, {location}"), problem)
            }
            other => other,
        })
    }

    fn prim(&self, path: u32, depth: usize) -> Result<Prim, ImportError> {
        let mut prim = Prim::default();
        let here = &self.file.paths[path as usize];
        if here.parent.is_some() {
            self.file.token(u64::from(here.token))?.clone_into(&mut prim.name);
        }
        if depth > MOST_DEPTH {
            return Err(ImportError::malformed(prim.name, "prims are nested too deep"));
        }
        let mut order: Vec<String> = Vec::new();
        if let Some(spec) = self.spec_of_path[path as usize] {
            for (name, rep) in self.file.fields_of(spec) {
                let value = || self.at(path, self.file.value(rep));
                match name {
                    "typeName" => value()?.text().unwrap_or("").clone_into(&mut prim.type_name),
                    "specifier" => prim.is_defined = value()?.number() == Some(0.0),
                    "primChildren" => order = value()?.texts().unwrap_or(&[]).to_vec(),
                    "properties" => {}
                    _ => prim.metadata.push((name.to_owned(), value()?)),
                }
            }
        }
        let mut found: Vec<(usize, u32)> = Vec::new();
        let rank_of: std::collections::HashMap<&str, usize> =
            order.iter().enumerate().map(|(i, n)| (n.as_str(), i)).collect();
        for &child in &self.children[path as usize] {
            let child_path = &self.file.paths[child as usize];
            let name = self.file.token(u64::from(child_path.token))?;
            if child_path.is_property {
                if is_wanted(name) {
                    self.property(&mut prim, child, name)?;
                }
            } else if name.starts_with('{') {
                prim.metadata.push(("variantSets".to_owned(), Value::Other));
            } else {
                found.push((rank_of.get(name).copied().unwrap_or(usize::MAX), child));
            }
        }
        found.sort_unstable();
        for (_, child) in found {
            prim.children.push(self.prim(child, depth + 1)?);
        }
        Ok(prim)
    }

    fn property(&self, prim: &mut Prim, path: u32, name: &str) -> Result<(), ImportError> {
        const ATTRIBUTE: u32 = 1;
        const RELATIONSHIP: u32 = 8;
        let Some(spec) = self.spec_of_path[path as usize] else {
            return Ok(());
        };
        let mut attribute = Attribute {
            name: name.to_owned(),
            ..Attribute::default()
        };
        let mut targets = Vec::new();
        for (field, rep) in self.file.fields_of(spec) {
            let value = || self.at(path, self.file.value(rep));
            match field {
                "typeName" => value()?.text().unwrap_or("").clone_into(&mut attribute.type_name),
                "default" => attribute.default = Some(value()?),
                "timeSamples" => attribute.samples = self.at(path, self.file.samples(rep))?,
                "connectionPaths" => attribute.connections = value()?.texts().unwrap_or(&[]).to_vec(),
                "targetPaths" => targets = value()?.texts().unwrap_or(&[]).to_vec(),
                "interpolation" | "elementSize" => attribute.metadata.push((field.to_owned(), value()?)),
                _ => {}
            }
        }
        match spec.kind {
            ATTRIBUTE => prim.attributes.push(attribute),
            RELATIONSHIP => prim.relationships.push(Relationship {
                name: name.to_owned(),
                targets,
            }),
            _ => {}
        }
        Ok(())
    }
}
