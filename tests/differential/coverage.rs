//! Random programs cover all forms and statements.

use std::collections::BTreeSet;

use crate::program::{Case, all_forms};

/// Enough for rare forms.
const PROGRAMS: u64 = 3000;

/// Texts that programs must contain, in addition to the forms of the tables.
#[rustfmt::skip]
const WORDS: &[&str] = &[
    "if ", " else if ", "(if ", "switch ", "(switch ", " | 2 ", "..=", "while ", "= loop {", " loop {", "do {",
    "} while ", "} until ", "for (", "for i", " in me.", " in world.obstacles", "range(", "break;", "continue;",
    "{ break ", "return ()", "const v", "let v", "+=", "-=", "*=", "/=", "%=", "**=", "<<=", ">>=", "&=", "|=",
    "^=", ".x = ", ".y *= ", "this.angle = ", "this.angle += ", "this.count ", "this.on = ", "this.goal = ",
    "this.goal *= ", "this.goal.x = ", "helper_", "REACH", "COUNT", "FIRM", "MODE", "UP", "HALF", ".mark(",
    "draw_line(", "draw_circle(", "draw_text(", ".deposit(", "spawn(", ".die()", ".face(", " != () {", " == () { return",
];

#[test]
fn programs_use_every_form_and_every_statement() {
    let mut forms: BTreeSet<_> = all_forms().collect();
    let mut words: BTreeSet<_> = WORDS.iter().collect();
    for seed in 0..PROGRAMS {
        let program = Case::random(seed).program;
        let text = program.file();
        words.retain(|word| !text.contains(**word));
        program.walk(&mut |node| {
            forms.remove(&*node.form);
        });
    }
    assert!(forms.is_empty(), "never used: {forms:?}");
    assert!(words.is_empty(), "never said: {words:?}");
}
