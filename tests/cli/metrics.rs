//! `caselight metrics`

use crate::support::Place;

#[test]
fn the_page_is_the_same_by_every_way_to_ask_for_it() {
    let place = Place::empty();
    let page = place.caselight(["metrics"]).success();
    assert!(page.starts_with("THE NUMBERS\n") && page.contains("IN TREC_EVAL'S WORDS"), "{page}");
    assert_eq!(place.caselight(["help", "metrics"]).success(), page);
    assert_eq!(place.caselight(["metrics", "--help"]).success(), page);
}
