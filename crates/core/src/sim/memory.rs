//! Memory of behaviors: declared fields per unit, in rows of 32-bit words.
//!
//! Rows are copied, hashed and restored without interpretation, and a reload migrates fields by name and kind. A map per
//! unit would be dozens of times slower.

use glam::Vec3;
use serde::{Deserialize, Serialize};

use crate::world::{Distribution, Extrema, name_key};

/// The kind of a field, determined by its initial value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum FieldKind {
    /// A 32-bit float in one word; integers are converted.
    Number,
    /// A bool, 0 or 1, in one word.
    Bool,
    /// Three floats in three words.
    Vector,
}

impl FieldKind {
    /// The number of words of a field of this kind.
    pub fn words(self) -> usize {
        match self {
            Self::Number | Self::Bool => 1,
            Self::Vector => 3,
        }
    }
}

/// A declared field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// Its name in the script.
    pub name: String,
    /// Its kind.
    pub kind: FieldKind,
    /// Its first word in a row.
    pub offset: usize,
    /// The words of the initial value; those past [`FieldKind::words`] are unused.
    pub initial: [u32; 3],
}

/// The kind of a drawn parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DrawnKind {
    /// A 32-bit float.
    Number,
    /// A 32-bit integer.
    Integer,
    /// A bool, 0 or 1.
    Switch,
}

/// A parameter of which each unit draws its own value. It occupies one word of a row, after the fields. It is a function
/// of the seed and of the keys of unit and behavior, and is never copied from another row.
#[derive(Clone, Debug, PartialEq)]
pub struct Drawn {
    /// Its name in the script.
    pub name: String,
    /// Its kind.
    pub kind: DrawnKind,
    /// Its word in a row.
    pub offset: usize,
    distribution: Distribution,
    /// The limits of its values, inclusive.
    range: (f32, f32),
    /// The key of its name.
    key: u64,
}

impl Drawn {
    /// Returns the word of a unit.
    fn word(&self, seed: u64, unit: u64, behavior: u64) -> u32 {
        let (least, most) = self.range;
        let number = self.distribution.of_unit(seed, unit, behavior, self.key).greater(least).lesser(most);
        match self.kind {
            DrawnKind::Number => bits(number),
            DrawnKind::Integer => (number.round() as i32).cast_unsigned(),
            DrawnKind::Switch => u32::from(number != 0.0),
        }
    }
}

/// The fields of one behavior, sorted by name, and its drawn parameters.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MemoryLayout {
    fields: Vec<Field>,
    drawn: Vec<Drawn>,
    words: usize,
}

impl MemoryLayout {
    /// Appends a field.
    pub fn push(&mut self, name: impl Into<String>, kind: FieldKind, initial: [u32; 3]) {
        self.fields.push(Field { name: name.into(), kind, offset: self.words, initial });
        self.words += kind.words();
    }

    /// Appends a parameter that units draw from `distribution`, within `range`. Fields must precede it.
    pub fn push_drawn(
        &mut self,
        name: impl Into<String>,
        kind: DrawnKind,
        (distribution, range): (Distribution, (f32, f32)),
    ) {
        let name = name.into();
        let (key, offset) = (name_key(&name), self.words);
        self.drawn.push(Drawn { name, kind, offset, distribution, range, key });
        self.words += 1;
    }

    /// The drawn parameters.
    pub fn drawn(&self) -> &[Drawn] {
        &self.drawn
    }

    /// Writes the drawn parameters of a unit into a row.
    pub fn draw(&self, row: &mut [u32], seed: u64, unit: u64, behavior: u64) {
        for drawn in &self.drawn {
            row[drawn.offset] = drawn.word(seed, unit, behavior);
        }
    }

    /// The number of words of the fields, which come first in a row.
    pub fn field_words(&self) -> usize {
        self.words - self.drawn.len()
    }

    /// All fields.
    pub fn fields(&self) -> &[Field] {
        &self.fields
    }

