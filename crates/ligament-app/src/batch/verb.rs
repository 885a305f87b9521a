//! The verbs that a batch can do: those that make a file.

/// A verb of the command line.
#[derive(Debug, PartialEq, Eq)]
pub struct Verb {
    /// Its name.
    pub name: &'static str,
    /// Whether its output is what it prints; others are told where to write.
    pub prints: bool,
    /// The ending that is added to the input's name, where outputs are no characters.
    pub ending: Option<&'static str>,
    /// Whether an output holds weights that can be measured.
    pub weights: bool,
}

const VERBS: [Verb; 7] = [
    Verb::makes("bind", true),
    Verb::makes("rig", true),
    Verb::makes("transfer", true),
    Verb::makes("weights", true),
    Verb::makes("lods", false),
    Verb::makes("convert", false),
    Verb {
        name: "check",
        prints: true,
        ending: Some("json"),
        weights: false,
    },
];

impl Verb {
    const fn makes(name: &'static str, weights: bool) -> Self {
        Self {
            name,
            prints: false,
            ending: None,
            weights,
        }
    }

    /// The verb of that name.
    pub fn named(name: &str) -> Option<&'static Self> {
        VERBS.iter().find(|v| v.name == name)
    }

    /// All names, for messages.
    pub fn names() -> String {
        VERBS.map(|v| v.name).join(", ")
    }

    /// The arguments of the command line for one asset. `{}` in the arguments stands for the input; without it the input comes first.
    pub fn command(&self, input: &str, output: &str, arguments: &[String]) -> Vec<String> {
        let mut command = vec![self.name.to_owned()];
        let output_is_given = arguments.iter().any(|a| a == "{}");
        if !output_is_given {
            command.push(input.to_owned());
        }
        command.extend(arguments.iter().map(|a| match a.as_str() {
            "{}" => input.to_owned(),
            other => other.to_owned(),
        }));
        if !self.prints {
            command.extend(["--output".to_owned(), output.to_owned()]);
        }
        command
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_input_goes_first_or_where_it_is_wanted() {
        let arguments = |a: &[&str]| a.iter().map(|s| (*s).to_owned()).collect::<Vec<_>>();
        let bind = Verb::named("bind").unwrap();
        assert_eq!(
            bind.command("a.glb", "o.glb", &arguments(&["--method", "heat"])),
            ["bind", "a.glb", "--method", "heat", "--output", "o.glb"]
        );
        let transfer = Verb::named("transfer").unwrap();
        assert_eq!(
            transfer.command("coat.glb", "o.glb", &arguments(&["body.glb", "{}"])),
            ["transfer", "body.glb", "coat.glb", "--output", "o.glb"]
        );
        let check = Verb::named("check").unwrap();
        assert_eq!(check.command("a.glb", "o.json", &[]), ["check", "a.glb"]);
        assert_eq!(Verb::named("studio"), None);
    }
}
