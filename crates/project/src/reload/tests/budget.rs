//! Behaviors that exceed the work limit of their group are rejected.

use super::*;

/// Returns a case with three thousand units.
fn crowded() -> Case {
    Case::open(&SCENE.replace("count: 3", "count: 3000"), ONE)
}

#[test]
fn a_behavior_whose_calls_take_more_than_a_step_may_is_rejected() {
    let mut case = crowded();
    let slow = ONE.replace("K }", "let n = K; for i in 0..9000 { n += sin(i); } n }");
    case.rejects("one", &slow);
    let error = case.error();
    let words = "its calls for 3000 units took more than 3000000 operations in one step";
    assert_eq!((error.line, error.message.as_str()), (3, words));
    assert_eq!(case.first(), turn(2.0), "the previous version continues");
    let mut few = Case::new();
    assert_eq!(few.save("one", &slow), live("one.rhai"), "for three units it does");
}

#[test]
fn a_map_that_takes_more_than_a_step_may_is_rejected() {
    let slow = format!("{ONE} fn reloaded(old) {{ for i in 0..4000 {{ this.n = i; }} }}");
    assert_eq!(crowded().save("one", &slow), rejected("one.rhai"));
    assert_eq!(Case::new().save("one", &slow), live("one.rhai"));
}