    /// Returns the field with a name.
    pub fn field(&self, name: &str) -> Option<&Field> {
        self.fields.iter().find(|field| field.name == name)
    }

    /// The number of words of a row: fields and drawn parameters.
    pub fn words(&self) -> usize {
        self.words
    }

    /// Writes the initial values of the fields into a row.
    pub fn reset(&self, row: &mut [u32]) {
        for field in &self.fields {
            let words = field.kind.words();
            row[field.offset..][..words].copy_from_slice(&field.initial[..words]);
        }
    }

    /// Returns the fields, with their words in `row`, that another layout lacks; `None` if it lacks none.
    pub fn without(&self, other: Option<&Self>, row: &[u32]) -> Option<(Self, Vec<u32>)> {
        let (mut layout, mut words) = (Self::default(), Vec::new());
        for field in &self.fields {
            let known = other.and_then(|other| other.field(&field.name));
            if known.is_none_or(|known| known.kind != field.kind) {
                layout.push(field.name.clone(), field.kind, field.initial);
                words.extend(row.get(field.offset..)?.get(..field.kind.words())?);
            }
        }
        (!layout.fields.is_empty()).then_some((layout, words))
    }

    /// Copies the values of a row with layout `old` into the fields of the same name and kind that have their initial values.
    pub(super) fn restore(&self, row: &mut [u32], old: &Self, old_row: &[u32]) {
        for field in &self.fields {
            let words = field.kind.words();
            let before = old.field(&field.name).filter(|before| before.kind == field.kind);
            let target = row.get_mut(field.offset..).and_then(|row| row.get_mut(..words));
            let before = before.and_then(|before| old_row.get(before.offset..)?.get(..words));
            if let (Some(target), Some(before)) = (target, before)
                && *target == field.initial[..words]
            {
                target.copy_from_slice(before);
            }
        }
    }

    /// Returns the field of `old` and that of this layout which have no namesake in the other, if each is the only one and
    /// both have one kind: a field that was renamed.
    pub fn renamed<'a>(&'a self, old: &'a Self) -> Option<(&'a Field, &'a Field)> {
        fn only<'a>(fields: &'a [Field], other: &MemoryLayout) -> Option<&'a Field> {
            let mut own = fields.iter().filter(|field| other.field(&field.name).is_none());
            own.next().filter(|_| own.next().is_none())
        }
        let (before, after) = (only(&old.fields, self)?, only(&self.fields, old)?);
        (before.kind == after.kind).then_some((before, after))
    }

    /// Returns the names of the fields of `old` whose values this layout does not continue.
    pub fn lost<'a>(&'a self, old: &'a Self) -> impl Iterator<Item = &'a str> {
        let renamed = self.renamed(old).map(|(before, _)| before.name.as_str());
        let lost = old.fields.iter().filter(move |before| {
            let is_known = self.field(&before.name).is_some_and(|field| field.kind == before.kind);
            !is_known && renamed != Some(before.name.as_str())
        });
        lost.map(|before| before.name.as_str())
    }

    /// Copies the values of a row with layout `old` into the fields of the same name and kind, and into one that was
    /// renamed.
    pub fn migrate(&self, row: &mut [u32], old: &Self, old_row: &[u32]) {
        let renamed = self.renamed(old);
        for field in &self.fields {
            let was = renamed.filter(|(_, after)| after.name == field.name).map(|(before, _)| before);
            let before = old.field(&field.name).or(was);
            if let Some(before) = before.filter(|before| before.kind == field.kind) {
                let words = field.kind.words();
                row[field.offset..][..words].copy_from_slice(&old_row[before.offset..][..words]);
            }
        }
    }
}

/// The words of a number.
pub fn number_words(value: f32) -> [u32; 3] {
    [bits(value), 0, 0]
}

/// Canonical bits of a float. NaN has one representation: the bits that an operation returns depend on the order of its
/// operands, and the state hash must not.
fn bits(value: f32) -> u32 {
    if value.is_nan() { f32::NAN } else { value }.to_bits()
}

