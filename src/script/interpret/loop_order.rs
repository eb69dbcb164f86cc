//! How the interpreter is told which loops are reductions: while a text is parsed, the last name of the list of
//! such a loop gets a suffix that no script can write. What has a name with the suffix gives the list with a tag,
//! and an iterator over a list looks at the tag.

use std::cell::RefCell;

use rhai::{Dynamic, EvalContext, Position, Token};

use crate::script::syntax::text::place;

/// Line and column, from 1.
pub(in crate::script) type Place = (usize, usize);

/// A loop that is a reduction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::script) struct Reduction {
    /// Where its `for` stands.
    pub(in crate::script) place: Place,
    /// The last name of its list: `within` of `me.others.within(4)`.
    pub(in crate::script) list: Place,
}

/// The tag of a list that is gone through in the order of the grid's slots.
const IN_SLOTS: i32 = 1;
const SUFFIX: &str = " in slots";

thread_local! {
    /// Line and column of the names that get the suffix in the text that is being parsed.
    static PLACES: RefCell<Vec<Place>> = RefCell::default();
}

/// Parses a text in which the names at these places get the suffix.
pub(in crate::script) fn parsed<R>(places: Vec<Place>, parse: impl FnOnce() -> R) -> R {
    let _until_parsed = Marking::of(places);
    parse()
}

/// Names get the suffix as long as it is there: also a parser that panics leaves none behind.
struct Marking;

impl Marking {
    fn of(places: Vec<Place>) -> Self {
        PLACES.set(places);
        Self
    }
}

impl Drop for Marking {
    fn drop(&mut self) {
        PLACES.take();
    }
}

/// A token of a text that is being parsed.
pub(in crate::script) fn token(token: Token, position: Position) -> Token {
    let is_marked = |at| PLACES.with_borrow(|places| places.contains(&at));
    match token {
        Token::Identifier(word) if place(position).is_some_and(is_marked) => {
            Token::Identifier(Box::new(name(&word).into()))
        }
        token => token,
    }
}

/// A name with the suffix.
pub(in crate::script) fn name(plain: &str) -> String {
    format!("{plain}{SUFFIX}")
}

/// Words of the engine as they would be without suffixes.
pub(in crate::script) fn plain(words: &str) -> String {
    words.replace(SUFFIX, "")
}

/// A list as it is given by a name with the suffix.
pub(in crate::script) fn in_slots(mut list: Dynamic) -> Dynamic {
    list.set_tag(IN_SLOTS);
    list
}

/// Whether a list is to be gone through in the order of the grid's slots.
pub(in crate::script) fn is_in_slots(list: &Dynamic) -> bool {
    list.tag() == IN_SLOTS
}

/// The list in a variable whose name has the suffix.
pub(in crate::script) fn variable(
    name: &str,
    context: &EvalContext<'_, '_, '_, '_, '_, '_>,
) -> Option<Dynamic> {
    let plain = name.strip_suffix(SUFFIX)?;
    Some(in_slots(context.scope().get(plain)?.clone()))
}
