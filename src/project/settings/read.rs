//! From TOML to settings: every key known, every value of its type, every name defined.

use std::{path::Path, string::FromUtf8Error};

use super::{Settings, SettingsError};

pub(super) fn settings(_text: &str, path: &Path) -> Result<Settings, SettingsError> {
    Err(SettingsError::Missing { path: path.to_owned() })
}

pub(super) fn not_utf8(path: &Path, _error: &FromUtf8Error) -> SettingsError {
    SettingsError::Missing { path: path.to_owned() }
}
