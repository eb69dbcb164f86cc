//! A fast hash of the items to draw, to detect changes since the last frame.

use egui::Mesh;

const MULTIPLIER: u64 = 0x9e37_79b9_7f4a_7c15;

/// A 64-bit hash by folded multiplication: not collision-resistant against malicious input, which is not needed here.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hash(u64);

impl Hash {
    pub(super) fn new() -> Self {
        Self(0x2545_f491_4f6c_dd1d)
    }

    #[inline]
    pub(super) fn add(&mut self, value: u64) {
        let product = u128::from(self.0 ^ value) * u128::from(MULTIPLIER);
        // Adding the multiplier preserves the order of the inputs after a zero.
        self.0 = (product as u64 ^ (product >> 64) as u64).wrapping_add(MULTIPLIER);
    }

    #[inline]
    pub(super) fn add_pair(&mut self, a: f32, b: f32) {
        self.add(u64::from(a.to_bits()) << 32 | u64::from(b.to_bits()));
    }

    pub(super) fn add_mesh(&mut self, mesh: &Mesh) {
        self.add((mesh.vertices.len() as u64) << 32 | mesh.indices.len() as u64);
        for vertex in &mesh.vertices {
            self.add_pair(vertex.pos.x, vertex.pos.y);
            self.add_pair(vertex.uv.x, vertex.uv.y);
            self.add(u64::from(u32::from_be_bytes(vertex.color.to_array())));
        }
        for pair in mesh.indices.chunks(2) {
            let second = pair.get(1).copied().unwrap_or(u32::MAX);
            self.add(u64::from(pair[0]) << 32 | u64::from(second));
        }
    }

    pub(super) fn end(self) -> u64 {
        self.0
    }
}
