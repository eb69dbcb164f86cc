//! What a behavior remembers of each unit: declared fields in rows of 32-bit words.
//!
//! Rows are copied, hashed and restored without interpretation, and a reload maps fields by name and kind. A map
//! per unit would be dozens of times slower.

use glam::Vec3;

/// The kind of a field. It is fixed by the initial value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldKind {
    /// A 32-bit float in one word; an integer counts as one.
    Number,
    /// 0 or 1 in one word.
    Switch,
    /// Three floats in three words.
    Vector,
}

impl FieldKind {
    /// How many words a field of this kind takes.
    pub fn words(self) -> usize {
        match self {
            Self::Number | Self::Switch => 1,
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
    /// The words of the initial value; those past the kind's count are unused.
    pub initial: [u32; 3],
}

/// The fields of one behavior, in the order of their names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MemoryLayout {
    fields: Vec<Field>,
    words: usize,
}

impl MemoryLayout {
    /// Adds a field behind the others.
    pub fn push(&mut self, name: impl Into<String>, kind: FieldKind, initial: [u32; 3]) {
        self.fields.push(Field { name: name.into(), kind, offset: self.words, initial });
        self.words += kind.words();
    }

    /// All fields.
    pub fn fields(&self) -> &[Field] {
        &self.fields
    }

    /// The field called `name`.
    pub fn field(&self, name: &str) -> Option<&Field> {
        self.fields.iter().find(|field| field.name == name)
    }

    /// How many words a row takes.
    pub fn words(&self) -> usize {
        self.words
    }

    /// Writes the initial values into a row.
    pub fn reset(&self, row: &mut [u32]) {
        for field in &self.fields {
            let words = field.kind.words();
            row[field.offset..][..words].copy_from_slice(&field.initial[..words]);
        }
    }

    /// Writes the values of a row laid out by `old` into the fields of the same name and kind.
    pub fn migrate(&self, row: &mut [u32], old: &Self, old_row: &[u32]) {
        for field in &self.fields {
            let before = old.field(&field.name);
            if let Some(before) = before.filter(|before| before.kind == field.kind) {
                let words = field.kind.words();
                row[field.offset..][..words].copy_from_slice(&old_row[before.offset..][..words]);
            }
        }
    }
}

/// The words of a number.
pub(crate) fn number_words(value: f32) -> [u32; 3] {
    [bits(value), 0, 0]
}

/// One and the same bits for everything that is no number: which ones an operation gives depends on
/// the order of its operands, and the state's hash must not.
fn bits(value: f32) -> u32 {
    if value.is_nan() { f32::NAN } else { value }.to_bits()
}

/// The words of a vector.
pub(crate) fn vector_words(value: Vec3) -> [u32; 3] {
    value.to_array().map(bits)
}

/// The vector in three words.
pub(crate) fn vector(words: &[u32]) -> Vec3 {
    Vec3::from([words[0], words[1], words[2]].map(f32::from_bits))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_layout_keeps_what_has_the_same_name_and_kind() {
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
    fn what_is_no_number_is_kept_in_one_way() {
        let odd = f32::from_bits(0xffc0_0001);
        assert_eq!(number_words(odd), number_words(f32::NAN));
        assert_eq!(vector_words(Vec3::splat(odd)), [f32::NAN.to_bits(); 3]);
    }
}
