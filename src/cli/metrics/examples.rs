//! The examples of the page. Each is worked out by hand, and a test runs it through the functions that score every run.

/// One list held against one case: the numbers of the window.
#[derive(Debug)]
pub(super) struct Example {
    /// Ids, best first.
    pub(super) returned: &'static str,
    /// The requirements, each with its alternatives between bars.
    pub(super) needed: &'static str,
    pub(super) k: usize,
    pub(super) recall: f64,
    pub(super) mrr: f64,
    pub(super) precision: f64,
    pub(super) ceiling: f64,
    pub(super) completeness: f64,
    /// What the example is about.
    pub(super) why: &'static str,
}

/// `recall, mrr, precision, its ceiling, completeness`.
const fn example(
    returned: &'static str,
    needed: &'static str,
    k: usize,
    values: [f64; 5],
    why: &'static str,
) -> Example {
    let [recall, mrr, precision, ceiling, completeness] = values;
    Example { returned, needed, k, recall, mrr, precision, ceiling, completeness, why }
}

const THIRD: f64 = 1.0 / 3.0;

pub(super) const EXAMPLES: [Example; 10] = [
    example(
        "a x y",
        "a",
        3,
        [1.0, 1.0, THIRD, THIRD, 1.0],
        "perfect: with one supporting chunk, precision ends at 1/3",
    ),
    example("x y a", "a", 3, [1.0, THIRD, THIRD, THIRD, 1.0], ""),
    example("x y z a", "a", 3, [0.0, 0.0, 0.0, THIRD, 0.0], "below the window"),
    example("a x y", "a b", 3, [1.0, 1.0, THIRD, 2.0 * THIRD, 0.5], "the rule is found, its exception is not"),
    example("x b y", "a|b c", 3, [1.0, 0.5, THIRD, 1.0, 0.5], "either of a and b would do; c is missing"),
    example("a b", "a|b", 3, [1.0, 1.0, 1.0, 1.0, 1.0], "both are supporting chunks, one was enough"),
    example("a", "a|b a|c", 3, [1.0, 1.0, 1.0, 1.0, 1.0], "one chunk may satisfy two requirements"),
    example("a a x", "a b", 3, [1.0, 1.0, THIRD, 2.0 * THIRD, 0.5], "the repeat takes a place and earns nothing"),
    example("x x a", "a", 2, [0.0, 0.0, 0.0, 0.5, 0.0], "the repeat takes a place"),
    example("", "a", 3, [0.0, 0.0, 0.0, 0.0, 0.0], "scored 0, and counted as no results"),
];

/// One list, and whether a distractor stands above the answer.
#[derive(Debug)]
pub(super) struct Order {
    pub(super) returned: &'static str,
    pub(super) needed: &'static str,
    pub(super) distractors: &'static str,
    pub(super) above: bool,
}

const fn order(returned: &'static str, needed: &'static str, distractors: &'static str, above: bool) -> Order {
    Order { returned, needed, distractors, above }
}

pub(super) const ABOVE: [Order; 6] = [
    order("d a", "a", "d", true),
    order("a d", "a", "d", false),
    order("d e a", "a", "e", true),
    order("x d", "a", "d", true),
    order("x a", "a", "d", false),
    order("x y", "a", "d", false),
];

/// One list to some depth, and what is known at a K.
#[derive(Debug)]
pub(super) struct Deep {
    pub(super) returned: &'static str,
    pub(super) needed: &'static str,
    pub(super) depth: usize,
    pub(super) recall_at_1: Option<f64>,
    pub(super) recall_at_5: Option<f64>,
    pub(super) mrr_at_5: Option<f64>,
}

pub(super) const DEPTH: [Deep; 3] = [
    Deep {
        returned: "x y z a",
        needed: "a",
        depth: 10,
        recall_at_1: Some(0.0),
        recall_at_5: Some(1.0),
        mrr_at_5: Some(0.25),
    },
    Deep {
        returned: "x y",
        needed: "a",
        depth: 5,
        recall_at_1: Some(0.0),
        recall_at_5: Some(0.0),
        mrr_at_5: Some(0.0),
    },
    Deep { returned: "a x y", needed: "a", depth: 3, recall_at_1: Some(1.0), recall_at_5: None, mrr_at_5: None },
];

/// What came of some cases, the values that are averaged, and the mean.
pub(super) const MEANS: [(&str, &[f64], Option<f64>); 3] = [
    ("recall of found, missed, no results", &[1.0, 0.0, 0.0], Some(THIRD)),
    ("recall of found, missed, error, unlabeled", &[1.0, 0.0], Some(0.5)),
    ("recall of unlabeled, unlabeled", &[], None),
];
