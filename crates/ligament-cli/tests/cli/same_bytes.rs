//! Same input and options, same bytes, at any thread count.

use crate::{bind, inputs};

#[test]
fn one_thread_and_two_give_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    // Every method on every sample is the conformance suite's; here files are read and written too.
    let methods = ["best", "closest", "heat", "hierarchy"];
    for (input, method) in inputs().iter().zip(methods.iter().cycle()) {
        let [one, two] = ["1", "2"].map(|n| {
            let options = ["--threads", n, "--quiet", "--method", method];
            std::fs::read(bind(input, folder.path(), &options)).unwrap()
        });
        assert!(one == two, "{input} by {method} depends on the number of threads");
    }
}
