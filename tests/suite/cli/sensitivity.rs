//! `steerbox sensitivity`: effects of variables on measures from a table of a sweep.

use super::project;
use crate::common::project::{failed, stderr, stdout};

#[test]
fn elementary_effects_are_computed_from_the_table_of_a_sweep() {
    let project = project();
    let sweep = |file: &str, vary: [&str; 2], more: &[&str]| {
        let sweep = ["sweep", "scenes/s.ron", "--vary", vary[0], "--vary", vary[1], "--steps", "5"];
        let measure = ["--measure", "polarization,a.speed", "--quiet", "--out", file];
        let output = project.call(&[&sweep[..], &measure, more].concat());
        assert!(output.status.success(), "{}", stderr(&output));
    };
    let bounds = ["a.gather.gain=0..2", "a.gather.REACH=10..40"];
    sweep("t.csv", bounds, &["--sample", "morris:2"]);
    assert_eq!(project.read("t.csv").lines().count(), 1 + 2 * 3, "two trajectories of three points");
    let output = project.call(&["sensitivity", "t.csv"]);
    assert!(output.status.success(), "{}", stderr(&output));
    let text = stdout(&output);
    let rows: Vec<Vec<_>> = text.lines().map(|line| line.split(',').collect()).collect();
    assert_eq!(rows[0][..3], ["measure", "variable", "n"], "{text}");
    let names: Vec<_> = rows[1..].iter().map(|row| [row[0], row[1], row[2]]).collect();
    let expected = ["polarization", "a.speed"]
        .map(|measure| ["a.gather.gain", "a.gather.REACH"].map(|variable| [measure, variable, "2"]));
    assert_eq!(names, expected.concat());
    let numbers = |row: &Vec<&str>| row[3..].iter().all(|cell| cell.parse::<f64>().is_ok());
    assert!(rows[1..].iter().all(numbers), "{text}");
    assert_eq!(text, stdout(&project.call(&["sensitivity", "t.csv"])));

    sweep("all.csv", ["a.gather.gain=0,2", "a.gather.REACH=10,40"], &[]);
    failed(
        &project.call(&["sensitivity", "all.csv"]),
        1,
        &["all.csv: ", "its manifest has no `sample`", "--sample morris:N"],
    );
    sweep("l.csv", bounds, &["--sample", "latin:4"]);
    failed(
        &project.call(&["sensitivity", "l.csv"]),
        1,
        &["l.csv: its sample is latin:4, from which no sensitivity can be computed"],
    );
    std::fs::remove_file(project.path("t.csv.json")).expect("it was there");
    failed(&project.call(&["sensitivity", "t.csv"]), 1, &["it has no manifest t.csv.json"]);
    failed(&project.call(&["sensitivity", "none.csv"]), 1, &["none.csv: cannot read the table"]);
}
