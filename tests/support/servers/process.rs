//! A server's process: started, waited for, and ended whatever happens to the test.

use std::{
    ffi::OsString,
    fmt::Write as _,
    fs::{self, File},
    net::{Ipv4Addr, TcpListener},
    os::unix::process::CommandExt,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::atomic::{AtomicU16, Ordering},
    thread,
    time::{Duration, Instant},
};

/// How long a server may take to answer. All here take less than five seconds; the rest is for a machine that is busy.
const PATIENCE: Duration = Duration::from_mins(2);
/// Its standard output and standard error, in its folder.
const LOG: &str = "server.log";
/// How often a server that ends before it answers is started again: its port can be taken between the look and the start.
const STARTS: usize = 3;

/// Stands between the test and the server, in a process group of its own. Its standard input ends when the test drops the server
/// or dies, by whatever signal; then it ends the server with all its children and removes its folder. `$1` is the folder, `$2` the
/// signal on which the server leaves nothing behind.
const KEEPER: &str = r#"
folder=$1 stop=$2
shift 2
exec 3<&0
setsid "$@" </dev/null 3<&- &
server=$!
{ read -r _ <&3; kill -s "$stop" "$server"; sleep 5; kill -s KILL "$server"; } &
watcher=$!
wait "$server"
kill -s KILL "$watcher" "-$server"
: >"$folder/ended"
read -r _ <&3
rm -rf "$folder"
kill -s KILL 0
"#;

/// How to start a server.
pub(crate) struct Launch {
    /// The program and its arguments.
    pub(crate) command: Vec<OsString>,
    /// Set beside the test's own environment.
    pub(crate) env: Vec<(&'static str, OsString)>,
    /// The signal that ends it, as `kill -s` takes it.
    pub(crate) stop: &'static str,
}

impl Launch {
    /// A program that is ended by `KILL`.
    pub(crate) fn new(program: impl Into<OsString>) -> Self {
        Self { command: vec![program.into()], env: Vec::new(), stop: "KILL" }
    }

    /// The same with arguments added.
    pub(crate) fn args<S: Into<OsString>>(mut self, arguments: impl IntoIterator<Item = S>) -> Self {
        self.command.extend(arguments.into_iter().map(Into::into));
        self
    }

    /// The same with a variable of the environment set.
    pub(crate) fn env(mut self, name: &'static str, value: impl Into<OsString>) -> Self {
        self.env.push((name, value.into()));
        self
    }
}

/// A server that runs; dropping it ends it.
#[derive(Debug)]
pub(crate) struct Server {
    keeper: Child,
    port: u16,
    folder: PathBuf,
}

impl Server {
    /// Starts what `launch` says, given a port and an empty folder, and waits until `ready` is true of the port.
    ///
    /// # Panics
    /// With what the server wrote, if it ends first or takes too long.
    pub(crate) fn start(name: &str, launch: impl Fn(u16, &Path) -> Launch, ready: impl Fn(u16) -> bool) -> Self {
        let mut said = String::new();
        for _ in 0..STARTS {
            let port = free_port();
            let folder = tempfile::Builder::new().prefix("caselight-server-").tempdir().unwrap();
            let launch = launch(port, folder.path());
            let server = Self::spawn(&launch, port, folder.keep());
            let since = Instant::now();
            while since.elapsed() < PATIENCE {
                if server.has_ended() {
                    break;
                }
                if ready(port) {
                    return server;
                }
                thread::sleep(Duration::from_millis(10));
            }
            let _ = write!(said, "\n--- on port {port}, after {:?} ---\n{}", since.elapsed(), server.log());
            if since.elapsed() >= PATIENCE {
                break;
            }
        }
        panic!("{name} did not start:{said}");
    }

    fn spawn(launch: &Launch, port: u16, folder: PathBuf) -> Self {
        let log = File::create(folder.join(LOG)).unwrap();
        let keeper = Command::new("sh")
            .args(["-c", KEEPER, "keeper"])
            .arg(&folder)
            .arg(launch.stop)
            .args(&launch.command)
            .envs(launch.env.iter().map(|(name, value)| (name, value)))
            .current_dir("/")
            .stdin(Stdio::piped())
            .stdout(log.try_clone().unwrap())
            .stderr(log)
            .process_group(0)
            .spawn()
            .unwrap();
        Self { keeper, port, folder }
    }

    /// The loopback port that it answers on.
    pub(crate) fn port(&self) -> u16 {
        self.port
    }

    /// A folder of its own, removed with it.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// `http://127.0.0.1:PORT`.
    pub(crate) fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// Whether it has ended by itself.
    pub(crate) fn has_ended(&self) -> bool {
        self.folder.join("ended").exists()
    }

    /// What it wrote so far.
    pub(crate) fn log(&self) -> String {
        let bytes = fs::read(self.folder.join(LOG)).unwrap_or_default();
        String::from_utf8_lossy(&bytes).into_owned()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.keeper.stdin.take());
        let _ = self.keeper.wait();
    }
}

/// A port of the loopback interface that nothing listens on, and neither on the one 10,000 above it, which a shard of `LynseDB` takes
/// too. Both lie below those that the kernel gives to outgoing connections, so that none of these takes it in between.
pub(crate) fn free_port() -> u16 {
    const FIRST: u16 = 20_000;
    const COUNT: u16 = 2_700;
    static NEXT: AtomicU16 = AtomicU16::new(0);
    // Two test processes begin at different places.
    let offset = std::process::id() * 61 % u32::from(COUNT);
    let offset = u16::try_from(offset).unwrap();
    (0..COUNT)
        .map(|_| FIRST + (offset + NEXT.fetch_add(1, Ordering::Relaxed) % COUNT) % COUNT)
        .find(|port| [*port, port + 10_000].iter().all(|port| TcpListener::bind((Ipv4Addr::LOCALHOST, *port)).is_ok()))
        .expect("a free port")
}
