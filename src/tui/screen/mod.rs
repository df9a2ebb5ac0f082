//! One file per screen. To add one: write its file, add it to `ScreenId`, and follow the compiler.

pub mod cases;
pub mod coverage;
pub mod inspect;
pub mod label;
mod marking;
mod parts;
pub mod tags;

use ratatui::layout::{Position, Rect};

use super::{
    command::{Command, Context},
    data::Data,
    widget::{canvas::Canvas, list::Motion},
};

/// Which screen is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ScreenId {
    /// The list of cases.
    #[default]
    Cases,
    /// Labeling one case.
    Label,
    /// One case run.
    Inspect,
    /// What the cases cover.
    Coverage,
}

impl ScreenId {
    /// Every screen, in the order of the tabs.
    pub const ALL: [Self; 4] = [Self::Cases, Self::Label, Self::Inspect, Self::Coverage];

    /// The word on its tab.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Self::Cases => "Cases",
            Self::Label => "Label",
            Self::Inspect => "Inspect",
            Self::Coverage => "Coverage",
        }
    }
}

/// What the app needs of every screen. Commands are not here: each screen has its own.
pub trait Screen {
    /// Where keys go, innermost first.
    fn contexts(&self) -> &'static [Context];
    /// Whether a command is to be offered in the footer now; its key works anyhow.
    fn offers(&self, command: Command, data: &Data) -> bool {
        let _ = (command, data);
        true
    }
    /// Moves the cursor of the list that has the focus.
    fn moved(&mut self, motion: Motion, data: &mut Data);
    /// Draws; gives the place of the text cursor where something is being typed.
    fn view(&self, data: &Data, area: Rect, canvas: &mut Canvas<'_>) -> Option<Position>;
}

/// The state of every screen.
#[derive(Debug, Default)]
pub struct Screens {
    /// The list of cases.
    pub cases: cases::CasesScreen,
    /// Labeling.
    pub label: label::LabelScreen,
    /// One case run.
    pub inspect: inspect::InspectScreen,
    /// What the cases cover.
    pub coverage: coverage::CoverageScreen,
}

impl Screens {
    /// The screen to draw.
    #[must_use]
    pub fn get(&self, id: ScreenId) -> &dyn Screen {
        match id {
            ScreenId::Cases => &self.cases,
            ScreenId::Label => &self.label,
            ScreenId::Inspect => &self.inspect,
            ScreenId::Coverage => &self.coverage,
        }
    }

    /// The screen to move in.
    pub fn get_mut(&mut self, id: ScreenId) -> &mut dyn Screen {
        match id {
            ScreenId::Cases => &mut self.cases,
            ScreenId::Label => &mut self.label,
            ScreenId::Inspect => &mut self.inspect,
            ScreenId::Coverage => &mut self.coverage,
        }
    }
}
