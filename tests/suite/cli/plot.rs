//! `steerbox plot`: files of plots.

use crate::common::project::{ProjectDir, failed, stderr, stdout};

const TABLE: &str = "a.rule.X,a.count,seed,a.polarization,a.speed,hash\n\
    0.5,10,1,0.2,3,00\n\
    0.5,10,2,0.4,5,01\n\
    0.5,20,1,,,error: no <b>\n\
    1,10,1,0.8,1,03\n\
    1,10,2,0.9,2,04\n\
    1,20,1,0.1,3,05\n";

fn project() -> ProjectDir {
    let project = super::project();
    project.save("t.csv", TABLE);
    project
}

fn plot(project: &ProjectDir, more: &[&str]) -> String {
    let output = project.call(&[&["plot", "t.csv"], more].concat());
    assert!(output.status.success(), "{}", stderr(&output));
    stdout(&output)
}

#[test]
fn a_plot_has_the_same_bytes_each_time_and_its_texts() {
    let project = project();
    let told = plot(&project, &["--out", "a.svg"]);
    assert!(told.contains("1 failed run skipped"), "{told}");
    plot(&project, &["--out", "b.svg"]);
    let text = project.read("a.svg");
    assert_eq!(text, project.read("b.svg"));
    for expected in ["a.polarization", "a.speed (length/s)", "a.rule.X", "a.count", "fill-opacity=\"0.2\""] {
        assert!(text.contains(expected), "{expected} in\n{text}");
    }
    for kind in ["line", "heat", "histogram", "scatter"] {
        let arguments =
            ["--kind", kind, "--theme", "dark", "--width", "300", "--height", "200", "--scale", "2"];
        plot(&project, &[&arguments[..], &["--out", "a.png"]].concat());
        let picture = std::fs::read(project.path("a.png")).expect("the picture");
        assert_eq!((&picture[1..4], &picture[16..24]), (&b"PNG"[..], &[0, 0, 2, 88, 0, 0, 1, 144][..]));
        plot(&project, &[&arguments[..], &["--out", "b.png"]].concat());
        assert!(picture == std::fs::read(project.path("b.png")).expect("the picture"), "{kind}");
    }
}

#[test]
fn a_reference_is_drawn_beside_the_curves() {
    let project = project();
    project.save("known.csv", "x,count,mean,error,n\n0.5,10,0.3,0.05,4\n1,20,0.2,0.05,4\n1,99,7,1,4\n");
    plot(&project, &["--y", "a.polarization", "--out", "a.svg"]);
    let told = plot(&project, &["--y", "a.polarization", "--reference", "known.csv", "--out", "b.svg"]);
    let remark = "circles: known.csv with the 95 % interval";
    assert!(told.contains(remark) && project.read("b.svg").contains(remark), "{told}");
    let paths = |name: &str| {
        project.read(name).matches("<path").count() + project.read(name).matches("<polyline").count()
    };
    assert_eq!(paths("b.svg") - paths("a.svg"), 8, "two circles, each with a bar and its ends");
}

#[test]
fn nothing_is_written_if_there_is_nothing_to_plot() {
    let project = project();
    for (arguments, status, reason) in [
        (&["t.csv", "--out", "a.jpg"][..], 2, "--out a.jpg: expected a name that ends in .svg or .png"),
        (&["no.csv", "--out", "a.svg"], 1, "cannot read no.csv"),
        (&["scenes/s.ron", "--out", "a.svg"], 1, "scenes/s.ron: it is not a table of results"),
        (
            &["t.csv", "--y", "a.sped", "--out", "a.svg"],
            1,
            "--y a.sped: the table has no such column: did you mean `a.speed`?",
        ),
        (&["t.csv", "--reference", "no.csv", "--out", "a.svg"], 1, "cannot read no.csv"),
        (&["t.csv", "--out", "t.csv"], 2, "--out t.csv: expected a name that ends in .svg or .png"),
    ] {
        failed(&project.call(&[&["plot"], arguments].concat()), status, &[reason]);
    }
    assert!(!project.path("a.svg").exists());
    assert_eq!(project.read("t.csv"), TABLE);
}
