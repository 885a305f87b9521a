//! Motions of real characters, carried to all the others: what feet do, copied plainly and kept.

use ligament::Character;
use ligament::character::{BodyPlan, HumanoidMap};
use ligament::motion::retarget::{
    FootFaults, NamedJoints, RetargetOptions, foot_faults, match_joints, retarget,
};
use ligament_io::open::{Opened, open};
use ligament_testkit::{corpus_characters, spread};

struct Humanoid {
    name: String,
    character: Character,
}

/// Sums of faults over clips and pairs, or means of them.
#[derive(Clone, Copy, Default)]
struct Sums {
    plain: FootFaults,
    kept: FootFaults,
    count: usize,
}

fn plus(a: FootFaults, b: FootFaults) -> FootFaults {
    FootFaults {
        sliding: a.sliding + b.sliding,
        penetration: a.penetration + b.penetration,
        floating: a.floating + b.floating,
    }
}

fn over(a: FootFaults, count: usize) -> FootFaults {
    let count = count.max(1) as f64;
    FootFaults {
        sliding: a.sliding / count,
        penetration: a.penetration / count,
        floating: a.floating / count,
    }
}

impl Sums {
    fn add(&mut self, plain: FootFaults, kept: FootFaults) {
        self.plain = plus(self.plain, plain);
        self.kept = plus(self.kept, kept);
        self.count += 1;
    }

    fn means(&self) -> (FootFaults, FootFaults) {
        (over(self.plain, self.count), over(self.kept, self.count))
    }
}

fn humanoids() -> Vec<Humanoid> {
    let all = corpus_characters().into_iter().filter_map(|path| {
        let character = match open(&path).unwrap() {
            Opened::Gltf(file) => file.character().as_ref().clone(),
            Opened::Imported(imported) => imported.character,
        };
        let is_one = HumanoidMap::of(&character.skeleton).plan() == BodyPlan::Humanoid;
        let name = path.file_stem()?.to_string_lossy().into_owned();
        is_one.then_some(Humanoid { name, character })
    });
    all.collect()
}

/// The means over the clips of a source in which feet stand; `None` if there are none, or the two cannot be matched.
fn pair(source: &Humanoid, target: &Humanoid) -> Option<Sums> {
    let (from, to) = (&source.character.skeleton, &target.character.skeleton);
    let mut sums = Sums::default();
    let named = NamedJoints::default();
    for clip in spread(source.character.clips.iter().collect(), 2) {
        let Ok(map) = match_joints(from, clip, to, &named) else {
            continue;
        };
        let measured = |feet: bool| {
            let options = RetargetOptions {
                feet,
                ..RetargetOptions::default()
            };
            let carried = retarget(from, clip, to, &map, &options).ok()?;
            let faults = foot_faults(
                to,
                &carried.clip,
                &carried.times,
                &map,
                carried.scale,
                &carried.contacts,
            );
            (!carried.contacts.is_empty()).then_some(faults)
        };
        if let (Some(plain), Some(kept)) = (measured(false), measured(true)) {
            sums.add(plain, kept);
        }
    }
    (sums.count > 0).then_some(sums)
}

/// Prints the tables of `docs/lab/motion.md` (`cargo xtask soak corpus feet_of_real`, with `--no-capture` of nextest).
#[test]
#[allow(clippy::print_stdout, reason = "a table for a person")]
fn feet_of_real_characters_slide_and_sink_less_than_copied_ones() {
    let all = humanoids();
    let sources: Vec<&Humanoid> = all.iter().filter(|h| !h.character.clips.is_empty()).collect();
    println!("| source | clips | sliding, plain → kept | penetration | floating |");
    println!("|---|---|---|---|---|");
    let mut total = Sums::default();
    let (mut helped, mut harmed) = ([0; 3], [0; 3]);
    for source in spread(sources, 3) {
        let mut own = Sums::default();
        let others: Vec<&Humanoid> = all.iter().filter(|t| t.name != source.name).collect();
        for target in spread(others, 4) {
            let Some(sums) = pair(source, target) else {
                continue;
            };
            let (plain, kept) = sums.means();
            own.add(plain, kept);
            total.add(plain, kept);
            let values = |f: FootFaults| [f.sliding, f.penetration, f.floating];
            for (i, (a, b)) in values(plain).into_iter().zip(values(kept)).enumerate() {
                helped[i] += usize::from(b < a - 1e-6);
                harmed[i] += usize::from(b > a + 1e-6);
            }
        }
        let (plain, kept) = own.means();
        println!(
            "| `{}` | {} | {:.3} → {:.3} | {:.3} → {:.3} | {:.3} → {:.3} |",
            source.name,
            source.character.clips.len(),
            plain.sliding,
            kept.sliding,
            plain.penetration,
            kept.penetration,
            plain.floating,
            kept.floating
        );
    }
    if total.count == 0 {
        return;
    }
    let (plain, kept) = total.means();
    println!("{} pairs: plain {plain:?}", total.count);
    println!("kept {kept:?}; helped {helped:?}, harmed {harmed:?}");
    assert!(kept.sliding < 0.7 * plain.sliding);
    assert!(kept.penetration < 0.7 * plain.penetration);
    assert!(kept.floating < plain.floating);
}
