//! `caselight` without a command: the screens. The only file outside `tui` that names it, beside `keys`.

use std::{env, path::Path};

use super::{Outcome, output};
use crate::{
    project::Project,
    tui::{
        app::App,
        event_loop::{self, Ended},
        jobs::ProjectJobs,
        theme::Theme,
    },
};

pub(super) fn run(folder: &Path, config: Option<&str>) -> anyhow::Result<Outcome> {
    let project = Project::open(folder)?;
    let config = project.settings.config(config.unwrap_or(&project.settings.default_config))?.name.clone();
    let folder = project.folder.clone();
    let (jobs, about, cases) = ProjectJobs::new(project);
    // https://no-color.org: set and not empty.
    let plain = env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    let mut app = App::new(about, cases, if plain { Theme::Plain } else { Theme::Colour });
    app.select_config(&config);
    let (ended, lost) = event_loop::run(app, std::sync::Arc::new(jobs), &folder);
    for edit in &lost {
        output::note(&format!("caselight: not saved, and lost: {edit}"));
    }
    Ok(match ended? {
        Ended::Quit if lost.is_empty() => Outcome::Fine,
        Ended::Quit => Outcome::CouldNotRun,
        Ended::Signal(number) => Outcome::Signal(number),
    })
}
