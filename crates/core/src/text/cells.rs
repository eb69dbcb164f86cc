//! Cells of a line of comma-separated values.

use std::fmt::{self, Debug, Display};

/// Returns a number as a cell, in the shortest form that reads as the same number. Counts are integers; other columns have a
/// point or an exponent in every row, since readers infer the type of a column from any of its rows.
pub fn number_cell(number: impl Debug + Display, is_count: bool) -> impl Display {
    fmt::from_fn(move |text| if is_count { write!(text, "{number}") } else { write!(text, "{number:?}") })
}

/// Returns the texts of the cells of a line, with or without its end. A quote that is not closed ends with the line.
pub fn cells(line: &str) -> Vec<String> {
    let (mut cells, mut cell, mut is_quoted) = (Vec::new(), String::new(), false);
    let mut characters = line.trim_end_matches(['\r', '\n']).chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '"' if is_quoted && characters.peek() == Some(&'"') => cell.extend(characters.next()),
            '"' => is_quoted = !is_quoted,
            ',' if !is_quoted => cells.push(std::mem::take(&mut cell)),
            _ => cell.push(character),
        }
    }
    cells.push(cell);
    cells
}

/// Returns the column of a cell in characters, counted from 1, by its index.
pub fn cell_column(line: &str, index: usize) -> usize {
    let (mut commas, mut is_quoted) = (0, false);
    for (at, character) in line.chars().enumerate() {
        if commas == index {
            return at + 1;
        }
        is_quoted ^= character == '"';
        commas += usize::from(character == ',' && !is_quoted);
    }
    line.trim_end_matches(['\r', '\n']).chars().count() + 1
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
    fn the_column_of_a_cell_is_that_of_its_first_character() {
        let line = "a,\"b,c\",ä,d\r\n";
        assert_eq!(cells(line), ["a", "b,c", "ä", "d"]);
        assert_eq!([0, 1, 2, 3, 9].map(|at| cell_column(line, at)), [1, 3, 9, 11, 12]);
    }
}
