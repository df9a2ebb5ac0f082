//! `caselight` itself: help, unknown words, and what it needs.

use insta::assert_snapshot;

use crate::support::Place;

#[test]
fn help_names_every_command() {
    assert_snapshot!(Place::empty().caselight(["-h"]), @"
    Label, run and debug the evaluation cases of a retrieval system

    Usage: caselight [OPTIONS] [COMMAND]

    Commands:
      init      Write settings and a first case for a new place
      index     Build or refresh the local index of the corpus, and say what is in it
      check     Resolve every reference of every case, and say what is wrong with the case files
      run       Ask the retriever every case and report the numbers per subset
      inspect   Ask one case, and say where its chunk was lost and by what evidence
      gate      Ask the retriever every case and hold the numbers to the thresholds of the settings
      compare   Compare two runs or configs: which cases improved or regressed, and which stage is why
      coverage  Say what the cases cover, what they leave out, and which of them are doubtful
      score     Score a ranking that somebody else produced: TREC judgments and a TREC run, or a run
                that Caselight kept
      split     Keep a share of the cases out of tuning, and show how the split falls on each tag
      keys      Print every key of the screens as a Markdown table
      metrics   Print what every number means, with worked examples
      help      Print this message or the help of the given subcommand(s)

    Options:
          --cases <DIR>    The folder that holds caselight.toml and the cases [default: cases]
          --config <NAME>  The config under test; without it the settings' `default_config`
      -h, --help           Print help (see more with '--help')
      -V, --version        Print version
    --- exit status 0 ---
    ");
}

#[test]
fn a_command_that_does_not_exist_is_a_usage_error() {
    assert_snapshot!(Place::empty().caselight(["runn"]), @"
    --- stderr ---
    error: unrecognized subcommand 'runn'

      tip: a similar subcommand exists: 'run'

    Usage: caselight [OPTIONS] [COMMAND]

    For more information, try '--help'.
    --- exit status 2 ---
    ");
}

#[test]
fn a_place_without_settings_is_told_how_to_get_them() {
    assert_snapshot!(Place::empty().caselight(["check"]), @"
    --- stderr ---
    caselight: no settings at cases/caselight.toml: `caselight init SOURCE` writes them, or `--cases DIR` names the folder that holds caselight.toml
    --- exit status 2 ---
    ");
    assert_snapshot!(Place::empty().caselight(["--cases", "elsewhere", "run"]), @"
    --- stderr ---
    caselight: no settings at elsewhere/caselight.toml: `caselight init SOURCE` writes them, or `--cases DIR` names the folder that holds caselight.toml
    --- exit status 2 ---
    ");
}

#[test]
fn the_screens_refuse_to_open_without_a_terminal() {
    assert_snapshot!(Place::demo().caselight([""; 0]), @"
    --- stderr ---
    caselight: the screens need a terminal: standard input and output must be one; `caselight --help` lists the commands that do not
    --- exit status 2 ---
    ");
}
