//! Same input and options, same bytes, at any thread count.

use crate::{bind, inputs};

#[test]
fn one_thread_and_two_give_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    for input in inputs() {
        let [one, two] = ["1", "2"].map(|n| {
            let path = bind(&input, folder.path(), &["--threads", n, "--quiet"]);
            std::fs::read(path).unwrap()
        });
        assert!(one == two, "{input} depends on the number of threads");
    }
}
