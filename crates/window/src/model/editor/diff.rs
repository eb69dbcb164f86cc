//! The difference of two texts by lines.

/// Maximum product of the numbers of differing lines that are compared one by one.
const MOST: usize = 4_000_000;

/// A line of a difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Change<'a> {
    Same(&'a str),
    Removed(&'a str),
    Added(&'a str),
}

/// Returns the shortest difference between two texts, in their order; of very long ones, the differing part as a whole.
pub(crate) fn difference<'a>(before: &'a str, after: &'a str) -> Vec<Change<'a>> {
    let (a, b): (Vec<_>, Vec<_>) = (before.lines().collect(), after.lines().collect());
    let start = a.iter().zip(&b).take_while(|(a, b)| a == b).count();
    let ends = a[start..].iter().rev().zip(b[start..].iter().rev());
    let end = ends.take_while(|(a, b)| a == b).count();
    let (middle_a, middle_b) = (&a[start..a.len() - end], &b[start..b.len() - end]);
    let mut changes: Vec<_> = a[..start].iter().copied().map(Change::Same).collect();
    if middle_a.len() * middle_b.len() > MOST {
        changes.extend(middle_a.iter().copied().map(Change::Removed));
        changes.extend(middle_b.iter().copied().map(Change::Added));
    } else {
        changes.extend(aligned(middle_a, middle_b));
    }
    changes.extend(a[a.len() - end..].iter().copied().map(Change::Same));
    changes
}

/// The difference along the longest common subsequence.
fn aligned<'a>(a: &[&'a str], b: &[&'a str]) -> Vec<Change<'a>> {
    let width = b.len() + 1;
    // The length of the longest common subsequence of the rests from each pair of lines on.
    let mut common = vec![0_u32; (a.len() + 1) * width];
    for i in (0..a.len()).rev() {
        for j in (0..b.len()).rev() {
            let (below, right) = (common[(i + 1) * width + j], common[i * width + j + 1]);
            let diagonal = common[(i + 1) * width + j + 1] + 1;
            common[i * width + j] = if a[i] == b[j] { diagonal } else { below.max(right) };
        }
    }
    let (mut changes, mut i, mut j) = (Vec::new(), 0, 0);
    while i < a.len() || j < b.len() {
        let is_same = i < a.len() && j < b.len() && a[i] == b[j];
        let removes = j == b.len() || i < a.len() && common[(i + 1) * width + j] >= common[i * width + j + 1];
        if is_same {
            changes.push(Change::Same(a[i]));
            (i, j) = (i + 1, j + 1);
        } else if removes {
            changes.push(Change::Removed(a[i]));
            i += 1;
        } else {
            changes.push(Change::Added(b[j]));
            j += 1;
        }
    }
    changes
}

#[cfg(test)]
mod tests {
    use super::Change::{Added, Removed, Same};
    use super::*;

    #[test]
    fn only_changed_lines_differ() {
        let changes = difference("a\nb\nc\nd\ne", "a\nx\nc\ne\nf");
        assert_eq!(
            changes,
            [Same("a"), Removed("b"), Added("x"), Same("c"), Removed("d"), Same("e"), Added("f")]
        );
        assert_eq!(difference("", "a"), [Added("a")]);
        assert_eq!(difference("a", "a"), [Same("a")]);
    }

    #[test]
    fn very_long_differences_are_shown_as_a_whole() {
        let text = |word: &str| (0..3000).map(|line| format!("{word}{line}")).collect::<Vec<_>>().join("\n");
        let (a, b) = (text("a"), text("b"));
        assert_eq!(difference(&a, &b).len(), 6000);
    }
}
