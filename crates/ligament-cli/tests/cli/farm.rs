//! What farms are given calls the command, and comes to the same.

use std::path::Path;
use std::process::Command;

use ligament_testkit::{project_root, python_with_openjd, run};

use crate::bind;

fn inputs(folder: &Path) -> std::path::PathBuf {
    let inputs = folder.join("in");
    std::fs::create_dir_all(&inputs).unwrap();
    for k in 0..3 {
        let made = bind(
            &format!("sample:tube@{}", 100 + 30 * k),
            folder,
            &["--method", "heat"],
        );
        std::fs::rename(made, inputs.join(format!("{k}.glb"))).unwrap();
    }
    std::fs::write(inputs.join("broken.glb"), "no model").unwrap();
    inputs
}

fn all_done(outputs: &Path) {
    for k in 0..3 {
        assert!(outputs.join(format!("{k}.glb")).exists(), "{k}");
    }
    assert!(outputs.join("quarantine/broken.glb/log.txt").exists());
}

#[test]
fn a_slurm_array_does_every_shard() {
    let folder = tempfile::tempdir().unwrap();
    let (inputs, outputs) = (inputs(folder.path()), folder.path().join("out"));
    for task in ["2", "1"] {
        run(Command::new("sh")
            .arg(project_root().join("farm/slurm.sh"))
            .args([&inputs, &outputs])
            .arg("--no-measures")
            .env("LIGAMENT", env!("CARGO_BIN_EXE_ligament"))
            .env("SLURM_ARRAY_TASK_ID", task)
            .env("SLURM_ARRAY_TASK_COUNT", "2"));
    }
    all_done(&outputs);
}

#[test]
fn open_job_description_checks_and_runs_the_template() {
    let folder = tempfile::tempdir().unwrap();
    let (inputs, outputs) = (inputs(folder.path()), folder.path().join("out"));
    let template = project_root().join("farm/ligament.openjd.yaml");
    let openjd = python_with_openjd().with_file_name("openjd");
    run(Command::new(&openjd).arg("check").arg(&template));
    let parameter = |name: &str, value: &str| ["-p".to_owned(), format!("{name}={value}")];
    run(Command::new(&openjd)
        .arg("run")
        .arg(&template)
        .args(parameter("Inputs", inputs.to_str().unwrap()))
        .args(parameter("Outputs", outputs.to_str().unwrap()))
        .args(parameter("Shards", "2"))
        .args(parameter("Options", "--no-measures"))
        .args(parameter("Program", env!("CARGO_BIN_EXE_ligament"))));
    all_done(&outputs);
    assert!(outputs.join("report.html").exists() && outputs.join("report.csv").exists());
}
