//! The terminal front end: `Msg` in, `App::update`, effects out, `App::view`.
