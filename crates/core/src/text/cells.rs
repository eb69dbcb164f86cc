//! Cells of a line of comma-separated values.

use std::borrow::Cow;
use std::fmt::{self, Debug, Display};

/// Returns a number as a cell, in the shortest form that reads as the same number. Counts are integers; other columns have a
/// point or an exponent in every row, since readers infer the type of a column from any of its rows.
pub fn number_cell(number: impl Debug + Display, is_count: bool) -> impl Display {
    fmt::from_fn(move |text| if is_count { write!(text, "{number}") } else { write!(text, "{number:?}") })
}

/// Returns the character that separates the cells of a line: a tab, a semicolon or a comma, the most frequent one; a space
/// if the line has none of them.
pub fn separator(line: &str) -> char {
    let (mut counts, mut is_quoted) = ([('\t', 0), (';', 0), (',', 0)], false);
    for character in line.chars() {
        is_quoted ^= character == '"';
        for (known, count) in &mut counts {
            *count += usize::from(*known == character && !is_quoted);
        }
    }
    let most = counts.into_iter().rev().max_by_key(|(_, count)| *count);
    let has_words = line.split_ascii_whitespace().count() > 1;
    most.filter(|(_, count)| *count > 0 || !has_words).map_or(' ', |(separator, _)| separator)
}

/// Returns the texts of the cells of a line, with or without its end. A quote that is not closed ends with the line. Cells
/// that a space separates may be any number of spaces apart.
pub fn cells(line: &str, separator: char) -> Vec<String> {
    let line = line.trim_end_matches(['\r', '\n']);
    if separator == ' ' {
        return line.split_ascii_whitespace().map(str::to_owned).collect();
    }
    let (mut cells, mut cell, mut is_quoted) = (Vec::new(), String::new(), false);
    let mut characters = line.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '"' if is_quoted && characters.peek() == Some(&'"') => cell.extend(characters.next()),
            '"' => is_quoted = !is_quoted,
            _ if character == separator && !is_quoted => cells.push(std::mem::take(&mut cell)),
            _ => cell.push(character),
        }
    }
    cells.push(cell);
    cells
}

/// Returns a number with a decimal point: a comma is one where it does not separate cells.
pub fn decimal(cell: &str, separator: char) -> Cow<'_, str> {
    let decimal = (separator != ',' && cell.contains(',')).then(|| cell.replace(',', "."));
    decimal.filter(|decimal| decimal.parse::<f64>().is_ok()).map_or(cell.into(), Cow::Owned)
}

/// Returns the column of a cell in characters, counted from 1, by its index.
pub fn cell_column(line: &str, index: usize, separator: char) -> usize {
    let end = || line.trim_end_matches(['\r', '\n']).chars().count() + 1;
    cell_columns(line, separator).nth(index).unwrap_or_else(end)
}

/// Returns the columns of the cells in characters, counted from 1, without that of an empty cell at the end.
pub fn cell_columns(line: &str, separator: char) -> impl Iterator<Item = usize> {
    let (mut is_quoted, mut before) = (false, separator);
    (1..).zip(line.chars()).filter_map(move |(column, character)| {
        let begins = if separator == ' ' {
            before.is_ascii_whitespace() && !character.is_ascii_whitespace()
        } else {
            before == separator && !is_quoted
        };
        is_quoted ^= character == '"';
        before = character;
        begins.then_some(column)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_a_point_or_an_exponent_and_counts_do_not() {
        let numbers =
            [0.0, 20.0, 1e15, 1e16, -0.5, 0.1 + 0.2, 1e-300, 123_456_789.125, 1e300, f64::MIN_POSITIVE];
        for number in numbers {
            let cell = number_cell(number, false).to_string();
            assert_eq!(cell.parse(), Ok(number), "{cell}");
            assert!(cell.contains(['.', 'e']) && cell.len() < 30, "{cell}");
        }
        assert_eq!(number_cell(0.1_f32, false).to_string(), "0.1");
        assert_eq!(number_cell(-20.0, true).to_string(), "-20");
    }

    #[test]
    fn a_comma_is_a_decimal_point_where_it_separates_no_cells() {
        let cells = ["0,5", "-1,5e3", "2", "(8,6)", "1,2,3"].map(|cell| decimal(cell, ';'));
        assert_eq!(cells, ["0.5", "-1.5e3", "2", "(8,6)", "1,2,3"]);
        assert_eq!(decimal("0,5", ','), "0,5");
    }

    #[test]
    fn the_column_of_a_cell_is_that_of_its_first_character() {
        let line = "a,\"b,c\",ä,d\r\n";
        assert_eq!(cells(line, ','), ["a", "b,c", "ä", "d"]);
        assert_eq!([0, 1, 2, 3, 9].map(|at| cell_column(line, at, ',')), [1, 3, 9, 11, 12]);
    }
}
