//! Requests of editors about random texts, at random places: each is answered, and each range in an answer is a part of the
//! text.
//!
//! `STEERBOX_TEXTS=100000 cargo test --test suite random_texts` tries more texts, `STEERBOX_SEED=7` others.

use std::ops::Range;
use std::path::Path;

use steerbox_project::language::Workspace;

use crate::common::dice::Dice;
use crate::common::number_of;
use crate::lsp::random_edits::PIECES;

/// Default number of texts, unless `STEERBOX_TEXTS` is set.
const TEXTS: u64 = 100;
const SCRIPT: &str = "import \"part\" as part;\nconst A = param(1.0, 0.0, 2.0);\nconst MEMORY = #{ n: 0.0 };\nfn steer(me, world) {\n\tlet a = \"🐟\"; this.n += 1.0; for o in me.neighbors { a += o.speed; } part::twice(me.heading * A)\n}\n";
const SCENE: &str = "( // 🐟\n\tworld: Plane(size: (9, 9)),\r\n\tbodies: {\"b\": Mover()}, views: {\"v\": Around(radius: 2)},\n\tgroups: [(name: \"é\", body: \"b\", look: (color: \"#f80\"), behaviors: [(script: \"a\", params: {\"A\": 1.0})])],\n\tobstacles: [Circle(center: (1, 1), radius: 1)],\n)";
/// Pieces of scenes and brackets, in addition to those of edits.
const MORE: [&str; 9] = ["]", ", ", ": ", "r#\"", "'", "groups: ", "behaviors: [", "params: {\"", "size: ("];

/// Returns a random place of a text.
fn place(dice: &mut Dice, text: &str) -> usize {
    text.floor_char_boundary(dice.below(text.len() + 1))
}

/// Returns a text after random edits.
fn edited(dice: &mut Dice, text: &str) -> String {
    let mut text = if dice.once_in(4) { String::new() } else { text.to_owned() };
    for _ in 0..=dice.below(6) {
        let (from, to) = (place(dice, &text), place(dice, &text));
        let to = if dice.once_in(3) { to.max(from) } else { from };
        let mut piece = || if dice.once_in(4) { dice.pick(&MORE) } else { dice.pick(&PIECES) };
        let new: String = (0..6).map(|_| piece()).collect();
        text.replace_range(from.min(to)..to, &new);
    }
    text
}

/// A text whose requests are being answered.
struct Case {
    seed: u64,
    text: String,
}

impl Drop for Case {
    fn drop(&mut self) {
        if std::thread::panicking() {
            #[allow(clippy::print_stdout, reason = "the seed repeats the failure")]
            {
                println!("seed {}: {:?}", self.seed, self.text);
            }
        }
    }
}

#[test]
fn requests_about_random_texts_are_answered() {
    let (first, texts) = (number_of("STEERBOX_SEED", 1), number_of("STEERBOX_TEXTS", TEXTS));
    for seed in (first..).take(texts as usize) {
        let mut dice = Dice::new(seed);
        let (name, start) = dice.pick(&[
            ("/p/scripts/a.rhai", SCRIPT),
            ("/p/scripts/part.rhai", SCRIPT),
            ("/p/scenes/s.ron", SCENE),
        ]);
        let case = Case { seed, text: edited(&mut dice, start) };
        request(&mut dice, name, &case.text);
    }
}

/// Makes every request about a text.
fn request(dice: &mut Dice, name: &str, text: &str) {
    let (path, mut workspace) = (Path::new(name), Workspace::default());
    for (other, text) in [("/p/scripts/a.rhai", SCRIPT), ("/p/scenes/s.ron", SCENE)] {
        workspace.set_buffer(Path::new(other), text.into());
    }
    workspace.set_buffer(path, text.into());
    let check = |range: &Range<usize>| assert!(text.get(range.clone()).is_some(), "{range:?} of {text:?}");
    workspace.diagnostics(path).iter().for_each(|it| check(&it.range));
    workspace.tokens(path).iter().for_each(|it| check(&it.range));
    workspace.colors(path).iter().for_each(|it| check(&it.range));
    workspace.symbols(path).iter().for_each(|it| check(&it.range));
    workspace.format(path).iter().for_each(|it| check(&it.range));
    workspace.folds(path);
    for _ in 0..8 {
        let (at, other) = (place(dice, text), place(dice, text));
        workspace.complete(path, at).iter().for_each(|it| check(&it.edit.range));
        workspace.hover(path, at).iter().for_each(|it| check(&it.range));
        workspace.signature(path, at);
        workspace.definition(path, at);
        workspace.references(path, at);
        workspace.renamed_at(path, at).iter().for_each(check);
        _ = workspace.rename(path, at, "renamed");
        workspace.actions(path, at.min(other)..at.max(other));
    }
}
