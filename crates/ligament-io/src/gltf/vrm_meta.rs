//! What a VRM file says about the work: who made it and what may be done with it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// The licence that VRM 1.0 asks for by its address.
const LICENSE: &str = "https://vrm.dev/licenses/1.0/";

/// What is said about an avatar.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct VrmMeta {
    /// Its name; the character's if none.
    pub name: Option<String>,
    /// Who made it, the first first; "unknown" if nobody is named.
    pub authors: Vec<String>,
    /// Its version.
    pub version: Option<String>,
    /// Whose rights it is under.
    pub copyright: Option<String>,
    /// What may be done with it, by VRM's own words (`commercialUsage`: `corporation`). VRM takes the strictest where nothing is said.
    pub terms: BTreeMap<String, String>,
}

/// A term that VRM does not know, or not so.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("VRM knows no {term}={value}: {rule}")]
pub struct UnknownTerm {
    /// What was said.
    pub term: String,
    /// What it was said to be.
    pub value: String,
    /// What can be said.
    pub rule: String,
}

enum Kind {
    Text,
    /// A list, of which one is said.
    Texts,
    Flag,
    OneOf(&'static [&'static str]),
}

/// The terms of VRM 1.0 (`VRMC_vrm.meta.schema.json`).
const TERMS: [(&str, Kind); 13] = [
    ("allowAntisocialOrHateUsage", Kind::Flag),
    ("allowExcessivelySexualUsage", Kind::Flag),
    ("allowExcessivelyViolentUsage", Kind::Flag),
    ("allowPoliticalOrReligiousUsage", Kind::Flag),
    ("allowRedistribution", Kind::Flag),
    (
        "avatarPermission",
        Kind::OneOf(&["onlyAuthor", "onlySeparatelyLicensedPerson", "everyone"]),
    ),
    (
        "commercialUsage",
        Kind::OneOf(&["personalNonProfit", "personalProfit", "corporation"]),
    ),
    ("contactInformation", Kind::Text),
    ("creditNotation", Kind::OneOf(&["required", "unnecessary"])),
    (
        "modification",
        Kind::OneOf(&[
            "prohibited",
            "allowModification",
            "allowModificationRedistribution",
        ]),
    ),
    ("otherLicenseUrl", Kind::Text),
    ("references", Kind::Texts),
    ("thirdPartyLicenses", Kind::Text),
];

fn term_json(term: &str, value: &str) -> Result<Value, UnknownTerm> {
    let refused = |rule: String| UnknownTerm {
        term: term.to_owned(),
        value: value.to_owned(),
        rule,
    };
    let Some((_, kind)) = TERMS.iter().find(|(known, _)| *known == term) else {
        let known: Vec<&str> = TERMS.iter().map(|(known, _)| *known).collect();
        return Err(refused(format!("its terms are {}", known.join(", "))));
    };
    match kind {
        Kind::Text => Ok(value.into()),
        Kind::Texts => Ok(vec![value].into()),
        Kind::Flag => match value {
            "true" => Ok(true.into()),
            "false" => Ok(false.into()),
            _ => Err(refused("it is true or false".to_owned())),
        },
        Kind::OneOf(values) if values.contains(&value) => Ok(value.into()),
        Kind::OneOf(values) => Err(refused(format!("it is one of {}", values.join(", ")))),
    }
}

impl VrmMeta {
    /// What was said, and nothing else.
    pub(super) fn said(&self) -> Result<Map<String, Value>, UnknownTerm> {
        let mut json = Map::new();
        for (key, value) in [
            ("name", &self.name),
            ("version", &self.version),
            ("copyrightInformation", &self.copyright),
        ] {
            if let Some(value) = value {
                json.insert(key.to_owned(), value.as_str().into());
            }
        }
        if !self.authors.is_empty() {
            json.insert("authors".to_owned(), self.authors.clone().into());
        }
        for (term, value) in &self.terms {
            json.insert(term.clone(), term_json(term, value)?);
        }
        Ok(json)
    }

    /// What was said, with what VRM cannot be without.
    pub(super) fn whole(&self, character: &str) -> Result<Map<String, Value>, UnknownTerm> {
        let mut json = self.said()?;
        json.entry("name").or_insert_with(|| character.into());
        json.entry("authors").or_insert_with(|| vec!["unknown"].into());
        json.insert("licenseUrl".to_owned(), LICENSE.into());
        Ok(json)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(term: &str, value: &str) -> Result<Map<String, Value>, UnknownTerm> {
        let terms = BTreeMap::from([(term.to_owned(), value.to_owned())]);
        let meta = VrmMeta {
            terms,
            ..VrmMeta::default()
        };
        meta.said()
    }

    #[test]
    fn terms_are_those_of_vrm() {
        assert_eq!(
            with("allowRedistribution", "true").unwrap()["allowRedistribution"],
            true
        );
        assert_eq!(
            with("commercialUsage", "corporation").unwrap()["commercialUsage"],
            "corporation"
        );
        assert_eq!(with("references", "a book").unwrap()["references"][0], "a book");
        let known = with("comercialUsage", "corporation").unwrap_err().to_string();
        assert!(known.contains("commercialUsage"), "{known}");
        let values = with("modification", "yes").unwrap_err().to_string();
        assert!(values.contains("allowModification"), "{values}");
        assert!(with("allowRedistribution", "maybe").is_err());
    }
}
