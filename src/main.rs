//! The `caselight` program: parse, run the command, turn its outcome into an exit code.

use std::process::ExitCode;

fn main() -> ExitCode {
    caselight::cli::main()
}
