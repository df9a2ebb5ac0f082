//! `caselight keys`

use caselight::tui::keymap::doc;

use crate::support::Place;

#[test]
fn keys_prints_the_table_of_keys_and_needs_no_place() {
    assert_eq!(Place::empty().caselight(["keys"]).success(), doc::markdown());
}
