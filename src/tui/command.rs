//! What a key can ask for, screen by screen. Names only; what they do is in `app` and `screen`.

use super::widget::{input, list::Motion};

/// What a key asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Command {
    /// Something that every screen can do.
    App(App),
    /// Moving the cursor of the list that has the focus.
    Move(Motion),
    /// Editing the line that is being typed.
    Type(input::Edit),
    /// Something of the list of cases.
    Cases(Cases),
    /// Something of the labeling screen.
    Label(Label),
    /// Something of the screen that shows one case run.
    Inspect(Inspect),
    /// Something of the screen of what the cases cover.
    Coverage(Coverage),
    /// Something of the open tag list.
    Tags(Tags),
}

/// What every screen can do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum App {
    /// Leaves the program, after what is being saved is saved.
    Quit,
    /// Goes to the next screen.
    NextScreen,
    /// Goes to the screen before.
    PreviousScreen,
    /// Goes to the list of cases.
    ShowCases,
    /// Goes to the labeling screen with the case under the cursor.
    ShowLabel,
    /// Goes to the screen that shows the case under the cursor.
    ShowInspect,
    /// Goes to the screen of what the cases cover.
    ShowCoverage,
    /// Goes to the list of those cases that the screen of what they cover has under its cursor.
    ShowSubset,
    /// Opens the page of keys, or closes it.
    Help,
    /// Runs the case under the cursor and shows it.
    Run,
    /// Runs every case.
    RunAll,
    /// Stops the run.
    Stop,
    /// Takes the last edit back.
    Undo,
    /// Makes the edit again that was taken back.
    Redo,
    /// Tries again to save what could not be saved.
    SaveAgain,
    /// Opens the tags of the case under the cursor.
    Tags,
    /// Goes to the next case.
    NextCase,
    /// Goes to the case before.
    PreviousCase,
    /// Draws the whole screen anew.
    Redraw,
}

/// What the list of cases can do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cases {
    /// Types into the filter.
    Filter,
    /// Goes from the filter back to the list.
    EndFilter,
    /// Shows every case again.
    ClearFilter,
    /// Goes to the next unlabeled case.
    NextUnlabeled,
    /// Goes to the next case that needs a look.
    NextLook,
}

/// What the labeling screen can do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Label {
    /// Types into the search line.
    Search,
    /// Goes from the search line to the hits.
    EndSearch,
    /// Searches with the question again.
    Question,
    /// Marks the selected hit as supporting, or takes the mark off.
    Supporting,
    /// The same for the nth hit that is visible, from 1.
    Nth(u8),
    /// Marks the selected hit as a distractor, or takes the mark off.
    Distractor,
    /// Adds the selected hit as an alternative of the last requirement.
    Alternative,
    /// Says that nothing in the corpus answers, or takes that back.
    Unanswerable,
    /// Goes to the next unlabeled case.
    NextUnlabeled,
    /// Moves the focus between the hits and the labels.
    Focus,
    /// Takes the selected label off.
    Remove,
    /// Points the selected broken label to its nearest candidate.
    Relink,
    /// Scrolls the document down.
    ScrollDown,
    /// Scrolls the document up.
    ScrollUp,
}

/// What the screen of one case can do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Inspect {
    /// Goes to the next config.
    NextConfig,
    /// Makes the window one larger, unsaved.
    Wider,
    /// Makes the window one smaller, unsaved.
    Narrower,
    /// Marks the selected result as supporting, or takes the mark off.
    Supporting,
    /// Marks the selected result as a distractor, or takes the mark off.
    Distractor,
    /// Scrolls the passage down.
    ScrollDown,
    /// Scrolls the passage up.
    ScrollUp,
    /// Shows the verdict whole, or the ranking again.
    WholeVerdict,
    /// Asks further where a case was lost.
    Further,
    /// Sets the next kept run beside the case.
    Beside,
    /// Asks the case again and again.
    Repeat,
    /// Opens the line for the reason why the label is wrong.
    LabelWrong,
    /// Writes the typed reason into the case.
    SaveReason,
    /// Closes that line.
    DropReason,
}

/// What the screen of what the cases cover can do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Coverage {
    /// Shows the next section below the subsets.
    NextSection,
    /// Scrolls what stands below the subsets down.
    ScrollDown,
    /// Scrolls it up.
    ScrollUp,
}

/// What the open tag list can do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tags {
    /// Toggles the selected tag.
    Toggle,
    /// Toggles the nth tag, from 1.
    Nth(u8),
    /// Types a new tag.
    New,
    /// Adds the typed tag.
    Add,
    /// Closes the list, or the line for a new tag.
    Close,
}

/// Where a key was pressed. The innermost context that binds it wins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Context {
    /// Everywhere, even while typing.
    Always,
    /// Everywhere but while typing.
    Global,
    /// On the page of keys.
    Help,
    /// In a list.
    List,
    /// In a line of text.
    Typing,
    /// On the list of cases.
    Cases,
    /// In the filter of the list of cases.
    Filter,
    /// On the labeling screen, in the hits.
    Label,
    /// On the labeling screen, in the search line.
    Search,
    /// On the labeling screen, in the labels.
    Labels,
    /// On the screen of one case.
    Inspect,
    /// On the screen of one case, in the line for why its label is wrong.
    Reason,
    /// On the screen of what the cases cover.
    Coverage,
    /// In the open tag list.
    Tags,
    /// In the line for a new tag.
    NewTag,
}

impl Context {
    /// The heading for people.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Self::Always => "everywhere",
            Self::Global => "everywhere but in a text field",
            Self::Help => "keys",
            Self::List => "lists",
            Self::Typing => "text field",
            Self::Cases => "Cases",
            Self::Filter => "Cases, filter",
            Self::Label => "Label",
            Self::Search => "Label, search",
            Self::Labels => "Label, labels",
            Self::Inspect => "Inspect",
            Self::Reason => "Inspect, reason",
            Self::Coverage => "Coverage",
            Self::Tags => "tags",
            Self::NewTag => "new tag",
        }
    }
}
