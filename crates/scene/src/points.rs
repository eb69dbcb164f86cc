//! Readers of points, vectors and other numbers in parentheses.

use glam::{DVec3, Vec3};
use steerbox_core::diagnostics::Fix;
use steerbox_core::world::relative;

use super::{
    bounds::Bounds,
    node::{Node, NodeKind},
    parts::Form,
    reader::Reader,
    remedy,
    words::{RangeFault, shown},
};

impl<'a> Reader<'a> {
    /// Reads a point or vector: (x, y), and in space (x, y, z).
    pub(super) fn vector(&mut self, node: Node<'a>, name: &str) -> Option<Vec3> {
        let parts = self.tuple(node, name)?;
        if !(2..=3).contains(&parts.len()) {
            let wanted = match self.plane {
                Some(true) => "2 numbers, (x, y)",
                Some(false) => "3 numbers, (x, y, z)",
                None => "2 or 3 numbers",
            };
            self.fault(node, format!("`{name}` needs {wanted}, not {}", parts.len()));
            return None;
        }
        let (vector, whole): ([f32; 3], bool) = self.each(&parts, name, Bounds::Any);
        if self.plane == Some(true) && vector[2] != 0.0 {
            let message = format!("the z of `{name}` must be 0 in a plane");
            let found = RangeFault::new(parts[2].range(), message).help("leave it out: (x, y)");
            let rest = parts[1].range().end..parts[2].range().end;
            self.note(found.fixed([Fix::replace("leave it out", rest, "")]));
            return None;
        }
        whole.then(|| Vec3::from_array(vector))
    }

    /// Reads a point, relative to the origin of the world.
    pub(super) fn point(&mut self, node: Node<'a>, name: &str) -> Option<Vec3> {
        let point = self.vector(node, name)?;
        Some(if self.origin == DVec3::ZERO { point } else { relative_point(node, self.origin) })
    }

    /// Reads exactly `N` numbers in parentheses, each within `bounds`.
    pub(super) fn numbers<const N: usize>(
        &mut self,
        node: Node<'a>,
        name: &str,
        bounds: Bounds,
    ) -> Option<[f32; N]> {
        let parts = self.tuple(node, name)?;
        if parts.len() != N {
            let message = format!("`{name}` needs {N} numbers, not {}", parts.len());
            self.fault(node, message);
            return None;
        }
        let (numbers, whole) = self.each(&parts, name, bounds);
        whole.then_some(numbers)
    }

    /// Reads the numbers of `parts`, padded with 0; the flag is true if all are valid.
    fn each<const N: usize>(&mut self, parts: &[Node<'a>], name: &str, bounds: Bounds) -> ([f32; N], bool) {
        let (mut numbers, mut whole) = ([0.0; N], true);
        for (value, part) in numbers.iter_mut().zip(parts) {
            let number = self.number(*part, name, bounds);
            whole &= number.is_some();
            *value = number.unwrap_or_default();
        }
        (numbers, whole)
    }

    fn tuple(&mut self, node: Node<'a>, name: &str) -> Option<Vec<Node<'a>>> {
        self.record_form(node, Form::Point);
        let parts = (node.kind() == NodeKind::Parentheses).then(|| node.tuple()).flatten();
        if parts.is_none() {
            let message = format!("`{name}` must be numbers in parentheses, not {}", shown(node));
            let found = RangeFault::new(node.range(), message).help(remedy::point(name, node));
            self.note(match remedy::numbers(node) {
                Some(numbers) => found.write(node.range(), format!("({numbers})")),
                None => found,
            });
        }
        parts
    }
}

/// Returns the position of a valid point in a world with this origin.
pub(super) fn relative_point(node: Node<'_>, origin: DVec3) -> Vec3 {
    let point = node.coordinates();
    Vec3::from_array([0, 1, 2].map(|axis| relative(point[axis], origin[axis])))
}

/// Returns the unit vector at `degrees` counter-clockwise from +x, exact at right angles.
pub(super) fn direction(degrees: f32) -> Vec3 {
    let turn = f64::from(degrees).rem_euclid(360.0);
    let (sine, cosine) = libm::sincos(turn.to_radians());
    let exact = |value: f64| {
        if value.abs() < 1e-12 { 0.0 } else { value as f32 }
    };
    Vec3::new(exact(cosine), exact(sine), 0.0)
}

/// Returns the unit vector along a direction; `None` for zero.
pub(super) fn unit(direction: Vec3) -> Option<Vec3> {
    // Scaled first: the squares of very long or short vectors overflow or underflow.
    let most = direction.abs().max_element();
    if most > 0.0 { (direction / most).try_normalize() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directions_are_counter_clockwise_and_exact_at_right_angles() {
        assert_eq!(direction(0.0), Vec3::X);
        assert_eq!(direction(90.0), Vec3::Y);
        assert_eq!(direction(-180.0), Vec3::NEG_X);
        assert_eq!(direction(630.0), Vec3::NEG_Y);
        assert!((direction(30.0) - Vec3::new(0.866_025_4, 0.5, 0.0)).length() < 1e-6);
    }
}
