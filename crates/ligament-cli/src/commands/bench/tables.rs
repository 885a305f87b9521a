//! The rows of a bench as Markdown and CSV.

use std::fmt::Write;

use super::Row;

fn number(value: Option<f64>, digits: usize) -> String {
    value.map_or("–".to_owned(), |v| format!("{v:.digits$}"))
}

/// The one in the middle; the mean of the two middle ones of an even number.
fn median(mut values: Vec<f64>) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    let upper = *values.get(values.len() / 2)?;
    let lower = values[(values.len() - 1) / 2];
    Some(0.5 * (lower + upper))
}

fn largest(values: &[f64]) -> Option<f64> {
    values.iter().copied().reduce(f64::max)
}

/// Names in the order in which they first occur.
fn distinct<'a>(names: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut seen: Vec<&str> = Vec::new();
    for name in names {
        if !seen.contains(&name) {
            seen.push(name);
        }
    }
    seen
}

/// A summary, the stages of every method, and every bind.
pub fn markdown(rows: &[Row]) -> String {
    let mut text = String::new();
    let methods = distinct(rows.iter().map(|r| r.method.as_str()));
    text.push_str(
        "| method | bound | failed | median Def % | median L1 | median ms | largest ms | largest MB |\n\
         |---|---|---|---|---|---|---|---|\n",
    );
    for &name in &methods {
        let own: Vec<&Row> = rows.iter().filter(|r| r.method == name).collect();
        let bound: Vec<&&Row> = own.iter().filter(|r| r.failure.is_none()).collect();
        let all =
            |value: fn(&Row) -> Option<f64>| -> Vec<f64> { bound.iter().filter_map(|r| value(r)).collect() };
        let times = all(|r| Some(r.bind_ms));
        let _ = writeln!(
            text,
            "| {name} | {} | {} | {} | {} | {} | {} | {} |",
            bound.len(),
            own.len() - bound.len(),
            number(median(all(|r| r.def_percent)), 2),
            number(median(all(|r| r.l1)), 3),
            number(median(times.clone()), 0),
            number(largest(&times), 0),
            number(largest(&all(|r| r.peak_mb)), 0),
        );
    }
    text.push_str(
        "\n| method | stage | median ms | largest ms | median MB | largest MB |\n|---|---|---|---|---|---|\n",
    );
    for &name in &methods {
        let own: Vec<&Row> = rows.iter().filter(|r| r.method == name).collect();
        let stages = || own.iter().flat_map(|r| &r.stages);
        for stage in distinct(stages().map(|s| s.name.as_str())) {
            let same = || stages().filter(|s| s.name == stage);
            let times: Vec<f64> = same().map(|s| s.ms).collect();
            let memory: Vec<f64> = same().filter_map(|s| s.peak_mb).collect();
            let _ = writeln!(
                text,
                "| {name} | {stage} | {} | {} | {} | {} |",
                number(median(times.clone()), 1),
                number(largest(&times), 0),
                number(median(memory.clone()), 0),
                number(largest(&memory), 0),
            );
        }
    }
    text.push_str(
        "\n| character | vertices | joints | method | Def % | L1 | ms | MB | stages in ms |\n\
         |---|---|---|---|---|---|---|---|---|\n",
    );
    for r in rows {
        let (time, stages) = match &r.failure {
            Some(failure) => ("failed".to_owned(), failure.replace('|', "/")),
            None => {
                let stages: Vec<String> = r
                    .stages
                    .iter()
                    .map(|s| format!("{} {:.0}", s.name, s.ms))
                    .collect();
                (format!("{:.0}", r.bind_ms), stages.join(", "))
            }
        };
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {} | {} | {time} | {} | {stages} |",
            r.character,
            r.vertices,
            r.joints,
            r.method,
            number(r.def_percent, 2),
            number(r.l1, 3),
            number(r.peak_mb, 0),
        );
    }
    text
}

/// Every bind, a line each.
pub fn csv(rows: &[Row]) -> String {
    let mut text = String::from(
        "character,method,vertices,triangles,joints,read_ms,bind_ms,def_percent,l1,peak_mb,stages_ms,stages_mb,failure\n",
    );
    let number = |value: Option<f64>| value.map_or(String::new(), |v| v.to_string());
    let quoted = |s: &str| format!("\"{}\"", s.replace('"', "\"\""));
    for r in rows {
        let times: Vec<String> = r
            .stages
            .iter()
            .map(|s| format!("{}={:.3}", s.name, s.ms))
            .collect();
        let memory: Vec<String> = r
            .stages
            .iter()
            .filter_map(|s| Some(format!("{}={:.1}", s.name, s.peak_mb?)))
            .collect();
        let _ = writeln!(
            text,
            "{},{},{},{},{},{:.3},{},{},{},{},{},{},{}",
            quoted(&r.character),
            r.method,
            r.vertices,
            r.triangles,
            r.joints,
            r.read_ms,
            number(r.failure.is_none().then_some(r.bind_ms)),
            number(r.def_percent),
            number(r.l1),
            number(r.peak_mb),
            quoted(&times.join(" ")),
            quoted(&memory.join(" ")),
            quoted(r.failure.as_deref().unwrap_or("")),
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_the_middle() {
        assert_eq!(median(vec![3.0, 1.0, 2.0]), Some(2.0));
        assert_eq!(median(vec![4.0, 1.0]), Some(2.5));
        assert_eq!(median(Vec::new()), None);
    }
}