/// The words of a vector.
pub fn vector_words(value: Vec3) -> [u32; 3] {
    value.to_array().map(bits)
}

/// The vector in three words.
pub fn vector(words: &[u32]) -> Vec3 {
    Vec3::from([words[0], words[1], words[2]].map(f32::from_bits))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_layout_keeps_values_of_the_same_name_and_kind() {
        let mut old = MemoryLayout::default();
        old.push("angle", FieldKind::Number, number_words(0.5));
        old.push("goal", FieldKind::Vector, vector_words(Vec3::X));
        let mut new = MemoryLayout::default();
        new.push("goal", FieldKind::Vector, vector_words(Vec3::ZERO));
        new.push("angle", FieldKind::Vector, vector_words(Vec3::ONE));
        let (mut before, mut after) = (vec![0; old.words()], vec![0; new.words()]);
        old.reset(&mut before);
        new.reset(&mut after);
        new.migrate(&mut after, &old, &before);
        assert_eq!(vector(&after), Vec3::X);
        assert_eq!(vector(&after[3..]), Vec3::ONE);
    }

    #[test]
    fn fields_that_a_layout_lacks_are_restored_unless_they_have_a_value() {
        let field =
            |layout: &mut MemoryLayout, name: &str| layout.push(name, FieldKind::Number, number_words(1.0));
        let (mut all, mut less) = (MemoryLayout::default(), MemoryLayout::default());
        for name in ["a", "b", "c"] {
            field(&mut all, name);
        }
        field(&mut less, "b");
        less.push("c", FieldKind::Bool, [0; 3]);
        let row: Vec<_> = [5.0_f32, 6.0, 7.0].map(f32::to_bits).into();
        let (lost, words) = all.without(Some(&less), &row).unwrap();
        assert_eq!(words, [row[0], row[2]], "a, and c of another kind");
        assert!(all.without(Some(&all), &row).is_none());
        let mut now: Vec<_> = [1.0_f32, 8.0, 9.0].map(f32::to_bits).into();
        all.restore(&mut now, &lost, &words);
        assert_eq!(now, [5.0_f32, 8.0, 9.0].map(f32::to_bits), "only a has its initial value");
    }

    #[test]
    fn a_field_is_renamed_only_if_one_of_its_kind_is_gone() {
        use FieldKind::{Bool, Number};
        let layout = |fields: &[(&str, FieldKind)]| {
            let mut layout = MemoryLayout::default();
            for (name, kind) in fields {
                layout.push(*name, *kind, [7, 0, 0]);
            }
            layout
        };
        let old = layout(&[("a", Number), ("b", Number)]);
        let migrated = |fields: &[(&str, FieldKind)]| {
            let new = layout(fields);
            let mut row = vec![7; new.words()];
            new.migrate(&mut row, &old, &[1, 2]);
            (row, new.lost(&old).collect::<Vec<_>>().join(" "))
        };
        assert_eq!(migrated(&[("b", Number), ("n", Number)]), (vec![2, 1], String::new()));
        assert_eq!(migrated(&[("b", Number), ("n", Bool)]), (vec![2, 7], "a".to_owned()));
        assert_eq!(migrated(&[("m", Number), ("n", Number)]), (vec![7, 7], "a b".to_owned()));
        assert_eq!(migrated(&[("b", Number), ("m", Number), ("n", Number)]), (vec![2, 7, 7], "a".to_owned()));
        assert_eq!(migrated(&[("a", Bool), ("b", Number)]), (vec![7, 2], "a".to_owned()));
        assert_eq!(migrated(&[("n", Number)]), (vec![7], "a b".to_owned()));
    }

    #[test]
    fn nan_is_stored_canonically() {
        let odd = f32::from_bits(0xffc0_0001);
        assert_eq!(number_words(odd), number_words(f32::NAN));
        assert_eq!(vector_words(Vec3::splat(odd)), [f32::NAN.to_bits(); 3]);
    }
}
