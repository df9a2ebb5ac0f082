use unicode_width::UnicodeWidthStr;

use super::*;
use crate::eval::{
    metric,
    testing::{hits, ids, needed},
};

fn near(a: f64, b: f64) -> bool {
    (a - b).abs() < metric::TOLERANCE
}

#[test]
fn every_example_of_the_page_is_what_the_metrics_say() {
    for example in &EXAMPLES {
        let (list, labels, k) = (hits(example.returned), needed(example.needed), example.k);
        let said = [
            (metric::recall(&list, &labels, k), example.recall),
            (metric::mrr(&list, &labels, k), example.mrr),
            (metric::precision(&list, &labels, k), example.precision),
            (metric::precision_ceiling(&list, &labels, k), example.ceiling),
            (metric::completeness(&list, &labels, k), example.completeness),
        ];
        assert!(said.iter().all(|&(is, said)| near(is, said)), "{example:?}: {said:?}");
    }
    for order in &ABOVE {
        let is = metric::distractor_above(&hits(order.returned), &needed(order.needed), &ids(order.distractors));
        assert_eq!(is, order.above, "{order:?}");
    }
    for deep in &DEPTH {
        let (list, labels) = (hits(deep.returned), needed(deep.needed));
        assert_eq!(metric::recall_at(&list, &labels, 1, deep.depth), deep.recall_at_1, "{deep:?}");
        assert_eq!(metric::recall_at(&list, &labels, 5, deep.depth), deep.recall_at_5, "{deep:?}");
        assert_eq!(metric::mrr_at(&list, &labels, 5, deep.depth), deep.mrr_at_5, "{deep:?}");
    }
    for (what, values, mean) in &MEANS {
        assert_eq!(metric::mean(values.iter().copied()), *mean, "{what}");
    }
}

#[test]
fn the_page_fits_80_columns_and_says_the_constants_as_they_are() {
    let page = page();
    assert!(page.lines().all(|line| line.width() <= 80), "{:?}", page.lines().find(|line| line.width() > 80));
    assert!(page.contains(&format!("Below {} cases", crate::eval::stats::TOO_FEW)));
    assert!(page.contains(&format!("by {:.9} or less", metric::TOLERANCE)));
}
