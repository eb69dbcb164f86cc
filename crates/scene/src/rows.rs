//! Units that start from a table: each is a row, which may move when rows are added or removed.

use super::plan::GroupPlan;
use super::starts::{Column, ID, Spawn, Start};

/// Returns for each row of the table of `new` the row of `old` that it was: by the column `id` if both tables have it,
/// else by content, and what remains in order. `None` unless both start from tables.
pub(super) fn rows(old: &GroupPlan, new: &GroupPlan) -> Option<Vec<Option<usize>>> {
    fn table(spawn: &Spawn) -> Option<(&[Start], &[Column])> {
        match spawn {
            Spawn::File { starts, columns, .. } if !starts.is_empty() => Some((starts, columns)),
            _ => None,
        }
    }
    let ((old, of_old), (new, of_new)) = (table(&old.spawn)?, table(&new.spawn)?);
    let mut origin = vec![None; new.len()];
    if let (Some(before), Some(now)) = (ids(of_old, old.len()), ids(of_new, new.len())) {
        for (origin, id) in origin.iter_mut().zip(now) {
            *origin = before.iter().position(|other| *other == id);
        }
        return Some(origin);
    }
    let mut content: Vec<_> = (0..old.len()).map(|row| (row_of(old, of_old, row), row)).collect();
    content.sort_by(|(one, a), (other, b)| one.cmp(other).then(b.cmp(a)));
    let mut left = vec![true; old.len()];
    for (at, origin) in origin.iter_mut().enumerate() {
        let row = row_of(new, of_new, at);
        // The last of equal ones is the first in the table.
        let end = content.partition_point(|(other, _)| *other <= row);
        if end > 0 && content[end - 1].0 == row {
            let (_, before) = content.remove(end - 1);
            (*origin, left[before]) = (Some(before), false);
        }
    }
    let mut left = (0..old.len()).filter(|row| left[*row]);
    for origin in origin.iter_mut().filter(|origin| origin.is_none()) {
        *origin = left.next();
    }
    Some(origin)
}

fn ids(columns: &[Column], rows: usize) -> Option<Vec<u32>> {
    let column = columns.iter().find(|column| column.name == ID && column.cells.len() == rows)?;
    Some(column.cells.iter().map(|(id, _)| id.to_bits()).collect())
}

/// Returns the content of a row, as bits.
fn row_of(starts: &[Start], columns: &[Column], row: usize) -> Vec<u32> {
    let Start { position, heading, velocity } = starts[row];
    let vectors = [Some(position), heading, velocity].into_iter();
    let bits = vectors.flat_map(|vector| vector.map_or([u32::MAX; 3], |it| it.to_array().map(f32::to_bits)));
    let cells =
        columns.iter().map(|column| column.cells.get(row).map_or(u32::MAX, |(value, _)| value.to_bits()));
    bits.chain(cells).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::read_with;

    fn origins(old: &str, new: &str) -> Vec<Option<usize>> {
        let plan = |table: &str| {
            let text = "(world: Plane(size: (9, 9)), bodies: {\"m\": Mover()},
                groups: [(name: \"a\", body: \"m\", spawn: File(\"t.csv\"))])";
            let files = BTreeMap::from([("t.csv".to_owned(), Ok(table.into()))]);
            read_with("s.ron", text, &files).unwrap().groups.remove(0)
        };
        rows(&plan(old), &plan(new)).unwrap()
    }

    #[test]
    fn rows_are_matched_by_content_then_in_order() {
        let table = "x,y,K\n1,1,5\n2,2,6\n3,3,7\n";
        assert_eq!(origins(table, table), [Some(0), Some(1), Some(2)]);
        assert_eq!(origins(table, "x,y,K\n2,2,6\n3,3,7\n"), [Some(1), Some(2)]);
        assert_eq!(origins(table, "x,y,K\n3,3,7\n1,1,5\n2,2,9\n4,4,4\n"), [Some(2), Some(0), Some(1), None]);
        assert_eq!(origins("x,y\n1,1\n1,1\n", "x,y\n1,1\n1,1\n1,1\n"), [Some(0), Some(1), None]);
    }

    #[test]
    fn a_column_of_ids_identifies_rows() {
        let table = "id,x,y,K\n1,1,1,5\n2,2,2,6\n";
        assert_eq!(origins(table, "id,x,y,K\n2,9,9,9\n3,1,1,5\n1,4,4,4\n"), [Some(1), None, Some(0)]);
    }
}
