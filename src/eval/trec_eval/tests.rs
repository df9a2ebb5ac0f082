use super::*;

fn values(asked: &[&str], ranked: &[Grade], judged: &[i64]) -> Vec<(String, f64)> {
    let wanted = Wanted { measures: Measure::parse(asked).unwrap_or_default(), level: 1 };
    let values = topic(ranked, judged, &wanted);
    names(&wanted).into_iter().map(|value| value.name).zip(values).collect()
}

fn value(asked: &str, ranked: &[Grade], judged: &[i64]) -> f64 {
    values(&[asked], ranked, judged).first().map_or(f64::NAN, |(_, value)| *value)
}

#[test]
fn each_measure_has_its_value_on_a_list_worked_out_by_hand() {
    // Relevant, judged wrong, unjudged, relevant, in the pool and not judged; one more relevant that was not found.
    let (ranked, judged) = ([Some(1), Some(0), None, Some(2), Some(-1)], [1, 0, 2, -1, 1, 0]);
    let ideal = 2.0 + 1.0 / 3_f64.log2() + 0.5;
    let expected = [
        ("num_ret", 5.0),
        ("num_rel", 3.0),
        ("num_rel_ret", 2.0),
        ("map", (1.0 + 0.5) / 3.0),
        ("Rprec", 1.0 / 3.0),
        ("bpref", (1.0 + 0.5) / 3.0),
        ("recip_rank", 1.0),
        ("P.5", 0.4),
        ("P.10", 0.2),
        ("recall.3", 1.0 / 3.0),
        ("recall.4", 2.0 / 3.0),
        ("success.1", 1.0),
        ("map_cut.3", 1.0 / 3.0),
        ("ndcg", (1.0 + 2.0 / 5_f64.log2()) / ideal),
        ("ndcg_cut.2", 1.0 / (2.0 + 1.0 / 3_f64.log2())),
        ("iprec_at_recall.0", 1.0),
        ("iprec_at_recall..5", 0.5),
        ("iprec_at_recall.1", 0.0),
    ];
    for (name, expected) in expected {
        let is = value(name, &ranked, &judged);
        assert!((is - expected).abs() < 1e-12, "{name}: {is}, not {expected}");
    }
}

#[test]
fn nothing_relevant_and_nothing_returned_is_0_and_no_nan() {
    let all: Vec<&str> = ["official", "recall", "ndcg", "ndcg_cut", "map_cut", "success"].to_vec();
    for (ranked, judged) in [(&[][..], &[1, 0][..]), (&[Some(0), None], &[0]), (&[], &[]), (&[Some(-1)], &[-1])] {
        for (name, value) in values(&all, ranked, judged) {
            assert!(value.is_finite() && (value <= 2.0), "{name} is {value}");
            assert!(value.is_sign_positive() || name == "gm_map", "{name} is {value}");
        }
    }
}

#[test]
fn measures_are_asked_for_as_trec_eval_takes_them_and_stand_in_its_order() {
    let named = |asked: &[&str]| {
        let wanted = Wanted { measures: Measure::parse(asked)?, level: 1 };
        Ok::<Vec<String>, MeasureError>(names(&wanted).into_iter().map(|value| value.name).collect())
    };
    assert_eq!(
        named(&["success", "P.7,3", "iprec_at_recall..5,.25", "map"]),
        Ok(vec![
            "map".to_owned(),
            "iprec_at_recall_0.25".to_owned(),
            "iprec_at_recall_0.50".to_owned(),
            "P_3".to_owned(),
            "P_7".to_owned(),
            "success_1".to_owned(),
            "success_5".to_owned(),
            "success_10".to_owned(),
        ])
    );
    assert_eq!(named(&[]).map(|names| names.len()), Ok(28));
    for (asked, expected) in [
        ("ndgc", "there is no measure `ndgc` here; there are official, "),
        ("map.5", "there is no measure `map.5` here; "),
        ("P.0", "`0` is no cut-off of `P`; expected ranks from 1, as in `P.5,10`"),
        ("iprec_at_recall.2", "`2` is no cut-off of `iprec_at_recall`; expected shares from 0 to 1, as in "),
    ] {
        let said = named(&[asked]).map_err(|error| error.to_string());
        assert!(said.as_ref().is_err_and(|said| said.starts_with(expected)), "{asked}: {said:?}");
    }
}
