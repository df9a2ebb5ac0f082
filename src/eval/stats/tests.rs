#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use proptest::prelude::*;

use super::*;

#[test]
fn the_sign_test_is_the_binomial_tail_counted_by_hand() {
    for (improved, regressed, expected) in [
        (0, 0, 1.0),
        (1, 0, 1.0),
        (5, 0, 2.0 / 32.0),
        (6, 0, 2.0 / 64.0),
        (7, 1, 2.0 * 9.0 / 256.0),
        (8, 1, 2.0 * 10.0 / 512.0),
        (4, 4, 1.0),
        (3, 4, 1.0),
        // 2 · (C(80,0) + … + C(80,30)) / 2^80, in whole numbers
        (50, 30, 0.032_992_618_426_476_18),
    ] {
        let p = sign_test(improved, regressed);
        assert!((p - expected).abs() < 1e-9, "{improved}, {regressed}: {p}, expected {expected}");
    }
    assert!(sign_test(60_000, 40_000) < 1e-12);
    assert!((sign_test(50_000, 50_000) - 1.0).abs() < 1e-9);
}

#[test]
fn wilson_gives_the_published_values() {
    // R. G. Newcombe, Statistics in Medicine 17 (1998), table I, method 3.
    for (hits, n, low, high) in
        [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)]
    {
        let found = wilson(hits, n).unwrap();
        assert!((found.low - low).abs() < 5e-5 && (found.high - high).abs() < 5e-5, "{hits}/{n}: {found:?}");
    }
    assert_eq!(wilson(0, 0), None);
    assert_eq!(wilson(2, 1), None);
}

#[test]
fn the_bootstrap_is_the_same_every_time() {
    // The same draws written down in Python come to this interval.
    let differences = [0.0, 0.0, 1.0, -0.5, 0.25, 0.0, 0.0, 1.0, 0.0, -0.25];
    let first = mean_difference(&differences).unwrap();
    assert_eq!(mean_difference(&differences), Some(first));
    assert_eq!(first, Interval { low: -0.1, high: 0.45 });
    assert_eq!(mean_difference(&[1.0]), None);
    assert_eq!(mean_difference(&[0.5; 4]), Some(Interval { low: 0.5, high: 0.5 }));
}

#[test]
fn the_draws_are_those_of_splitmix64() {
    // The first outputs that its author's program prints for the seed 0.
    let mut draws = SplitMix64(0);
    assert_eq!([draws.next(), draws.next()], [0xe220_a839_7b1d_cdaf, 0x6e78_9e6a_a1b9_65f4]);
}

#[test]
fn many_pairs_are_not_drawn_again_and_come_to_the_same() {
    let differences = |n: usize| (0..n).map(|i| [1.0, 0.0, 0.0, -0.5][i % 4]).collect::<Vec<_>>();
    let drawn = mean_difference(&differences(MOST_DRAWN)).unwrap();
    let computed = normal(&differences(MOST_DRAWN));
    assert!((drawn.low - computed.low).abs() < 0.002 && (drawn.high - computed.high).abs() < 0.002);
    assert_eq!(mean_difference(&differences(1_004)), Some(normal(&differences(1_004))));
}

#[test]
fn a_sentence_says_what_so_few_cases_can_show() {
    for (pairs, improved, regressed, expected) in [
        (0, 0, 0, "0 pairs are too few to tell: below 10, no difference is claimed"),
        (1, 1, 0, "1 pair is too few to tell: below 10, no difference is claimed"),
        (9, 9, 0, "9 pairs are too few to tell: below 10, no difference is claimed"),
        (
            34,
            0,
            0,
            "no case improved or regressed; on 34 pairs, a change that touches up to 1 question in 11 can go unseen",
        ),
        (
            34,
            7,
            1,
            "7 improved, 1 regressed: sign test p 0.07, chance can do that; one more improved case and it would be 0.04",
        ),
        (
            34,
            0,
            3,
            "0 improved, 3 regressed: sign test p 0.25, chance can do that; 3 more regressed cases and it would be 0.03",
        ),
        (
            34,
            7,
            0,
            "7 improved, 0 regressed: sign test p 0.02, more than chance; one more regressed case and it would be 0.07",
        ),
        (60, 1, 20, "1 improved, 20 regressed: sign test p below 0.005, more than chance"),
    ] {
        assert_eq!(Finding::new(pairs, improved, regressed).to_string(), expected);
    }
}

proptest! {
    #[test]
    fn the_sign_test_does_not_care_which_side_is_which(a in 0_usize..400, b in 0_usize..400) {
        let p = sign_test(a, b);
        prop_assert!((0.0..=1.0).contains(&p));
        prop_assert_eq!(p.to_bits(), sign_test(b, a).to_bits());
    }

    #[test]
    fn wilson_stays_in_its_range_and_holds_the_proportion(n in 1_usize..5_000, share in 0.0_f64..=1.0) {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a share of a small number")]
        let hits = ((n as f64) * share) as usize;
        let interval = wilson(hits, n).unwrap();
        let proportion = hits as f64 / n as f64;
        prop_assert!(0.0 <= interval.low && interval.low <= proportion);
        prop_assert!(proportion <= interval.high && interval.high <= 1.0);
    }

}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    #[test]
    fn turned_differences_give_the_turned_interval(differences in proptest::collection::vec(-1.0_f64..=1.0, 2..40)) {
        let there = mean_difference(&differences).unwrap();
        let turned: Vec<f64> = differences.iter().map(|difference| -difference).collect();
        let back = mean_difference(&turned).unwrap();
        prop_assert!((there.low + back.high).abs() < 1e-12 && (there.high + back.low).abs() < 1e-12);
    }
}
