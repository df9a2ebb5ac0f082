//! Every key of the program. To change a key, change its row; to add one, add a row.

use super::Binding;
use crate::tui::{
    command::{App, Cases, Command, Context as C, Coverage, Inspect, Label, Tags},
    widget::{input::Edit, list::Motion},
};

/// Every key of the program, in the order in which footer and help show them.
#[rustfmt::skip]
pub const TABLE: &[Binding] = &[
    row(C::Cases,   &["enter"],           Command::App(App::ShowInspect),       "inspect",     "Show the case under the cursor as its last run left it."),
    row(C::Cases,   &["l"],               Command::App(App::ShowLabel),         "label",       "Label the case under the cursor."),
    row(C::Cases,   &["r"],               Command::App(App::Run),               "run",         "Run the case under the cursor and show it."),
    row(C::Cases,   &["R"],               Command::App(App::RunAll),            "run all",     "Run every case."),
    row(C::Cases,   &["/"],               Command::Cases(Cases::Filter),        "filter",      "Show only some cases: words of id and question, tag:negation, state:unlabeled, state:wrong-label, verdict:below_window."),
    row(C::Cases,   &["n"],               Command::Cases(Cases::NextUnlabeled), "next unlabeled", "Go to the next unlabeled case."),
    row(C::Cases,   &["N"],               Command::Cases(Cases::NextLook),      "next look",   "Go to the next case that needs a look."),
    row(C::Cases,   &["t"],               Command::App(App::Tags),              "tags",        "Open the tags of the case under the cursor."),
    row(C::Cases,   &["c"],               Command::App(App::ShowCoverage),      "coverage",    "Show what the cases cover, and how each subset does."),
    row(C::Cases,   &["esc"],             Command::Cases(Cases::ClearFilter),   "",            "Stop the run, go back to the coverage that led here, or show every case again."),
    row(C::Filter,  &["enter", "esc"],    Command::Cases(Cases::EndFilter),     "done",        "Go to the list and keep the filter."),
    row(C::Filter,  &["down"],            Command::Move(Motion::Down),          "",            "Go one row down."),
    row(C::Filter,  &["up"],              Command::Move(Motion::Up),            "",            "Go one row up."),

    row(C::Label,   &["1", "2", "3", "4", "5", "6", "7", "8", "9"], Command::Label(Label::Nth(1)), "supporting", "Mark the hit of that number as supporting, or take the mark off."),
    row(C::Label,   &["enter", "space"],  Command::Label(Label::Supporting),    "",            "Mark the selected hit as supporting, or take the mark off."),
    row(C::Label,   &["d"],               Command::Label(Label::Distractor),    "distractor",  "Mark the selected hit as a distractor, or take the mark off."),
    row(C::Label,   &["a"],               Command::Label(Label::Alternative),   "alternative", "Add the selected hit as an alternative of the last requirement: one of them is enough."),
    row(C::Label,   &["t"],               Command::App(App::Tags),              "tags",        "Open the tags of this case."),
    row(C::Label,   &["n"],               Command::Label(Label::NextUnlabeled), "next",        "Go to the next unlabeled case."),
    row(C::Label,   &["/"],               Command::Label(Label::Search),        "search",      "Type into the search line."),
    row(C::Label,   &["u"],               Command::App(App::Undo),              "undo",        "Take the last edit back."),
    row(C::Label,   &["r"],               Command::App(App::Run),               "run",         "Run this case and show it."),
    row(C::Label,   &["e"],               Command::Label(Label::Focus),         "",            "Go to the labels, to remove or relink one."),
    row(C::Label,   &["0"],               Command::Label(Label::Unanswerable),  "",            "Say that nothing in the corpus answers, or take that back."),
    row(C::Label,   &["J", "ctrl-d"],     Command::Label(Label::ScrollDown),    "",            "Scroll the document down."),
    row(C::Label,   &["K", "ctrl-u"],     Command::Label(Label::ScrollUp),      "",            "Scroll the document up."),
    row(C::Label,   &["esc"],             Command::App(App::ShowCases),         "",            "Go back to the list of cases."),
    row(C::Label,   &["s"],               Command::Label(Label::Question),      "",            "Search with the question again."),
    row(C::Search,  &["enter", "esc"],    Command::Label(Label::EndSearch),     "hits",        "Go from the search line to the hits."),
    row(C::Search,  &["ctrl-r"],          Command::Label(Label::Question),      "question",    "Search with the question again."),
    row(C::Search,  &["down"],            Command::Move(Motion::Down),          "",            "Go one hit down."),
    row(C::Search,  &["up"],              Command::Move(Motion::Up),            "",            "Go one hit up."),
    row(C::Labels,  &["x", "delete"],     Command::Label(Label::Remove),        "remove",      "Take the selected label off."),
    row(C::Labels,  &["c"],               Command::Label(Label::Relink),        "relink",      "Point the selected broken label to its nearest candidate, or confirm where it moved to."),
    row(C::Labels,  &["u"],               Command::App(App::Undo),              "undo",        "Take the last edit back."),
    row(C::Labels,  &["e", "esc"],        Command::Label(Label::Focus),         "hits",        "Go back to the hits."),

    row(C::Inspect, &["e"],               Command::Inspect(Inspect::Further),   "ask further", "Where the answer alone does not tell where a chunk was lost: put a few more requests that do."),
    row(C::Inspect, &["r"],               Command::App(App::Run),               "run again",   "Run this case."),
    row(C::Inspect, &["b"],               Command::Inspect(Inspect::Beside),    "beside",      "Set this case beside the newest baseline that holds it, then beside the newest kept runs, then beside none."),
    row(C::Inspect, &["*"],               Command::Inspect(Inspect::Repeat),    "repeat",      "Ask this case five times, one after the other, and say what varies."),
    row(C::Inspect, &["!"],               Command::Inspect(Inspect::LabelWrong), "label wrong", "Write into the case why its label is wrong, or take that back."),
    row(C::Inspect, &["s"],               Command::Inspect(Inspect::Supporting), "supporting", "Mark the selected result as supporting, or take the mark off."),
    row(C::Inspect, &["d"],               Command::Inspect(Inspect::Distractor), "distractor", "Mark the selected result as a distractor, or take the mark off."),
    row(C::Inspect, &["l", "enter"],      Command::App(App::ShowLabel),         "label",       "Label this case."),
    row(C::Inspect, &["c"],               Command::Inspect(Inspect::NextConfig), "other config", "Go to the next config and run this case under it."),
    row(C::Inspect, &["n", "]"],          Command::App(App::NextCase),          "next",        "Go to the next case of the list."),
    row(C::Inspect, &["p", "["],          Command::App(App::PreviousCase),      "previous",    "Go to the case before."),
    row(C::Inspect, &["+", "="],          Command::Inspect(Inspect::Wider),     "",            "Make the window one larger (not saved)."),
    row(C::Inspect, &["-"],               Command::Inspect(Inspect::Narrower),  "",            "Make the window one smaller (not saved)."),
    row(C::Inspect, &["v"],               Command::Inspect(Inspect::WholeVerdict), "",         "Show the whole verdict where it is cut, or the ranking again."),
    row(C::Inspect, &["t"],               Command::App(App::Tags),              "tags",        "Open the tags of this case."),
    row(C::Inspect, &["J", "ctrl-d"],     Command::Inspect(Inspect::ScrollDown), "",           "Scroll the passage down."),
    row(C::Inspect, &["K", "ctrl-u"],     Command::Inspect(Inspect::ScrollUp),  "",            "Scroll the passage up."),
    row(C::Inspect, &["esc"],             Command::App(App::ShowCases),         "",            "Stop asking, or go back to the list of cases."),
    row(C::Reason,  &["enter"],           Command::Inspect(Inspect::SaveReason), "write",      "Write the reason into the case; an empty line takes an earlier one back."),
    row(C::Reason,  &["esc"],             Command::Inspect(Inspect::DropReason), "leave",      "Leave the case as it is."),

    row(C::Coverage, &["enter"],          Command::App(App::ShowSubset),        "cases",       "List the cases of the subset under the cursor; esc comes back."),
    row(C::Coverage, &["R"],              Command::App(App::RunAll),            "run all",     "Run every case; the numbers appear as the answers come."),
    row(C::Coverage, &["v"],              Command::Coverage(Coverage::NextSection), "next section", "Show the next section below the subsets: the subset, tags that stand together, sources and ages, what the cases leave out."),
    row(C::Coverage, &["J", "ctrl-d"],    Command::Coverage(Coverage::ScrollDown), "scroll",   "Scroll what stands below the subsets down."),
    row(C::Coverage, &["K", "ctrl-u"],    Command::Coverage(Coverage::ScrollUp), "",           "Scroll what stands below the subsets up."),
    row(C::Coverage, &["esc"],            Command::App(App::ShowCases),         "back",        "Stop the run, or go back to the list of cases."),

    row(C::Tags,    &["1", "2", "3", "4", "5", "6", "7", "8", "9"], Command::Tags(Tags::Nth(1)), "toggle", "Add the tag of that number, or take it off."),
    row(C::Tags,    &["space", "enter"],  Command::Tags(Tags::Toggle),          "",            "Add the selected tag, or take it off."),
    row(C::Tags,    &["a", "/"],          Command::Tags(Tags::New),             "new tag",     "Type a tag that is not in the list."),
    row(C::Tags,    &["u"],               Command::App(App::Undo),              "undo",        "Take the last edit back."),
    row(C::Tags,    &["esc", "t", "q"],   Command::Tags(Tags::Close),           "close",       "Close the tag list."),
    row(C::NewTag,  &["enter"],           Command::Tags(Tags::Add),             "add",         "Add the typed tag."),
    row(C::NewTag,  &["esc"],             Command::Tags(Tags::Close),           "back",        "Go back to the tag list."),

    row(C::List,    &["down", "j"],       Command::Move(Motion::Down),          "",            "Go one row down."),
    row(C::List,    &["up", "k"],         Command::Move(Motion::Up),            "",            "Go one row up."),
    row(C::List,    &["pgdn"],            Command::Move(Motion::PageDown),      "",            "Go one page down."),
    row(C::List,    &["pgup"],            Command::Move(Motion::PageUp),        "",            "Go one page up."),
    row(C::List,    &["home", "g"],       Command::Move(Motion::First),         "",            "Go to the first row."),
    row(C::List,    &["end", "G"],        Command::Move(Motion::Last),          "",            "Go to the last row."),

    row(C::Typing,  &["backspace", "ctrl-h"], Command::Type(Edit::Backspace),   "",            "Erase the character before the cursor."),
    row(C::Typing,  &["delete"],          Command::Type(Edit::Delete),          "",            "Erase the character after the cursor."),
    row(C::Typing,  &["ctrl-w"],          Command::Type(Edit::Word),            "",            "Erase the word before the cursor."),
    row(C::Typing,  &["ctrl-u"],          Command::Type(Edit::Clear),           "",            "Erase the whole line."),
    row(C::Typing,  &["left", "ctrl-b"],  Command::Type(Edit::Left),            "",            "Go one character to the left."),
    row(C::Typing,  &["right", "ctrl-f"], Command::Type(Edit::Right),           "",            "Go one character to the right."),
    row(C::Typing,  &["home", "ctrl-a"],  Command::Type(Edit::Home),            "",            "Go to the beginning of the line."),
    row(C::Typing,  &["end", "ctrl-e"],   Command::Type(Edit::End),             "",            "Go to the end of the line."),

    row(C::Global,  &["u"],               Command::App(App::Undo),              "",            "Take the last edit back."),
    row(C::Global,  &["U", "ctrl-r"],     Command::App(App::Redo),              "",            "Make the edit again that was taken back."),
    row(C::Global,  &["R"],               Command::App(App::RunAll),            "",            "Run every case."),
    row(C::Global,  &["."],               Command::App(App::Stop),              "",            "Stop the run; what is done is kept."),
    row(C::Global,  &["tab"],             Command::App(App::NextScreen),        "",            "Go to the next screen."),
    row(C::Global,  &["shift-tab"],       Command::App(App::PreviousScreen),    "",            "Go to the screen before."),
    row(C::Global,  &["?"],               Command::App(App::Help),              "help",        "Show the keys that work here."),
    row(C::Global,  &["q"],               Command::App(App::Quit),              "quit",        "Leave the program."),
    row(C::Help,    &["?", "esc", "q", "enter"], Command::App(App::Help),       "close",       "Close this page."),
    row(C::Always,  &["ctrl-s"],          Command::App(App::SaveAgain),         "",            "Try again to save what could not be saved."),
    row(C::Always,  &["ctrl-l"],          Command::App(App::Redraw),            "",            "Draw the whole screen anew."),
    row(C::Always,  &["ctrl-c"],          Command::App(App::Quit),              "",            "Leave the program."),
];

const fn row(
    context: C,
    keys: &'static [&'static str],
    command: Command,
    hint: &'static str,
    help: &'static str,
) -> Binding {
    Binding { context, keys, command, hint, help }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::tui::keymap::chord::Chord;

    #[test]
    fn every_key_parses_and_is_bound_once_in_its_context() {
        let mut seen = HashSet::new();
        for binding in TABLE {
            for key in binding.keys {
                let chord = Chord::parse(key).unwrap_or_else(|| panic!("{key} is no key"));
                assert!(seen.insert((binding.context, chord)), "{key} twice in {:?}", binding.context);
            }
        }
    }

    #[test]
    fn every_row_has_a_sentence_and_a_hint_of_few_words() {
        for binding in TABLE {
            assert!(binding.help.ends_with('.'), "{:?}", binding.keys);
            assert!(binding.hint.split(' ').count() <= 2, "{:?}", binding.keys);
        }
    }

    #[test]
    fn a_row_of_digits_stands_for_the_nth_of_something() {
        for binding in TABLE.iter().filter(|binding| binding.keys[0] == "1") {
            assert!(matches!(binding.command, Command::Label(Label::Nth(1)) | Command::Tags(Tags::Nth(1))));
        }
    }
}
