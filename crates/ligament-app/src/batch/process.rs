//! One asset in a process of its own, with limits for time and memory.

use std::fs::File;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc;
use std::thread::sleep;
use std::time::{Duration, Instant};

use ligament::task::CancelToken;

/// How often a process is looked at, for its memory and for a cancel. Its end is heard at once.
const LOOK: Duration = Duration::from_millis(20);
/// How often one is that closed its standard error and lives on.
const SILENT: Duration = Duration::from_millis(1);

/// The limits of a process.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// The longest that it may take.
    pub time: Duration,
    /// The most memory that it may hold, in bytes.
    pub memory: Option<u64>,
}

/// How a process ended.
#[derive(Debug)]
pub enum Ending {
    /// By itself.
    Ended(ExitStatus),
    /// It took too long and was stopped.
    TooLong,
    /// It held too much memory and was stopped.
    TooLarge(u64),
    /// Somebody stopped the batch.
    Cancelled,
}

/// A process that ended.
#[derive(Debug)]
pub struct Ended {
    /// How.
    pub how: Ending,
    /// How long it took.
    pub time: Duration,
    /// The most memory that it was seen to hold, in bytes, where the system tells.
    pub peak: Option<u64>,
}

/// Runs a command to its end, within limits. What it prints goes to files. Its standard input stays open as long as this process
/// lives, so that it can tell when nobody waits for it any more.
pub fn run(
    command: &mut Command,
    output: &Path,
    log: &Path,
    limits: &Limits,
    cancel: &CancelToken,
) -> std::io::Result<Ended> {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(File::create(output)?)
        .stderr(Stdio::piped())
        .spawn()?;
    let held = child.stdin.take();
    // The end of a process closes its standard error: that is heard sooner than a look would find it.
    let (still_open, closed) = mpsc::channel::<()>();
    let copied = child.stderr.take().map(|mut said| {
        let mut log = File::create(log);
        std::thread::spawn(move || {
            let _still_open = still_open;
            log.as_mut().map_or(Ok(0), |log| std::io::copy(&mut said, log))
        })
    });
    let start = Instant::now();
    let mut peak = None;
    let how = loop {
        peak = peak.max(memory_of(child.id()));
        if let Some(status) = child.try_wait()? {
            break Ending::Ended(status);
        }
        let too_large = peak.zip(limits.memory).filter(|(held, limit)| held > limit);
        let stopped = if cancel.is_cancelled() {
            Some(Ending::Cancelled)
        } else if let Some((held, _)) = too_large {
            Some(Ending::TooLarge(held))
        } else if start.elapsed() > limits.time {
            Some(Ending::TooLong)
        } else {
            None
        };
        if let Some(how) = stopped {
            stop(&mut child)?;
            break how;
        }
        if closed.recv_timeout(LOOK) == Err(mpsc::RecvTimeoutError::Disconnected) {
            sleep(SILENT);
        }
    };
    drop(held);
    // Somebody whom the process started may still hold the log: then it is not waited for.
    if let Some(copied) = copied
        && closed.recv_timeout(LOOK) == Err(mpsc::RecvTimeoutError::Disconnected)
    {
        let _ = copied.join();
    }
    Ok(Ended {
        how,
        time: start.elapsed(),
        peak,
    })
}

fn stop(child: &mut Child) -> std::io::Result<()> {
    child.kill()?;
    child.wait().map(|_| ())
}

/// The most memory that a process has held so far, in bytes.
#[cfg(target_os = "linux")]
pub fn memory_of(process: u32) -> Option<u64> {
    kilobytes(
        &std::fs::read_to_string(format!("/proc/{process}/status")).ok()?,
        "VmHWM:",
    )
}

/// Other systems do not tell without further crates.
#[cfg(not(target_os = "linux"))]
pub fn memory_of(_process: u32) -> Option<u64> {
    None
}

/// The memory that is free for new work, in bytes.
#[cfg(target_os = "linux")]
pub fn free_memory() -> Option<u64> {
    kilobytes(&std::fs::read_to_string("/proc/meminfo").ok()?, "MemAvailable:")
}

/// Other systems do not tell without further crates.
#[cfg(not(target_os = "linux"))]
pub fn free_memory() -> Option<u64> {
    None
}

#[cfg(target_os = "linux")]
fn kilobytes(text: &str, name: &str) -> Option<u64> {
    let rest = text.lines().find_map(|line| line.strip_prefix(name))?;
    let number: u64 = rest.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(number * 1024)
}

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests {
    use super::*;

    fn shell(script: &str, limits: Limits, cancel: &CancelToken) -> Ended {
        let dir = tempfile::tempdir().unwrap();
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        let (output, log) = (dir.path().join("out"), dir.path().join("log"));
        run(&mut command, &output, &log, &limits, cancel).unwrap()
    }

    fn limits(seconds: u64, megabytes: u64) -> Limits {
        Limits {
            time: Duration::from_secs(seconds),
            memory: Some(megabytes << 20),
        }
    }

    #[test]
    fn a_process_ends_by_itself_or_at_its_limits() {
        let ended = shell("exit 3", limits(20, 500), &CancelToken::new());
        assert!(matches!(ended.how, Ending::Ended(s) if s.code() == Some(3)));
        let ended = shell("sleep 20", limits(0, 500), &CancelToken::new());
        assert!(matches!(ended.how, Ending::TooLong) && ended.time < Duration::from_secs(10));
        // A shell's own variable takes its memory.
        let bomb = "x=0123456789abcdef; while :; do x=$x$x; done";
        let ended = shell(bomb, limits(60, 100), &CancelToken::new());
        assert!(
            matches!(ended.how, Ending::TooLarge(held) if held > 100 << 20),
            "{ended:?}"
        );
        let cancel = CancelToken::new();
        cancel.cancel();
        assert!(matches!(
            shell("sleep 20", limits(60, 500), &cancel).how,
            Ending::Cancelled
        ));
    }

    #[test]
    fn what_it_says_is_logged_and_its_end_is_heard_at_once() {
        let dir = tempfile::tempdir().unwrap();
        let mut command = Command::new("sh");
        command.args(["-c", "echo said >&2; sleep 0.3; echo more >&2"]);
        let log = dir.path().join("log");
        let cancel = CancelToken::new();
        run(
            &mut command,
            &dir.path().join("out"),
            &log,
            &limits(20, 500),
            &cancel,
        )
        .unwrap();
        assert_eq!(std::fs::read_to_string(&log).unwrap(), "said\nmore\n");
        // One that outlives its parent holds the log; that does not hold the batch.
        let ended = shell("sleep 20 & exit 0", limits(30, 500), &cancel);
        assert!(ended.time < Duration::from_secs(10));
        let ended = shell("exec 2>&-; sleep 0.1; exit 4", limits(30, 500), &cancel);
        assert!(matches!(ended.how, Ending::Ended(s) if s.code() == Some(4)));
    }

    #[test]
    fn standard_input_stays_open_until_the_process_ends() {
        // `read` returns at once where standard input is closed.
        let ended = shell("read x; exit 1", limits(1, 500), &CancelToken::new());
        assert!(matches!(ended.how, Ending::TooLong));
    }
}
