//! Marks reductions for the interpreter. While a text is parsed, the last name in the list expression of such a loop
//! gets a suffix that no script can contain. Properties and functions with the suffix return a tagged list, and the
//! list's iterator reads the tag.

use std::cell::RefCell;

use rhai::{Dynamic, EvalContext, Position, Token};

use crate::syntax::text::place;

/// Line and column, from 1.
pub(crate) type Place = (usize, usize);

/// A loop that is a reduction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Reduction {
    /// The position of its `for`.
    pub(crate) place: Place,
    /// The position of the last name of its list: `within` of `me.others.within(4)`.
    pub(crate) list: Place,
}

/// The tag of a list that is iterated in slot order of the grid.
const SLOT_ORDER: i32 = 1;
const SUFFIX: &str = " in slots";

thread_local! {
    /// Line and column of the names that get the suffix in the text being parsed.
    static PLACES: RefCell<Vec<Place>> = RefCell::default();
}

/// Parses a text in which the names at these positions get the suffix.
pub(crate) fn parsed<R>(places: Vec<Place>, parse: impl FnOnce() -> R) -> R {
    let _until_parsed = SuffixGuard::new(places);
    parse()
}

/// Restores the unmarked state when dropped, also if the parser panics.
struct SuffixGuard;

impl SuffixGuard {
    fn new(places: Vec<Place>) -> Self {
        PLACES.set(places);
        Self
    }
}

impl Drop for SuffixGuard {
    fn drop(&mut self) {
        PLACES.take();
    }
}

/// Adds the suffix to a token at a marked position.
pub(crate) fn token(token: Token, position: Position) -> Token {
    let is_marked = |at| PLACES.with_borrow(|places| places.contains(&at));
    match token {
        Token::Identifier(word) if place(position).is_some_and(is_marked) => {
            Token::Identifier(Box::new(name(&word).into()))
        }
        token => token,
    }
}

/// Adds the suffix to a name.
pub(crate) fn name(plain: &str) -> String {
    format!("{plain}{SUFFIX}")
}

/// Removes all suffixes from a message of the engine.
pub(crate) fn plain(words: &str) -> String {
    words.replace(SUFFIX, "")
}

/// Tags a list for iteration in slot order.
pub(crate) fn with_slot_order(mut list: Dynamic) -> Dynamic {
    list.set_tag(SLOT_ORDER);
    list
}

/// Returns true if a list is to be iterated in slot order.
pub(crate) fn has_slot_order(list: &Dynamic) -> bool {
    list.tag() == SLOT_ORDER
}

/// Returns the tagged list in a variable, if the name has the suffix.
pub(crate) fn variable(name: &str, context: &EvalContext<'_, '_, '_, '_, '_, '_>) -> Option<Dynamic> {
    let plain = name.strip_suffix(SUFFIX)?;
    Some(with_slot_order(context.scope().get(plain)?.clone()))
}
