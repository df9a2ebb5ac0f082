//! The command line: one file per command. A command's doc comment is its help.

mod asking;
mod check;
mod compare;
mod coverage;
mod embed;
mod evaluation;
mod gate;
mod holdout;
mod index;
mod init;
mod inspect;
mod interrupt;
mod keep;
mod keys;
mod metrics;
mod output;
mod run;
mod score;
mod split;
mod tui;

use std::{
    path::{Path, PathBuf},
    process::ExitCode,
};

use clap::{Parser, Subcommand};

use self::evaluation::Stopped;

/// Label, run and debug the evaluation cases of a retrieval system.
///
/// Without a command the screens open. The folder of the cases holds the settings, `caselight.toml`.
#[derive(Debug, Parser)]
#[command(name = "caselight", version, max_term_width = 100)]
struct Arguments {
    /// The folder that holds caselight.toml and the cases.
    #[arg(long, global = true, default_value = "cases", value_name = "DIR")]
    cases: PathBuf,
    /// The config under test; without it the settings' `default_config`.
    #[arg(long, global = true, value_name = "NAME")]
    config: Option<String>,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    Init(init::Arguments),
    Index(index::Arguments),
    Check(check::Arguments),
    Run(run::Arguments),
    Inspect(inspect::Arguments),
    Gate(gate::Arguments),
    Compare(compare::Arguments),
    Coverage(coverage::Arguments),
    Score(score::Arguments),
    Split(split::Arguments),
    Keys(keys::Arguments),
    Metrics(metrics::Arguments),
}

/// What a command came to. The highest claim first: could not run, case errors, below a threshold, fine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Outcome {
    /// Everything is as it should be.
    Fine,
    /// Below a threshold, a leak, a subset without cases that a gate names, or regressed.
    Below,
    /// It ran, and some cases had errors, or, for a gate, partial answers.
    CaseErrors,
    /// It could not run: usage, settings, broken labels, nothing scored.
    CouldNotRun,
    /// This signal ended the screens, or stopped a run.
    Signal(i32),
}

impl Outcome {
    /// The exit code.
    fn code(self) -> u8 {
        match self {
            Self::Fine => 0,
            Self::Below => 1,
            Self::CaseErrors => 3,
            Self::CouldNotRun => 2,
            // As a shell says of a program that a signal ended.
            Self::Signal(number) => u8::try_from(128 + number).unwrap_or(2),
        }
    }
}

/// The exit codes, for README: code and meaning.
pub const EXIT_CODES: [(u8, &str); 4] = [
    (0, "fine; for `run` also where results leaked, which it says: the gate is what fails on a leak"),
    (1, "for a gate: below a threshold, a leak, a subset without cases that the gate names, or regressed"),
    (2, "could not run: usage, settings, broken labels, nothing scored"),
    (3, "ran, and some cases had errors; or, for a gate, partial answers"),
];

/// Runs the command that the arguments ask for.
#[must_use]
pub fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let folder = arguments.cases.as_path();
    let result = match arguments.command {
        None => tui::run(folder, arguments.config.as_deref()),
        Some(command) => dispatch(command, folder, arguments.config.as_deref()),
    };
    let outcome = result.unwrap_or_else(|error| {
        output::error(&error);
        error.downcast_ref::<Stopped>().map_or(Outcome::CouldNotRun, |stopped| Outcome::Signal(stopped.signal))
    });
    outcome.code().into()
}

fn dispatch(command: Command, folder: &Path, config: Option<&str>) -> anyhow::Result<Outcome> {
    match command {
        Command::Init(arguments) => init::run(&arguments, folder),
        Command::Index(arguments) => index::run(&arguments, folder),
        Command::Check(arguments) => check::run(&arguments, folder),
        Command::Run(arguments) => run::run(&arguments, folder, config),
        Command::Inspect(arguments) => inspect::run(&arguments, folder, config),
        Command::Gate(arguments) => gate::run(&arguments, folder, config),
        Command::Compare(arguments) => compare::run(&arguments, folder, config),
        Command::Coverage(arguments) => coverage::run(&arguments, folder),
        Command::Score(arguments) => score::run(&arguments),
        Command::Split(arguments) => split::run(&arguments, folder),
        Command::Keys(arguments) => keys::run(&arguments),
        Command::Metrics(arguments) => metrics::run(&arguments),
    }
}
